import Foundation

/// Where in level the sound of each band is, from moments of 10 ms.
///
/// Speech is soft most of the time, but its energy, and with it the gain that is heard, is in the
/// loud moments. So the level of each moment counts by its energy.
struct BandMoments {
  private var energies: [[Double]]
  private var weighted: [[Double]]

  /// Nothing yet.
  init(channelCount: Int, bandCount: Int) {
    energies = Array(repeating: Array(repeating: 0, count: bandCount), count: channelCount)
    weighted = energies
  }

  /// Adds a moment: its levels in dB SPL, `[channel][band]`.
  mutating func add(_ levels: [[Double]]) {
    for (channel, levels) in levels.enumerated() {
      for (band, level) in levels.enumerated() {
        let energy = pow(10, level / 10)
        energies[channel][band] += energy
        weighted[channel][band] += energy * level
      }
    }
  }

  /// The mean of the moments' levels in dB SPL, by energy; nil before the first.
  func level(channel: Int, band: Int) -> Double? {
    let energy = energies[channel][band]
    return energy > 0 ? weighted[channel][band] / energy : nil
  }
}
