import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Both sides talk, and the microphone contains echo. Tests that the output is bit-identical for
/// all block sizes.
final class DoubleTalkBlockTests: XCTestCase {
  private let mixed = [1, 64, 7, 480, 160, 4_096, 333]

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// Renders a call of 10 s once for each entry of `splits`, which contains block sizes. Compares
  /// each output with the output for blocks of 4,096 frames.
  private func check(_ mode: MicrophoneMode, rate: Double, splits: [[Int]]) throws {
    let seconds = 10.0
    let count = Int(rate * seconds)
    let far = SyntheticVoice.speech(seconds: seconds, rate: rate, seed: 81, pitch: 120)
    let near = SyntheticVoice.speech(seconds: seconds, rate: rate, seed: 82, pitch: 210)
    let echo = Signals.delayed(far, by: Int(0.03 * rate)).map { 0.5 * $0 }
    let call = TestCall(frames: count, microphone: Signals.sum(echo, near), farVoice: far)
    func uplink(_ blocks: [Int]) throws -> Signals.Bits {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = mode
      processor.echoPath = EchoPath(suppression: 0.3, raisesSuppression: true)
      return Signals.bits(call.rendered(by: processor, blocks: blocks).uplink)
    }
    let whole = try uplink([4_096])
    for blocks in splits {
      XCTAssertTrue(try uplink(blocks) == whole, "\(mode), \(blocks) at \(rate)")
    }
  }

  func test_everyMode_anyBlockSizes_giveTheSameUplinkBits() throws {
    for mode in [MicrophoneMode.standard, .voiceIsolation, .wideSpectrum, .linear, .bypass] {
      // In a debug build, the test is too slow for all block sizes in all modes.
      #if DEBUG
        try check(mode, rate: 16_000, splits: mode == .standard ? [[1], [160], mixed] : [mixed])
      #else
        for rate in [16_000.0, 48_000] {
          try check(mode, rate: rate, splits: [[1], [64], [160], [480], mixed])
        }
        // At these rates, 5 ms and 10 ms are not whole numbers of samples.
        for rate in [11_025.0, 44_100] { try check(mode, rate: rate, splits: [[1], mixed]) }
      #endif
    }
  }

  func test_voiceIsolation_at44100Hz_mixedBlockSizes_giveTheSameUplinkBits() throws {
    try check(.voiceIsolation, rate: 44_100, splits: [mixed])
  }
}
