internal import HearingDSP

extension NarrowbandResampler {
  /// Zero crossings of the sinc on either side.
  private static var crossings: Double {
    @_noLocks @_noAllocation @inline(__always) get { 8 }
  }
  /// Where the sinc cuts off, as a share of 8 kHz.
  private static var cutoff: Double {
    @_noLocks @_noAllocation @inline(__always) get { 0.46 }
  }

  /// Coefficients of one filter at a rate.
  static func tapCount(sampleRate: Double) -> Int {
    guard sampleRate > 8_000 else { return 1 }
    let length = 2 * crossings / (2 * cutoff) * sampleRate / 8_000
    return (Int(length) + 4) / 4 * 4
  }

  /// Numbers that are kept.
  static func storage(sampleRate: Double) -> Int {
    tapCount(sampleRate: sampleRate) * (phaseCount + 1) + 4 * frameLength
  }

  /// Fills the filters.
  func design() {
    for phase in 0...Self.phaseCount {
      let filter = filters + phase * tapCount
      var sum = 0.0
      let middle = Double(tapCount) / 2 - 0.5
      let late = Double(phase) / Double(Self.phaseCount)
      for tap in 0..<tapCount {
        // The place looked at lies `late` samples before the last one.
        let distance = Double(tap) - middle + late - 0.5
        let x = distance / (Double(tapCount) / 2 + 0.5)
        let window = abs(x) < 1 ? 0.5 + 0.5 * Elementary.cosine(.pi * x) : 0
        let angle = 2 * .pi * Self.cutoff * distance / step
        let sinc = abs(angle) < 1e-9 ? 1 : Elementary.cosine(angle - .pi / 2) / angle
        filter[tap] = Float(window * sinc)
        sum += Double(filter[tap])
      }
      for tap in 0..<tapCount { filter[tap] = Float(Double(filter[tap]) / sum) }
    }
  }
}
