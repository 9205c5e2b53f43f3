import HearingPieces
import TestSupport
import XCTest

@testable import HearingPieces

final class PieceDigestTests: XCTestCase {
  func test_digestsOfKnownStrings_matchTheReferenceImplementation() {
    // The expected hashes were computed with xxhsum 0.8.
    let cases = [
      ("", "ef46db3751d8e999"), ("a", "d24ec4f1a98c6e5b"), ("abc", "44bc2cf5ad770999"),
    ]
    for (text, digest) in cases {
      XCTAssertEqual(PieceDigest(Array(text.utf8)).text, digest, text)
    }
  }

  func test_chunkSize_doesNotChangeTheDigest() {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for step in [1, 3, 31, 32, 33, 500] {
      var hash = DigestAccumulator()
      for start in stride(from: 0, to: bytes.count, by: step) {
        hash.add(Array(bytes[start..<min(start + step, bytes.count)]))
      }
      XCTAssertEqual(hash.value, PieceDigest(bytes).rawValue, "\(step)")
    }
  }

  func test_flippingAnyBit_changesTheDigest() {
    let bytes = [UInt8](repeating: 0, count: 77)
    var digests: Set<PieceDigest> = [PieceDigest(bytes)]
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      XCTAssertTrue(digests.insert(PieceDigest(changed)).inserted, "bit \(bit)")
    }
  }

  func test_text_roundTrips_andInvalidTextIsRejected() {
    XCTAssertEqual(PieceDigest("00000000000000ff")?.rawValue, 255)
    XCTAssertEqual(PieceDigest(rawValue: 255).text, "00000000000000ff")
    for text in ["", "ff", "00000000000000fg", "+000000000000ff1", "00000000000000ff0"] {
      XCTAssertNil(PieceDigest(text), text)
    }
  }
}
