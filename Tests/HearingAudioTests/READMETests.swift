import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing
import TestSupport
import XCTest

/// Compiles and runs the code in the README.
final class READMETests: XCTestCase {
  func test_codeInTheREADME_compilesAndAmplifiesATone() async throws {
    defer { ProcessingController.shared.deactivate() }
    let frameCount = 512
    let frames = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frameCount)
    defer { frames.deallocate() }
    let tone = (0..<2 * frameCount).map { (index: Int) -> Float in
      0.01 * sin(0.4 * Float(index / 2))
    }
    frames.initialize(from: tone, count: tone.count)
    // begin
    let source = DefaultPresetDataSource(
      fitting: .techLevel(3), profile: HearingProfile(left: .n3, right: .n2))
    let session = try ProcessingController.shared.activate(presetDataSource: .default(source))
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let binding = session.bind(to: processor)  // keep it: the processor then follows the session

    let preset = try await session.preset.reload().get()
    session.isEnabled.apply(true)

    // on the audio thread
    processor.processInterleaved(frames, frameCount: frameCount)
    // end
    XCTAssertEqual(preset?.rule, "comfortable-speech")
    let end = 900..<1_000
    XCTAssertGreaterThan(
      end.map { abs(frames[$0]) }.max() ?? 0, 1.2 * (end.map { abs(tone[$0]) }.max() ?? 0))
    XCTAssertEqual(binding.settingsInForce, processor.settingsPublished)
  }

  func test_README_containsExactlyTheCodeCompiledInThisFile() throws {
    let imports = """
      import HearingAudio
      import HearingDSP
      import HearingProcessing


      """
    XCTAssertEqual(
      try DocumentedLines.printed(on: DocumentedLines.page("README.md", from: #filePath)),
      try DocumentedLines.compiled(in: #filePath).map { imports + $0 })
  }
}
