import HearingFitting
import SwiftUI

/// The one screen of the app.
struct ContentView: View {
  @State var model: HearingModel
  @State private var isChoosingFile = false
  @State private var test: HearingTestModel?

  var body: some View {
    NavigationStack {
      Form {
        Section("Audiogram") {
          if let profile = model.profile {
            AudiogramRows(profile: profile)
          } else {
            Text("No audiogram yet")
          }
          Button("Read from Health") { Task { await model.readHealth() } }
          Button("Take the hearing test") { test = model.makeTest() }
          Button("Use the standard audiogram N3") { Task { await model.useStandardAudiogram() } }
          if model.measured != nil {
            Text("The test is finished. The headphones are not calibrated: levels may be wrong.")
            Button("Use the result anyway") { Task { await model.useMeasured() } }
          }
          if let page = model.page {
            NavigationLink("Audiogram and gains") { PageView(html: page) }
          }
        }
        Section("Sound") {
          Button("Play a file…") { isChoosingFile = true }
          Button("Listen to the microphone") { Task { await model.play(nil) } }
          if model.isPlaying { Button("Stop") { model.stop() } }
        }
        Section("Processing") {
          Toggle("On", isOn: $model.isEnabled)
          Slider(value: $model.intensity, in: 0...1)
        }
        Section("Gains and levels") {
          ForEach(model.bands) { band in BandRow(band: band) }
        }
        if let message = model.message { Text(message) }
      }
      .navigationTitle("Hearing")
      .navigationDestination(isPresented: isTesting) {
        if let test {
          HearingTestView(test: test) { profile in
            model.measured = profile
            self.test = nil
          }
        }
      }
    }
    .fileImporter(isPresented: $isChoosingFile, allowedContentTypes: [.audio]) { result in
      guard let url = try? result.get() else { return }
      Task { await model.play(url) }
    }
    .task {
      while !Task.isCancelled {
        model.updateLevels()
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}

extension ContentView {
  private var isTesting: Binding<Bool> {
    Binding {
      test != nil
    } set: { isShown in
      if !isShown { test = nil }
    }
  }
}

/// The thresholds of both ears.
private struct AudiogramRows: View {
  let profile: HearingProfile

  var body: some View {
    ForEach(Ear.allCases, id: \.self) { ear in
      Text("\(ear.rawValue.capitalized): \(text(profile[ear]))")
    }
  }

  private func text(_ audiogram: Audiogram?) -> String {
    guard let audiogram else { return "unknown" }
    return audiogram.points
      .map { "\(Int($0.threshold)) dB at \(Int($0.frequency)) Hz" }
      .joined(separator: ", ")
  }
}

/// The gain and the level of one band.
private struct BandRow: View {
  let band: HearingModel.Band

  var body: some View {
    HStack {
      Text("\(Int(band.center)) Hz")
      ProgressView(value: min(1, max(0, band.level / 120)))
      Text("\(Int(band.gain.rounded())) dB")
    }
  }
}
