import XCTest

@testable import HearingFitting

final class ContentDigestTests: XCTestCase {
  /// The expected hashes are in the test suite of the authors of FNV-1a, for 128 bits.
  func test_text_agreesWithPublishedHashes() {
    let published = [
      "": "6c62272e07bb014262b821756295c58d",
      "a": "d228cb696f1a8caf78912b704e4a8964",
      "foobar": "343e1662793c64bf6f0d3597ba446f18",
    ]
    for (input, output) in published {
      var digest = ContentDigest()
      for byte in input.utf8 { digest.add(byte: byte) }
      XCTAssertEqual(digest.text, output, input)
    }
  }

  func test_add_sameNumbersSplitIntoDifferentLists_givesADifferentDigest() {
    var first = ContentDigest()
    first.add([1.0, 2])
    first.add([3.0])
    var second = ContentDigest()
    second.add([1.0])
    second.add([2.0, 3])
    XCTAssertNotEqual(first, second)
  }

  func test_add_negativeZero_countsAsZero() {
    var first = ContentDigest()
    first.add(0.0)
    var second = ContentDigest()
    second.add(-0.0)
    XCTAssertEqual(first, second)
  }
}
