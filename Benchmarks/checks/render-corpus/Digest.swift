/// A 64-bit digest of bit patterns: FNV-1a over words instead of bytes.
///
/// Adding a word is a bijection of the digest. Therefore a single different word always changes the
/// digest.
struct Digest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01B3
    value ^= value >> 29
  }

  mutating func add(_ number: Float) {
    add(UInt64(number.bitPattern))
  }

  mutating func add(_ number: Double) {
    add(number.bitPattern)
  }

  mutating func add(_ number: Int) {
    add(UInt64(bitPattern: Int64(number)))
  }

  mutating func add(_ flag: Bool) {
    add(flag ? 1 as UInt64 : 0)
  }

  mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    for index in 0..<count { add(samples[index]) }
  }
}
