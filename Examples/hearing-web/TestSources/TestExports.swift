import HearingAudiometry
import HearingFitting

// Functions with which the page measures hearing. Each function returns 0 or a count if it
// succeeds, otherwise the code of a `WebFailure`.

/// The hearing test of this instance. The declaration is safe because WebAssembly code runs on one
/// thread per instance.
nonisolated(unsafe) private var running: HearingTest?

private func started() throws(WebFailure) -> HearingTest {
  guard let running else { throw .notStarted }
  return running
}

/// Starts a hearing test of both ears. A test that is in progress is discarded.
///
/// - Parameters:
///   - fullScale: The level in dB SPL of a sine of amplitude 1, 60…150. This level is assumed, not
///     measured.
///   - sampleRate: The sample rate in Hz. Tones that are too high for this rate are omitted.
///   - seed: The random seed for the waiting times and for silent presentations.
@_expose(wasm, "hearing_test") @c(hearing_test)
func hearingTest(_ fullScale: Double, _ sampleRate: Double, _ seed: Double) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard (60...150).contains(fullScale), (0..<9e15).contains(seed) else {
      throw .numberOutOfRange
    }
    running = try HearingTest(fullScale: fullScale, sampleRate: sampleRate, seed: UInt64(seed))
    return 0
  }
}

/// Writes the next step and returns the count of numbers. The count is 9 for a tone, and 1 for a
/// pause or for the end.
///
/// The first number is 0 for a tone, 1 for a pause, or 2 for the end. For a tone, eight more
/// numbers follow: ear (0: left, 1: right), frequency (Hz), level (dB HL), time of the onset (s),
/// time of the end (s), duration of the response window after the onset (s), number of tones so
/// far, and number of samples at `hearing_test_sound`.
@_expose(wasm, "hearing_test_next") @c(hearing_test_next)
func hearingTestNext() -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    try Exchange.write(started().next())
  }
}

/// The address of the samples of the tone that `hearing_test_next` described. `channel` is 0 for
/// the left ear or 1 for the right ear.
@_expose(wasm, "hearing_test_sound") @c(hearing_test_sound)
func hearingTestSound(_ channel: Int32) -> UnsafeMutablePointer<Float>? {
  running?.samples(channel: Int(channel))
}

/// Answers the current tone.
///
/// - Parameters:
///   - isHeard: 1 if the listener pressed the button after the onset, otherwise 0.
///   - pressedInSilence: 1 if the listener pressed the button before the onset, otherwise 0.
///   - delay: The time in seconds from the onset to the press.
@_expose(wasm, "hearing_test_answer") @c(hearing_test_answer)
func hearingTestAnswer(_ isHeard: Int32, _ pressedInSilence: Int32, _ delay: Double) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard (0...60).contains(delay) else { throw .numberOutOfRange }
    try started().answer(
      ToneResponse(isHeard: isHeard != 0, pressedInSilence: pressedInSilence != 0),
      delay: isHeard != 0 ? delay : nil)
    return 0
  }
}

/// Continues after a pause.
@_expose(wasm, "hearing_test_resume") @c(hearing_test_resume)
func hearingTestResume() -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    try started().resume()
    return 0
  }
}

/// Writes the result for an ear (0: left, 1: right) and returns the number of points. Each point
/// has three numbers, in the same form as for `hearing_audiogram`.
@_expose(wasm, "hearing_test_result") @c(hearing_test_result)
func hearingTestResult(_ ear: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let side: Ear = ear == 0 ? .left : .right
    return try Exchange.write(
      started().estimate.filter { $0.ear == side }.flatMap {
        [$0.frequency, min(120, max(-10, $0.threshold.rounded())), $0.isNoResponse ? 1 : 0]
      }) / 3
  }
}

/// The reasons why the result is not reliable, as the sum of 1 (false alarms), 2 (missed tones),
/// 4 (different repeats), 8 (contradictions) and 16 (no responses). 0 if the result is reliable.
@_expose(wasm, "hearing_test_concerns") @c(hearing_test_concerns)
func hearingTestConcerns() -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let concerns = try started().concerns
    let all: [MeasurementRecord.Note] = [
      .falseAlarms, .missedTones, .repeats, .contradictions, .noResponses,
    ]
    return all.indices.reduce(0) { concerns.contains(all[$1]) ? $0 | 1 << Int32($1) : $0 }
  }
}

/// A hearing test and the sound of its current tone.
final class HearingTest {
  private var test: ToneTest
  private let calibration: HeadphoneCalibration
  private let sampleRate: Double
  private var rows: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
  private var capacity = 1

  private static let frequencies: [Double] = [250, 500, 1000, 2000, 3000, 4000, 6000, 8000]

  init(fullScale: Double, sampleRate: Double, seed: UInt64) throws(WebFailure) {
    self.sampleRate = sampleRate
    calibration = .uncalibrated(fullScaleLevel: fullScale)
    do throws(HearingTestError) {
      test = try ToneTest(
        method: .bayesian, frequencies: Self.frequencies.filter { $0 < 0.48 * sampleRate },
        calibration: calibration, seed: seed)
    } catch {
      throw .numberOutOfRange
    }
    rows = (.allocate(capacity: 1), .allocate(capacity: 1))
  }

  deinit {
    rows.left.deallocate()
    rows.right.deallocate()
  }

  var estimate: [ThresholdEstimate] { test.estimate }

  var concerns: [MeasurementRecord.Note] { test.reliability.concerns }

  func next() throws(WebFailure) -> [Double] {
    switch test.next {
    case .pause: return [1]
    case .finished: return [2]
    case .present(let presentation):
      let sound: PresentationSound
      do throws(HearingTestError) {
        sound = try PresentationSound(
          presentation, calibration: calibration, sampleRate: sampleRate)
      } catch {
        throw .unsupportedSettings
      }
      store(sound)
      return [
        0, presentation.ear == .left ? 0 : 1, presentation.frequency, presentation.level,
        presentation.wait, presentation.wait + presentation.tone.duration,
        presentation.tone.duration + presentation.responseTail, Double(test.toneCount),
        Double(sound.count),
      ]
    }
  }

  private func store(_ sound: PresentationSound) {
    if sound.count > capacity {
      rows.left.deallocate()
      rows.right.deallocate()
      capacity = sound.count
      rows = (.allocate(capacity: capacity), .allocate(capacity: capacity))
    }
    let (left, right) = (sound[.left], sound[.right])
    for index in 0..<sound.count {
      (rows.left + index).initialize(to: left[index])
      (rows.right + index).initialize(to: right[index])
    }
  }

  func samples(channel: Int) -> UnsafeMutablePointer<Float> {
    channel == 0 ? rows.left : rows.right
  }

  func answer(_ response: ToneResponse, delay: Double?) throws(WebFailure) {
    do throws(HearingTestError) {
      try test.answer(response, after: delay.map { .seconds($0) })
    } catch {
      throw .notStarted
    }
  }

  func resume() { test.resume() }
}
