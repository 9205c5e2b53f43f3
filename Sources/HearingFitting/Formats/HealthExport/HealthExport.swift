import Foundation

/// Reads the file `export.xml` of Apple Health. The memory use does not depend on the size of the
/// file.
///
/// ``MarkupScanner`` finds the `<Audiogram>` elements, and Foundation's parser reads each element.
enum HealthExport {
  /// The maximum number of audiograms in a file: 10,000. Audiograms without thresholds also count.
  static let maximumAudiogramCount = 10_000
  /// The maximum total number of points in all audiograms of a file: 200,000.
  static let maximumPointCount = 200_000

  /// All audiograms with at least one threshold, in the order of the document.
  ///
  /// - Parameter head: The first bytes of the document, without a byte order mark. `source`
  ///   contains the remaining bytes. If `source` is nil, `head` is the whole document.
  static func profiles(
    head: [UInt8], source: DocumentBytes?
  ) throws(UnreadableDocument) -> [ImportedProfile] {
    try checkEncoding(head)
    var scanner = MarkupScanner(
      root: "HealthData", element: "Audiogram", head: head,
      more: { () throws(UnreadableDocument) in try source?.next() ?? [] })
    var profiles: [ImportedProfile] = []
    var (audiogramCount, pointCount) = (0, 0)
    while let element = try scanner.next() {
      audiogramCount += 1
      let profile = try HealthAudiogramParser.read(element)
      if let profile { profiles.append(profile) }
      for ear in Ear.allCases { pointCount += profile?.profile[ear]?.points.count ?? 0 }
      guard audiogramCount <= maximumAudiogramCount, pointCount <= maximumPointCount else {
        throw .invalid(
          position: "line \(element.line), Audiogram",
          reason: "more than \(maximumAudiogramCount) audiograms or "
            + "\(maximumPointCount) points are not read")
      }
    }
    guard !profiles.isEmpty else {
      throw .noAudiogram(
        reason: audiogramCount == 0
          ? "the Apple Health export contains no audiogram"
          : "the Apple Health export contains \(audiogramCount) audiograms, all without values")
    }
    return profiles
  }

  /// If the document has an XML declaration, checks that the declared encoding is supported.
  private static func checkEncoding(_ head: [UInt8]) throws(UnreadableDocument) {
    let start = String(decoding: head.prefix(200), as: UTF8.self)
    let declaration = /<\?xml[^?>]*encoding[ =]*["'](?<encoding>[^"']*)["']/
    guard let encoding = start.prefixMatch(of: declaration)?.encoding.lowercased() else { return }
    guard
      ["utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be"].contains(encoding)
    else {
      throw .malformed(reason: "line 1: the encoding \(encoding.inQuotationMarks) is not supported")
    }
  }
}
