import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests near-end talk while the loudspeaker plays. Residual echo suppression is on.
final class DoubleTalkTests: XCTestCase {
  private let rate = 16_000.0

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// The gains of near-end talk in dB, in ascending order. Each gain is for a frame of 20 ms.
  /// Frames with soft near-end talk are skipped.
  private func gains(
    ratio: Double, seed: UInt64, talk: Range<Double> = 8..<20, counted: Range<Double> = 8..<20
  ) throws -> [Double] {
    var generator = SeededGenerator(seed: seed)
    var scene = EchoScene(rate: rate, seconds: talk.upperBound, talk: talk, using: &generator)
    let factor = Float(Signals.amplitude(decibels: ratio))
    for index in scene.near.indices { scene.near[index] *= factor }
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
    let result = TestCall(
      frames: scene.far.count, microphone: scene.microphone, farVoice: scene.far
    ).rendered(by: processor)
    let (latency, frame) = (160, 320)
    let end = min(Int(counted.upperBound * rate), scene.near.count - latency - frame)
    let starts = stride(from: Int(counted.lowerBound * rate), to: end, by: frame)
    let powers = starts.map { Signals.power(scene.near[$0..<$0 + frame]) }
    let loud = 0.01 * (powers.max() ?? 0)
    return zip(starts, powers).filter { $1 > loud }.map { start, power in
      let heard = Signals.power(result.uplink[start + latency..<start + latency + frame])
      return 10 * log10((heard + 1e-20) / power)
    }.sorted()
  }

  func test_nearTalk_duringFarTalk_isNotSuppressedAsEcho() throws {
    for (ratio, minimumRare, minimumMedian) in [(0.0, -3.0, -0.3), (10, -0.5, -0.1)] {
      for seed in 91...94 as ClosedRange<UInt64> {
        let gains = try gains(ratio: ratio, seed: seed)
        let (rare, median) = (gains[gains.count / 20], gains[gains.count / 2])
        print("near \(ratio) dB, seed \(seed): 5 % below \(rare) dB, median \(median) dB")
        XCTAssertGreaterThan(rare, minimumRare, "near \(ratio) dB, seed \(seed)")
        XCTAssertGreaterThan(median, minimumMedian, "near \(ratio) dB, seed \(seed)")
      }
    }
  }

  /// While the echo filter converges, its error resembles the playback. Nevertheless, most near-end
  /// talk must pass. A frame is lost if its gain is below −10 dB. Here, 13 % of the frames are
  /// lost. If the suppressor ignored how well the filter fits the echo, 31 % would be lost.
  func test_nearTalk_whileTheFilterConverges_losesFewerThan14PercentOfItsFrames() throws {
    var lost = 0
    var all: [Double] = []
    for seed in 91...98 as ClosedRange<UInt64> {
      let gains = try gains(ratio: 0, seed: seed, talk: 0..<5, counted: 0.5..<4)
      let some = gains.prefix { $0 < -10 }.count
      print("near talk from the first frame, seed \(seed): \(some) of \(gains.count) lost")
      lost += some
      all += gains
    }
    all.sort()
    let (count, median) = (all.count, all[all.count / 2])
    print("near talk from the first frame: \(lost) of \(count) lost, median \(median) dB")
    XCTAssertGreaterThan(count, 500)
    XCTAssertLessThan(Double(lost), 0.14 * Double(count))
    XCTAssertGreaterThan(median, -0.2)
  }
}
