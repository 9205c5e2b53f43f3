import Foundation

/// A random number generator (SplitMix64). The same seed gives the same numbers on every platform.
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Creates a generator with a seed from `name`, so that a case does not depend on other cases.
  init(name: String) {
    var digest = Digest()
    for byte in name.utf8 { digest.add(UInt64(byte)) }
    self.init(seed: digest.value)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func number(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  /// A random number with a uniformly distributed logarithm.
  mutating func logarithmic(_ low: Double, _ high: Double) -> Double {
    low * pow(high / low, number(0, 1))
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func chance(_ probability: Double) -> Bool {
    number(0, 1) < probability
  }

  mutating func pick<T>(_ choices: [T]) -> T {
    choices[integer(0...choices.count - 1)]
  }

  /// White noise within −1…1.
  mutating func noise() -> Float {
    Float(Int32(truncatingIfNeeded: next() >> 32)) * 0x1p-31
  }
}
