import Foundation
import HearingAudiometry
import HearingFitting
import Observation

/// Runs a hearing test. It presents tones, measures the response times, and saves the state after
/// each answer.
@MainActor @Observable
final class HearingTestModel {
  private(set) var toneCount = 0
  private(set) var pauseReason: PauseReason?
  private(set) var result: HearingProfile?

  private var test: ToneTest
  private var presses: [ContinuousClock.Instant] = []
  private let calibration = HeadphoneCalibration.uncalibrated()
  private static let file = URL(fileURLWithPath: NSHomeDirectory())
    .appendingPathComponent("Documents/hearing-test.json")

  /// Continues the interrupted test, or creates a new test if no state is saved.
  init() throws {
    if let data = try? Data(contentsOf: Self.file), let stored = try? ToneTest(json: data) {
      test = stored
    } else {
      test = try ToneTest(method: .bayesian, calibration: calibration)
    }
    toneCount = test.toneCount
  }

  /// Records that the listener pressed the button.
  func press() {
    presses.append(.now)
  }

  /// Continues after a pause.
  func resume() {
    test.resume()
    pauseReason = nil
  }

  /// Presents tones until the test pauses, the test ends, or the task is cancelled.
  func run() async throws {
    let player = try TonePlayer()
    defer { player.stop() }
    while true {
      try Task.checkCancellation()
      switch test.next {
      case .present(let presentation):
        try await present(presentation, with: player)
      case .pause:
        pauseReason = test.pauseReason
        return
      case .finished(let profile):
        try? FileManager.default.removeItem(at: Self.file)
        result = profile
        return
      }
    }
  }

  private func present(_ presentation: Presentation, with player: TonePlayer) async throws {
    let sound = try PresentationSound(
      presentation, calibration: calibration, sampleRate: TonePlayer.sampleRate)
    presses = []
    let latency = player.latency
    let onset = ContinuousClock.now + .seconds(presentation.wait + latency)
    try player.play(sound)
    try await Task.sleep(for: .seconds(presentation.duration + latency))
    try player.checkIsRunning()
    let delays = presses.map { onset.duration(to: $0) }
    let heard = delays.first { $0 >= .zero && $0 <= presentation.responseWindow }
    try test.answer(
      ToneResponse(isHeard: heard != nil, pressedInSilence: delays.contains { $0 < .zero }),
      after: heard)
    toneCount = test.toneCount
    // The state is health data, so it must not be readable while the device is locked.
    try test.jsonData().write(to: Self.file, options: [.atomic, .completeFileProtection])
  }
}
