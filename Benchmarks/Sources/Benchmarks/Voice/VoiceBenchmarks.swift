import HearingDSP
import HearingVoice

/// The cost of voice activity detection for several sample rates and block sizes.
enum VoiceBenchmarks {
  static func run() throws {
    print("Voice activity detection: ns a sample, mono")
    var table = Table("rate", "block", "at most", "best", "median", "CPU s/s")
    for rate in [8_000.0, 16_000, 44_100, 48_000] {
      for block in [1, 64, 480] where block != 1 || rate == 16_000 {
        let cost = try cost(rate: rate, block: block)
        table.add(
          "\(Int(rate))", "\(block)", rate == 16_000 && block > 1 ? "15" : "–",
          cost.best.digits(2), cost.median.digits(2), (cost.median * rate / 1e9).digits(6))
      }
    }
    table.print()
  }

  private static func cost(rate: Double, block: Int) throws -> Measurement {
    var state: UInt32 = 1
    let count = Int(rate) * 4 / block * block
    // The sound consists of noise bursts, so that every stage of the detector is active.
    let sound = (0..<count).map { index -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Float(Int32(bitPattern: state)) * 0x1p-31
      return noise * (index % Int(rate / 4) < Int(rate / 8) ? 0.1 : 0.005)
    }
    var detector = try VoiceActivityDetector(sampleRate: rate)
    var voices = 0
    let result = Measurement.nanoseconds(rounds: 9, operations: count) {
      sound.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        for start in stride(from: 0, to: count, by: block) {
          detector.process(base + start, frameCount: block) { voices += $0.isVoice ? 1 : 0 }
        }
      }
    }
    keep(voices)
    return result
  }
}
