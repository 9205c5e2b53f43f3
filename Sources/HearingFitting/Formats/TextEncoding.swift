/// The text encoding of a document, detected from its first bytes.
enum TextEncoding: Sendable, Equatable {
  case utf8
  case utf16(isBigEndian: Bool)

  /// Detects the encoding from the byte order mark, or from the zero bytes around the first
  /// character. Also returns the length of the byte order mark in bytes.
  static func detect(in bytes: [UInt8]) -> (encoding: TextEncoding, markLength: Int) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    guard bytes.count >= 4 else { return (.utf8, 0) }
    switch (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
    case (true, false, true, false): return (.utf16(isBigEndian: true), 0)
    case (false, true, false, true): return (.utf16(isBigEndian: false), 0)
    default: return (.utf8, 0)
    }
  }

  /// The text of a whole document, without the byte order mark.
  static func text(of bytes: [UInt8]) throws(UnreadableDocument) -> String {
    let (encoding, markLength) = detect(in: bytes)
    switch encoding {
    case .utf8:
      let rest = bytes.dropFirst(markLength)
      guard let text = String(validating: rest, as: UTF8.self) else {
        throw .malformed(reason: "line \(firstBrokenLine(of: rest)): not UTF-8")
      }
      return text
    case .utf16(let isBigEndian):
      guard bytes.count.isMultiple(of: 2) else {
        throw .malformed(reason: "UTF-16 with an odd number of bytes")
      }
      let units = stride(from: markLength, to: bytes.count, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw .malformed(reason: "not UTF-16")
      }
      return text
    }
  }

  /// The number of the first line, counted from 1, that is not valid UTF-8.
  private static func firstBrokenLine(of bytes: ArraySlice<UInt8>) -> Int {
    var line = 1
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard String(validating: part, as: UTF8.self) != nil else { break }
      line += 1
    }
    return line
  }
}
