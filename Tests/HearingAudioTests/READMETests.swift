import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing
import TestSupport
import XCTest

/// Compiles and runs the code in the README.
final class READMETests: XCTestCase {
  func test_codeInTheREADME_works() async throws {
    defer { ProcessingController.shared.deactivate() }
    let frameCount = 512
    let frames = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frameCount)
    defer { frames.deallocate() }
    frames.initialize(repeating: 1e-4, count: 2 * frameCount)
    // begin
    let source = DefaultPresetDataSource(
      fitting: .techLevel(2), profile: HearingProfile(left: .n3, right: .n2))
    let session = try ProcessingController.shared.activate(presetDataSource: .default(source))
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let binding = session.bind(to: processor)  // the processor follows the session while it lives

    let preset = try await session.preset.reload().get()
    session.isEnabled.apply(true)

    // on the audio thread
    processor.processInterleaved(frames, frameCount: frameCount)
    // end
    XCTAssertEqual(preset?.rule, "nal-rp")
    XCTAssertNotEqual(frames[1_000], 1e-4)
    XCTAssertEqual(binding.settingsInForce, processor.settingsPublished)
  }

  func test_README_printsTheCodeOfThisTest() throws {
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
