import Foundation

/// Detects the format of a document from the first bytes, and reads the document.
enum DocumentReader {
  static func profiles(from source: DocumentBytes) throws(UnreadableDocument) -> [ImportedProfile] {
    let head = try source.next(4096)
    try rejectOtherFiles(head)
    let (encoding, markLength) = TextEncoding.detect(in: head)
    let content = head[markLength...]
    if encoding == .utf8, content.first(where: { !MarkupScanner.isSpace($0) }) == UInt8(ascii: "<")
    {
      return try HealthExport.profiles(head: Array(content), source: source)
    }
    let limit = JSONDocument.maximumSize
    let bytes = head + (try source.next(limit + 1 - head.count))
    guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
    let text = try TextEncoding.text(of: bytes)
    switch text.first(where: { !$0.isWhitespace }) {
    case nil: throw .unknownFormat(hint: "it is empty")
    case "<":
      return try HealthExport.profiles(head: Array(text.utf8), source: nil)
    case "{", "[":
      return try profiles(json: Data(text.utf8))
    default:
      return [try CSVDocument(text).profile()]
    }
  }

  private static func profiles(json data: Data) throws(UnreadableDocument) -> [ImportedProfile] {
    let keys = try JSONDocument.keys(in: data)
    if keys.contains("resourceType") { return try FHIRDocument.profiles(in: data) }
    guard keys.contains("format") else {
      throw .unknownFormat(hint: "JSON with neither \"resourceType\" nor \"format\"")
    }
    let profile = try HearingProfile(json: data)
    guard profile.left != nil || profile.right != nil else {
      throw .noAudiogram(reason: "the hearing profile contains no audiogram")
    }
    let time = profile.measuredAt.map { ISO8601Text.text(forSeconds: $0.timeIntervalSince1970) }
    let day = time.flatMap { CalendarDay(String($0.prefix(10))) }
    return [ImportedProfile(profile: profile, day: day, position: "")]
  }

  /// Rejects files of some common formats that are not supported. The error names the format.
  private static func rejectOtherFiles(_ head: [UInt8]) throws(UnreadableDocument) {
    let kinds: [(start: [UInt8], hint: String)] = [
      ([0x50, 0x4B, 3, 4], "a ZIP archive; unpack it and use the file inside, such as export.xml"),
      ([0x25, 0x50, 0x44, 0x46], "a PDF"),
      ([0x89, 0x50, 0x4E, 0x47], "a picture"),
      ([0xFF, 0xD8, 0xFF], "a picture"),
    ]
    if let kind = kinds.first(where: { head.starts(with: $0.start) }) {
      throw .unknownFormat(hint: "it is \(kind.hint)")
    }
  }
}
