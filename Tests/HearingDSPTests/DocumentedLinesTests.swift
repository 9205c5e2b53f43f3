import Foundation
import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Compiles and runs the code of the documentation's articles.
final class DocumentedLinesTests: XCTestCase {
  func test_codeOfTheOverview_runsAsDescribed() throws {
    let frames = UnsafeMutablePointer<Float>.allocate(capacity: 1_024)
    defer { frames.deallocate() }
    frames.initialize(repeating: 1e-3, count: 1_024)
    // begin
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))

    // On any thread. The gains are in dB, at the ten audiometric frequencies, for left and right.
    try processor.apply(
      ProcessorSettings(
        gains: [[0, 9, 14, 20, 21, 21, 21, 23, 24, 24], [0, 5, 8, 10, 12, 14, 15, 18, 20, 20]],
        outputCeiling: 105))

    // On the audio thread. Processes any number of frames in place.
    processor.processInterleaved(frames, frameCount: 512)
    // end
    XCTAssertNotEqual(frames[100], 1e-3)
    // begin
    let curve = try BandCurve(
      points: [.init(level: 45, gain: 25), .init(level: 90, gain: 5)], attackTime: 0.005,
      releaseTime: 0.1, maximumOutput: 100)
    var settings = ProcessorSettings(
      curves: Array(repeating: Array(repeating: curve, count: 10), count: 2))
    settings.channelLinking = 1
    try processor.apply(settings)
    // end
    processor.processInterleaved(frames, frameCount: 512)
    XCTAssertEqual(processor.settingsInForce, 2)
    // begin
    let levels = processor.levels
    if levels.channels[0].limiterReduction > 0 { print("louder than the ceiling allows") }
    // end
    XCTAssertEqual(levels.channels[0].limiterReduction, 0)
  }

  func test_apply_whileAnotherThreadRenders_publishesEverySetting() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let isRunning = Flag()
    isRunning.isSet = true
    let isDone = Flag()
    let body: @Sendable () -> Void = {
      let frames = UnsafeMutablePointer<Float>.allocate(capacity: 128)
      defer { frames.deallocate() }
      frames.initialize(repeating: 1e-3, count: 128)
      while isRunning.isSet { processor.processInterleaved(frames, frameCount: 64) }
      isDone.isDone = true
    }
    Thread(block: body).start()
    // begin
    // Any thread, while another one renders.
    for gain in 0..<40 {
      let gains = Array(repeating: Double(gain), count: 10)
      try processor.apply(ProcessorSettings(gains: [gains, gains]))
    }
    // end
    isRunning.isSet = false
    while !isDone.isDone { sched_yield() }
    XCTAssertEqual(processor.settingsPublished, 40)
  }

  func test_levelsAndCurves_matchTheDocumentedValues() throws {
    // begin
    let calibration = Calibration(fullScaleSPL: 112)
    let peak = calibration.peakAmplitude(ofSineAt: 94)  // 0.178, of full scale
    // end
    XCTAssertEqual(peak, 0.178, accuracy: 0.0005)
    // begin
    let steady = try BandCurve(
      points: [.init(level: 40, gain: 30), .init(level: 100, gain: 0)], attackTime: 0.005,
      releaseTime: 0.1)
    let gain = steady.gain(at: 70)  // 15 dB
    // end
    XCTAssertEqual(gain, 15, accuracy: 1e-12)
  }

  func test_articles_containExactlyTheCodeCompiledInThisFile() throws {
    let folder = DocumentedLines.page("Sources/HearingDSP/HearingDSP.docc", from: #filePath)
    let articles = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "md" }
    XCTAssertEqual(
      try articles.flatMap(DocumentedLines.printed).sorted(),
      try DocumentedLines.compiled(in: #filePath).sorted())
  }
}
