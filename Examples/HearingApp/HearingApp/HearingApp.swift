import SwiftUI

/// Plays files and the microphone for the listener with the audiogram that is stored in Health.
@main
struct HearingApp: App {
  @State private var model = try? HearingModel()

  var body: some Scene {
    WindowGroup {
      if let model {
        ContentView(model: model)
      } else {
        Text("The app could not start its session.")
      }
    }
  }
}
