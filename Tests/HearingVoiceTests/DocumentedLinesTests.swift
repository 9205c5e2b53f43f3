import Foundation
import HearingDSP
import HearingVoice
import TestSupport
import XCTest

/// Compiles and runs the code of the documentation's articles.
final class DocumentedLinesTests: XCTestCase {
  func test_codeInTheArticles_compilesAndRuns() throws {
    let frameCount = 480
    let memory = (0..<8).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frameCount) }
    for row in memory { row.initialize(repeating: 0, count: frameCount) }
    defer { for row in memory { row.deallocate() } }
    try cancelAndDetect(microphone: memory[0], playback: memory[1])
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 6)
    for row in 0..<6 { (rows + row).initialize(to: memory[row + 2]) }
    defer { rows.deallocate() }
    let (microphone, uplink) = (UnsafePointer(memory[0]), memory[1])
    let voices = UnsafePointer(rows)
    let music = UnsafePointer(rows + 2)
    let playback = UnsafePointer(rows + 4)
    let listenersProcessor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    // begin
    let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listenersProcessor)
    processor.otherAudioDucking = OtherAudioDuckingConfiguration(
      enableAdvancedDucking: true, duckingLevel: .mid)
    processor.isVoiceActivityDetectionEnabled = true

    // on the audio thread
    processor.process(
      microphone: microphone, farVoice: voices, otherAudio: music,
      uplink: uplink, playback: playback, frameCount: frameCount)

    // anywhere else
    processor.isMuted = true
    // end
    XCTAssertTrue(processor.isMuted)
    XCTAssertEqual(processor.otherAudioDucking.duckingLevel, .mid)
  }

  private func cancelAndDetect(
    microphone: UnsafeMutablePointer<Float>, playback: UnsafePointer<Float>
  ) throws {
    // begin
    var canceller = try EchoCanceller(sampleRate: 16_000)
    canceller.process(microphone, reference: playback, frameCount: 160)
    // end
    let samples = UnsafePointer(microphone)
    // begin
    var detector = try VoiceActivityDetector(sampleRate: 48_000)
    var state = VoiceState()
    detector.process(samples, frameCount: 480) { decision in
      if state.add(isVoice: decision.isVoice) == .started { print("talk") }
    }
    // end
    XCTAssertFalse(state.isTalking)
  }

  func test_articles_containExactlyTheCodeCompiledInThisFile() throws {
    let folder = DocumentedLines.page("Sources/HearingVoice/HearingVoice.docc", from: #filePath)
    let articles = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "md" }
    XCTAssertEqual(
      try articles.flatMap(DocumentedLines.printed).sorted(),
      try DocumentedLines.compiled(in: #filePath).sorted())
  }
}
