import SwiftUI

/// Plays files and the microphone for the listener whose audiogram is in Health.
@main
struct HearingApp: App {
  @State private var model = HearingModel()

  var body: some Scene {
    WindowGroup {
      ContentView(model: model)
    }
  }
}
