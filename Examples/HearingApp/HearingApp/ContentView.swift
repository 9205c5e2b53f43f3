import HearingFitting
import SwiftUI
import UniformTypeIdentifiers

/// The main screen of the app.
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
          Button("Play the example") { Task { await model.playExample() } }
          Button("Play a file…") { isChoosingFile = true }
          Button("Listen to the microphone") { Task { await model.play(nil) } }
          if model.isPlaying { Button("Stop") { model.stop() } }
        }
        Section("Processing") {
          Toggle("On", isOn: $model.isEnabled)
          Slider(value: $model.intensity, in: 0...1) {
            Text("Intensity")
          } minimumValueLabel: {
            Text("0 %")
          } maximumValueLabel: {
            Text("100 %")
          }
        }
        Section("Gains and levels") {
          ForEach(model.bands) { band in BandRow(band: band) }
        }
      }
      .navigationTitle("Hearing")
      .navigationDestination(isPresented: isTesting) {
        if let test {
          HearingTestView(test: test, run: model.run) { profile in
            if let profile { model.measured = profile }
            self.test = nil
          }
        }
      }
    }
    // The alert belongs to the whole `NavigationStack`, not to the `Form`. Therefore the alert also
    // appears over the hearing test.
    .alert("This did not work", isPresented: isFailing) {
      Button("OK") {}
    } message: {
      Text(model.message ?? "")
    }
    .fileImporter(isPresented: $isChoosingFile, allowedContentTypes: [.audio]) { result in
      Task { await model.open(result) }
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
  private var isFailing: Binding<Bool> {
    Binding {
      model.message != nil
    } set: { isShown in
      if !isShown { model.message = nil }
    }
  }

  private var isTesting: Binding<Bool> {
    Binding {
      test != nil
    } set: { isShown in
      if !isShown { test = nil }
    }
  }
}

/// The hearing thresholds of both ears. The right ear is first, as is usual in audiometry.
private struct AudiogramRows: View {
  let profile: HearingProfile

  var body: some View {
    ForEach([Ear.right, .left], id: \.self) { ear in
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
