import Foundation

/// The text encoding of a document: UTF-8 or UTF-16. The first bytes of the document determine the
/// encoding.
package enum TextEncoding {
  /// Detects the encoding from the byte order mark, or from the positions of zero bytes among the
  /// first four bytes. Also returns the length of the byte order mark in bytes.
  static func detect(in bytes: [UInt8]) -> (encoding: String.Encoding, markLength: Int) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    switch bytes.prefix(4).map({ $0 == 0 }) {
    case [true, false, true, false]: return (.utf16BigEndian, 0)
    case [false, true, false, true]: return (.utf16LittleEndian, 0)
    default: return (.utf8, 0)
    }
  }

  /// The text of a whole document, without the byte order mark.
  package static func text(of bytes: [UInt8]) throws(UnreadableDocument) -> String {
    let (encoding, markLength) = detect(in: bytes)
    let content = bytes.dropFirst(markLength)
    guard encoding == .utf8 || content.count.isMultiple(of: 2) else {
      throw .malformed(reason: "UTF-16 with an odd number of bytes")
    }
    if let text = String(bytes: content, encoding: encoding) { return text }
    throw .malformed(
      reason: encoding == .utf8 ? "line \(firstBrokenLine(of: content)): not UTF-8" : "not UTF-16")
  }

  /// The number of the first line that is not valid UTF-8. Lines are counted from 1.
  private static func firstBrokenLine(of bytes: ArraySlice<UInt8>) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? lines.count)
  }
}
