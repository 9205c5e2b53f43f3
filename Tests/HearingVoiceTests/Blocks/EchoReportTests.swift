import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests the report about the echo that a processor returns. There is a test scene for each
/// possible result of the report.
final class EchoReportTests: XCTestCase {
  private let rate = 16_000.0

  private func far(seconds: Double, seed: UInt64 = 91) -> [Float] {
    SyntheticVoice.speech(seconds: seconds, rate: rate, seed: seed, pitch: 160)
  }

  /// The echo of `far` in a room, plus soft noise. The delay of the echo is in seconds.
  private func echo(_ far: [Float], delay: Double = 0, gain: Float = 0.3) -> [Float] {
    var generator = SeededGenerator(seed: 92)
    let room = EchoScene.room(rate: rate, delay: delay, reverberation: 0.2, using: &generator)
    let noise = Signals.noise(count: far.count, amplitude: 1e-4, using: &generator)
    return zip(EchoScene.convolved(far, room), noise).map { gain * $0 + $1 }
  }

  private func report(
    microphone: [Float], far: [Float] = [], other: [Float] = [],
    mode: MicrophoneMode = .wideSpectrum
  ) throws -> EchoReport {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = mode
    let call = TestCall(
      frames: microphone.count, microphone: microphone, farVoice: far, otherAudio: other)
    _ = call.rendered(by: processor)
    return processor.echoReport
  }

  func test_init_fromThePackedWord_restoresValues_andClampsThemToTheirRanges() {
    XCTAssertEqual(EchoReport(word: EchoReport().word), EchoReport())
    var findings = EchoReport()
    findings.path = .present
    findings.delay = 0.123_4
    (findings.returnLoss, findings.cancellation, findings.reduction) = (-12.3, 0, 45.6)
    for problem in [nil, .referenceIsLate, .delayIsTooLong, .renderingHasStopped]
      as [EchoReport.Problem?]
    {
      findings.problem = problem
      var expected = EchoReport()
      expected.path = .present
      (expected.delay, expected.returnLoss) = (0.123_4, -12.3)
      (expected.cancellation, expected.reduction) = (0, 45.6)
      expected.problem = problem
      let report = EchoReport(word: findings.word)
      XCTAssertEqual(report.returnLoss ?? 0, -12.3, accuracy: 1e-9)
      XCTAssertEqual(report.reduction ?? 0, 45.6, accuracy: 1e-9)
      XCTAssertEqual(report.delay, expected.delay)
      XCTAssertEqual(report.problem, expected.problem)
      XCTAssertEqual(report.path, .present)
    }
    (findings.delay, findings.returnLoss, findings.reduction) = (9, 1_000, .nan)
    XCTAssertEqual(EchoReport(word: findings.word).delay, 0.8)
    XCTAssertEqual(EchoReport(word: findings.word).returnLoss, 100)
    XCTAssertEqual(EchoReport(word: findings.word).reduction, -100)
  }

  /// Parts of two different voices can correlate for a short time, as a voice and its echo do.
  func test_report_doubleTalkWithoutEcho_pathStaysAbsent() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let count = Int(12 * rate)
    let talk = try RecordedTalk.samples(count)
    for seed: UInt64 in 201...204 {
      let near = SyntheticVoice.speech(seconds: 12, rate: rate, seed: seed, pitch: 130)
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = .wideSpectrum
      var paths: [EchoReport.Path] = []
      for start in stride(from: 0, to: count, by: 160) {
        let part = start..<start + 160
        _ = TestCall(frames: 160, microphone: Array(near[part]), farVoice: Array(talk[part]))
          .rendered(by: processor)
        paths.append(processor.echoReport.path)
      }
      let first = paths.firstIndex(of: .absent) ?? paths.count
      XCTAssertLessThan(first, 200, "seed \(seed)")
      XCTAssertEqual(Set(paths[min(first, 1_199)...]), [.absent], "seed \(seed)")
    }
  }

  func test_report_withEcho_hasDelayReturnLossAndReduction() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let far = far(seconds: 5)
    for (delay, gain) in [(0.0, 0.3), (0.15, 0.1), (0.35, 2)] as [(Double, Float)] {
      let microphone = echo(far, delay: delay, gain: gain)
      let report = try report(microphone: microphone, far: far)
      print("echo after \(delay) s with gain \(gain):", report)
      XCTAssertEqual(report.path, .present)
      XCTAssertEqual(try XCTUnwrap(report.delay), delay + 0.002, accuracy: 0.003)
      XCTAssertEqual(
        try XCTUnwrap(report.returnLoss), -20 * log10(Double(gain)), accuracy: 2)
      let cancellation = try XCTUnwrap(report.cancellation)
      XCTAssertGreaterThan(cancellation, 12)
      XCTAssertGreaterThan(try XCTUnwrap(report.reduction), cancellation + 3)
      XCTAssertNil(report.problem)
      XCTAssertNil(report.drift)
      XCTAssertNil(report.lag)
      // Without residual echo suppression, only the linear filter reduces the echo. In bypass, the
      // echo is not reduced.
      let linear = try self.report(microphone: microphone, far: far, mode: .linear)
      XCTAssertEqual(try XCTUnwrap(linear.reduction), cancellation, accuracy: 0.1)
      XCTAssertEqual(
        try self.report(microphone: microphone, far: far, mode: .bypass).reduction, 0)
    }
  }

  func test_report_pathIsUnknownWithoutPlayback_andAbsentWithHeadphones() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let near = try RecordedTalk.samples(160_000)
    var expected = EchoReport()
    XCTAssertEqual(try report(microphone: near), expected)
    expected.path = .absent
    let far = far(seconds: 10)
    let tones = (0..<160_000).map { index -> Float in
      let age = Double(index % 12_800) / rate
      return Float(0.1 * (sin(2 * .pi * 220 * age) + sin(2 * .pi * 277 * age)) * exp(-3 * age))
    }
    for (far, other) in [(far, []), ([], tones), (far, tones)] {
      for seconds in [2, 4, 6, 8, 10] {
        let count = seconds * 16_000
        XCTAssertEqual(
          try report(microphone: Array(near.prefix(count)), far: far, other: other), expected,
          "\(seconds) s")
      }
    }
  }

  func test_report_referenceAfterTheMicrophone_hasTheProblemReferenceIsLate() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    for late in [0.005, 0.05, 0.24] {
      let far = far(seconds: 5)
      let count = Int(late * rate) + 32
      let microphone = echo(far)
      let report = try report(
        microphone: microphone.dropFirst(count) + Signals.silence(count), far: far)
      XCTAssertEqual(report.problem, .referenceIsLate, "by \(late) s: \(report)")
    }
  }

  func test_report_delayBeyondTheSearchRange_hasTheProblemDelayIsTooLong() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    for delay in [0.53, 0.6, 0.7] {
      let far = far(seconds: 5)
      let report = try report(microphone: echo(far, delay: delay), far: far)
      XCTAssertEqual(report.problem, .delayIsTooLong, "\(delay) s: \(report)")
      XCTAssertNil(report.delay)
    }
  }

  func test_reset_clearsTheReport() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    let far = far(seconds: 2)
    _ = TestCall(frames: far.count, microphone: echo(far), farVoice: far).rendered(by: processor)
    XCTAssertNotEqual(processor.echoReport, EchoReport())
    processor.reset()
    XCTAssertEqual(processor.echoReport, EchoReport())
  }

  func test_report_renderingOrCapturingHasStopped_hasAProblemAndNoDrift() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let processor = try VoiceProcessor(sampleRate: rate)
    let silence = Signals.silence(160)
    func run(seconds: Double, renders: Bool = true, captures: Bool = true) {
      for _ in 0..<Int(seconds * 100) {
        if renders { processor.render(farVoice: silence) }
        if captures { processor.capture(microphone: silence) }
      }
    }
    run(seconds: 3)
    XCTAssertNil(processor.echoReport.drift)
    run(seconds: 3)
    XCTAssertEqual(try XCTUnwrap(processor.echoReport.drift), 0, accuracy: 1)
    XCTAssertNil(processor.echoReport.problem)

    run(seconds: 0.9, renders: false)
    XCTAssertNil(processor.echoReport.problem)
    run(seconds: 0.2, renders: false)
    XCTAssertEqual(processor.echoReport.problem, .renderingHasStopped)
    XCTAssertNil(processor.echoReport.drift)
    run(seconds: 6)
    XCTAssertNil(processor.echoReport.problem)
    XCTAssertEqual(try XCTUnwrap(processor.echoReport.drift), 0, accuracy: 1, "measured anew")

    run(seconds: 1.2, captures: false)
    XCTAssertEqual(processor.echoReport.problem, .capturingHasStopped)
    XCTAssertNil(processor.echoReport.drift)
    run(seconds: 7)
    XCTAssertNil(processor.echoReport.problem)
    XCTAssertEqual(try XCTUnwrap(processor.echoReport.drift), 0, accuracy: 1, "measured anew")
    XCTAssertLessThan(
      try XCTUnwrap(processor.echoReport.lag), 0.05, "the reference catches up")
  }
}
