/// A small, fast, reproducible random number generator (SplitMix64, Steele, Lea & Flood 2014).
///
/// A test prints its seed, so that a failure can be reproduced:
///
///     let seed = SeededGenerator.freshSeed()
///     print("seed \(seed)")
///     var generator = SeededGenerator(seed: seed)
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator. Equal seeds give equal sequences of numbers.
  public init(seed: UInt64) {
    state = seed
  }

  /// A new random seed for a test.
  public static func freshSeed() -> UInt64 {
    UInt64.random(in: .min ... .max)
  }

  /// The next 64 uniformly distributed bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
