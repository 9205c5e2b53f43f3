import HearingAudiometry
import HearingFitting
import SwiftUI

/// The screen of the hearing test: one large button.
struct HearingTestView: View {
  @State var test: HearingTestModel
  let run: @MainActor (HearingTestModel) async -> Void
  /// Called when the test ends. The argument is the result of the test, or nil after an error.
  let ended: (HearingProfile?) -> Void

  var body: some View {
    Form {
      Section("Hearing test") {
        Text("Wear headphones in a quiet room. Press the button whenever you hear a tone.")
        Text("Without a calibration the result is only an estimate. It is no diagnosis.")
        Text("\(test.toneCount) tones so far")
      }
      if let reason = test.pauseReason {
        Text(text(of: reason))
        Button("Continue") { test.resume() }
      } else {
        Button("I hear it") { test.press() }
      }
    }
    .navigationTitle("Hearing test")
    .task(id: test.pauseReason) {
      guard test.pauseReason == nil else { return }
      await run(test)
      let isStopped = test.pauseReason != nil || Task.isCancelled
      if test.result != nil || !isStopped { ended(test.result) }
    }
  }

  private func text(of reason: PauseReason) -> String {
    switch reason {
    case .otherEar: "The tones are now at the other ear."
    case .ambientNoise: "It is too loud here."
    case .calibrationChange: "Set the volume to where it was."
    }
  }
}
