/// A 128-bit digest of content. Equal contents have equal digests in every run of a program and on
/// every platform. The algorithm is FNV-1a (Fowler, Noll & Vo), with the offset basis and the prime
/// for 128 bits.
///
/// Different contents almost certainly have different digests, but the digest is not
/// cryptographically secure.
package struct ContentDigest: Sendable, Equatable {
  private var state: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

  private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B

  package init() {}

  /// The digest as 32 lower-case hexadecimal digits.
  package var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  mutating func add(byte: UInt8) { state = (state ^ UInt128(byte)) &* Self.prime }

  /// Adds an integer as eight bytes, little-endian.
  mutating func add(_ number: UInt64) {
    for index in 0..<UInt64(8) { add(byte: UInt8(truncatingIfNeeded: number &>> (8 * index))) }
  }

  /// Adds the bit pattern of a number. The number -0 counts as 0.
  mutating func add(_ number: Double) { add((number == 0 ? 0 : number).bitPattern) }

  /// Adds the number of elements of a list, and then the elements. Without the number of elements,
  /// the lists [1] and [2] would give the same digest as the lists [1, 2] and [].
  mutating func add(_ numbers: [Double]) {
    add(UInt64(numbers.count))
    for number in numbers { add(number) }
  }

  /// Adds the length and the UTF-8 bytes of a text.
  package mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    for byte in text.utf8 { add(byte: byte) }
  }

  /// Adds another digest.
  mutating func add(_ other: ContentDigest) {
    add(UInt64(truncatingIfNeeded: other.state))
    add(UInt64(truncatingIfNeeded: other.state >> 64))
  }
}
