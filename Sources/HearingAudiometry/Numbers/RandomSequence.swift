/// A reproducible sequence of random numbers: SplitMix64 (Steele, Lea & Flood 2014).
struct RandomSequence: RandomNumberGenerator, Sendable, Hashable, Codable {
  private var state: UInt64

  /// Creates the sequence for a seed.
  init(seed: UInt64) {
    state = seed
  }

  /// Creates the sequence for one presentation of a test. `step` is the number of earlier
  /// presentations. The sequence depends only on `seed` and `step`.
  init(seed: UInt64, step: Int) {
    state = seed &+ UInt64(truncatingIfNeeded: step) &* 0xD134_2543_DE82_EF95
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A random number from 0 (inclusive) to 1 (exclusive).
  mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A uniformly distributed random number within a range.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// A random number with a normal distribution, mean 0 and standard deviation 1 (Box & Muller
  /// 1958).
  mutating func normal() -> Double {
    let radius = (-2 * CMath.logarithm(1 - unit())).squareRoot()
    return radius * CMath.cosine(2 * .pi * unit())
  }
}
