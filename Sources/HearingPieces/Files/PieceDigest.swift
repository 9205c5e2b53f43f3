package import Foundation
package import HearingAudio
internal import HearingFitting

/// The checksum of a part of a piece. A library compares checksums to detect damaged parts. A
/// checksum also detects damage that does not change the length of a part.
///
///     let digest = try PieceDigest(of: file)
///     digest.text              // "44bc2cf5ad770999"
///
/// The digest algorithm is XXH64 with a seed of 0 (Collet, "xxHash fast digest algorithm",
/// specification 0.1.1). The digest detects accidental damage, but is not cryptographically secure.
package struct PieceDigest: Sendable, Hashable {
  /// The 64 bits of the digest.
  package let rawValue: UInt64

  /// Creates a digest from its 64 bits.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a digest from 16 hexadecimal digits. For any other text, the initializer returns nil.
  package init?(_ text: String) {
    guard text.utf8.count == 16, text.allSatisfy({ $0.isHexDigit }),
      let rawValue = UInt64(text, radix: 16)
    else { return nil }
    self.rawValue = rawValue
  }

  /// Computes the digest of bytes in memory.
  package init(_ bytes: [UInt8]) {
    var hash = DigestAccumulator()
    hash.add(bytes)
    self.init(rawValue: hash.value)
  }

  /// Computes the digest of a regular file. The required memory does not depend on the size of the
  /// file.
  package init(of file: URL) throws(FileAccessError) {
    var hash = DigestAccumulator()
    try FileCopy.read(file) { hash.add($0) }
    self.init(rawValue: hash.value)
  }

  /// The digest as 16 lower-case hexadecimal digits.
  package var text: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension PieceDigest: CustomStringConvertible {
  /// The digest as text.
  package var description: String { text }
}

extension PieceDigest: Codable {
  /// Decodes a string of 16 hexadecimal digits.
  ///
  /// - Throws: `DecodingError` if the string is not a digest. The error contains the coding path of
  ///   the string.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let digest = PieceDigest(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(text.inQuotationMarks) is not a digest of 16 hexadecimal digits")
    }
    self = digest
  }

  /// Encodes the digest as a string.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// Computes an XXH64 digest incrementally.
struct DigestAccumulator {
  private var accumulators: SIMD4<UInt64> = [
    Self.primes.0 &+ Self.primes.1, Self.primes.1, 0, 0 &- Self.primes.0,
  ]
  private var byteCount: UInt64 = 0
  /// The bytes after the last whole stripe. A stripe consists of 32 bytes.
  private var partialStripe: [UInt8] = []

  private static let stripe = 32
  private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )

  mutating func add(_ bytes: [UInt8]) {
    byteCount &+= UInt64(bytes.count)
    let all = partialStripe.isEmpty ? bytes : partialStripe + bytes
    let whole = all.count - all.count % Self.stripe
    // Unsafe: only whole stripes within the array are read.
    unsafe all.withUnsafeBytes { all in
      for offset in stride(from: 0, to: whole, by: Self.stripe) {
        let input = unsafe all.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
        for index in 0..<4 {
          accumulators[index] = Self.round(accumulators[index], UInt64(littleEndian: input[index]))
        }
      }
    }
    partialStripe = Array(all[whole...])
  }

  /// The digest of all bytes that were passed to `add`.
  var value: UInt64 {
    var hash: UInt64
    if byteCount >= UInt64(Self.stripe) {
      hash =
        Self.rotated(accumulators[0], 1) &+ Self.rotated(accumulators[1], 7)
        &+ Self.rotated(accumulators[2], 12) &+ Self.rotated(accumulators[3], 18)
      for index in 0..<4 {
        hash = (hash ^ Self.round(0, accumulators[index])) &* Self.primes.0 &+ Self.primes.3
      }
    } else {
      hash = Self.primes.4
    }
    hash &+= byteCount
    var left = partialStripe[...]
    while left.count >= 8 {
      hash ^= Self.round(0, Self.number(left.prefix(8)))
      hash = Self.rotated(hash, 27) &* Self.primes.0 &+ Self.primes.3
      left = left.dropFirst(8)
    }
    if left.count >= 4 {
      hash ^= Self.number(left.prefix(4)) &* Self.primes.0
      hash = Self.rotated(hash, 23) &* Self.primes.1 &+ Self.primes.2
      left = left.dropFirst(4)
    }
    for byte in left {
      hash = Self.rotated(hash ^ UInt64(byte) &* Self.primes.4, 11) &* Self.primes.0
    }
    hash = (hash ^ hash >> 33) &* Self.primes.1
    hash = (hash ^ hash >> 29) &* Self.primes.2
    return hash ^ hash >> 32
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func round(_ accumulator: UInt64, _ input: UInt64) -> UInt64 {
    rotated(accumulator &+ input &* primes.1, 31) &* primes.0
  }

  private static func rotated(_ number: UInt64, _ bits: UInt64) -> UInt64 {
    number << bits | number >> (64 - bits)
  }
}
