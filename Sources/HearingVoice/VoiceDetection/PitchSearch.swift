internal import HearingDSP
internal import HearingBuffers

/// Finds the pitch period of a signal, for a pitch of 70…360 Hz, and measures how periodic the
/// signal is.
///
/// The method is a normalised cross-correlation of the last 30 ms with the signal one period
/// earlier. Before the correlation, the signal is resampled to 4 kHz and slightly pre-emphasised.
/// Multiples of the true period also have a high correlation. Therefore, if several periods have
/// nearly equal correlations, the shortest of these periods is chosen.
struct PitchSearch: ~Copyable {
  /// The number of samples in each correlated window, at 4 kHz.
  private static let windowLength = 120

  /// The shortest period for which the correlation is computed, in samples at 4 kHz. A pitch period
  /// must be longer than this shortest period.
  private static let shortest = 10
  /// The longest period for which the correlation is computed, in samples at 4 kHz. A pitch period
  /// must be shorter than this longest period.
  private static let longest = 57

  private static let historyLength = 180

  /// The signal at 4 kHz.
  private let sound = OwnedRow<Float>.filled(0, count: historyLength)
  /// The normalised correlation of each period.
  private let similarity = OwnedRow<Float>.filled(0, count: 48)
  /// For each period, the four partial sums of its correlation.
  private let products = OwnedRow<Float>.filled(0, count: 4 * 48)

  /// The maximum of the normalised correlations of all periods, 0…1.
  private(set) var strength: Float = 0
  /// The logarithm to base 2 of the pitch period. The period is in samples at 4 kHz.
  private(set) var period: Float = 0

  /// The last sample of the signal at 4 kHz before pre-emphasis.
  private var last: Float = 0

  mutating func reset() {
    sound.fill(0)
    (last, strength, period) = (0, 0, 0)
  }

  /// Adds 80 samples at 8 kHz. The nine samples before these 80 samples must be readable.
  mutating func add(_ samples: Row<Float>) {
    for index in 0..<(Self.historyLength - 40) { sound[index] = sound[index + 40] }
    let fresh = sound.from(Self.historyLength - 40)
    for index in 0..<40 {
      // The filter is a half-band low-pass of 11 taps with a delay of five samples. Pre-emphasis
      // follows.
      let s = samples.from(2 * index - 9)
      let far = (s[0] + s[10]) * 0.012
      let near = (s[2] + s[8]) * -0.062
      let next = (s[4] + s[6]) * 0.302
      let low = far + near + next + s[5] * 0.5
      fresh[index] = low - 0.6 * last
      last = low
    }
    search()
  }

  private mutating func search() {
    let now = sound.from(Self.historyLength - Self.windowLength)
    let energy = now.energy(count: Self.windowLength)
    // For each period, the current window is compared with an earlier window. The energy of the
    // earlier window is updated from period to period: one sample is added, and one sample is
    // removed. If the earlier window is silent and the current window is loud, the energy of the
    // earlier window consists of rounding errors. The constant `minimumEnergy` prevents a high
    // correlation that is caused by rounding errors.
    var earlier: Float = energy
    let minimumEnergy = 1e-5 * energy
    for lag in 1..<Self.shortest {
      earlier += square(-lag, now) - square(Self.windowLength - lag, now)
    }
    // Correlates the current window with eight earlier windows, which begin `lag`…`lag + 7` samples
    // earlier.
    for lag in stride(from: Self.shortest, through: Self.longest, by: 8) {
      var sums = EightSums()
      for index in groupStarts(Self.windowLength) {
        sums.add(now, at: index - lag, step: -1, times: now.float4(at: index))
      }
      sums.write(to: products.from(4 * (lag - Self.shortest)))
    }
    // The four partial sums are added in a separate loop. If they were added in the loop above, the
    // compiler would split the SIMD vectors of that loop.
    for lag in Self.shortest...Self.longest {
      let offset = lag - Self.shortest
      earlier += square(-lag, now) - square(Self.windowLength - lag, now)
      similarity[offset] = max(earlier, minimumEnergy) * energy
      products[offset] = products.float4(at: 4 * offset).sum()
    }
    for offset in groupStarts(48) {
      let squares = similarity.float4(at: offset).larger(Float4(repeating: 1e-18))
      let root = (squares.binaryLogarithm * -0.5).powerOfTwo
      similarity.setFloat4(products.float4(at: offset) * root, at: offset)
    }
    choose()
  }

  private func square(_ index: Int, _ samples: Row<Float>) -> Float {
    samples[index] * samples[index]
  }

  /// Chooses the shortest period with a correlation that is a local maximum and at least 85 % of
  /// the maximum over all periods.
  private mutating func choose() {
    var best: Float = 0
    for index in 0..<48 where similarity[index] > best { best = similarity[index] }
    strength = best
    guard best > 0 else { return }
    for index in 1..<47 {
      let (before, value) = (similarity[index - 1], similarity[index])
      let after = similarity[index + 1]
      guard value >= 0.85 * best, value >= before, value >= after else { continue }
      let bend = before - 2 * value + after
      let shift = bend < -1e-6 ? 0.5 * (before - after) / bend : 0
      period = Float4(repeating: Float(index + Self.shortest) + shift).binaryLogarithm[0]
      return
    }
  }
}
