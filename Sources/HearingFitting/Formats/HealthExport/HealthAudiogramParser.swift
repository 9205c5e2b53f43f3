import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads one `<Audiogram>` element of an Apple Health export.
///
/// The attributes have the form that HealthKit exports. Every value may be missing. The value for
/// masking is YES or NO. A value outside its clamping range is limited to this range.
final class HealthAudiogramParser: NSObject, XMLParserDelegate {
  private let firstLine: Int
  private var points = PointCollection()
  private var time: MeasurementTime?
  private var failure: UnreadableDocument?

  private init(firstLine: Int) {
    self.firstLine = firstLine
  }

  /// The audiogram of an element; nil if the element has no values.
  static func read(_ element: MarkupScanner.Element) throws(UnreadableDocument) -> ImportedProfile?
  {
    // Device names may contain control characters, which XML forbids. Spaces replace these
    // characters.
    let bytes = element.bytes.map { byte in
      byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D ? 0x20 : byte
    }
    // The XML parser of swift-corelibs-foundation stops the program if a name is not UTF-8, so
    // check the text first.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed(
        reason: "line \(element.line): the audiogram that starts here is not UTF-8")
    }
    let reader = HealthAudiogramParser(firstLine: element.line)
    let parser = XMLParser(data: Data(text.utf8))
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isRead = parser.parse()
    if let failure = reader.failure { throw failure }
    guard isRead else {
      let code = (parser.parserError as NSError?)?.code ?? 0
      throw .malformed(
        reason: "line \(element.line): the audiogram that starts here is not well-formed XML "
          + "(parser error \(code))")
    }
    let position = "line \(element.line)"
    guard let profile = reader.points.profile(measuredAt: reader.time?.date) else { return nil }
    return ImportedProfile(profile: profile, day: reader.time?.day, position: position)
  }

  /// Reads the attributes of an element. An error ends the parsing.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let position = "line \(line(of: parser)), \(elementName)"
    do {
      switch elementName {
      case "Audiogram": try readDate(attributes, at: position)
      case "SensitivityPoint": try readPoint(attributes, at: position)
      default: break
      }
    } catch {
      failure = error
      parser.abortParsing()
    }
  }

  private func line(of parser: XMLParser) -> Int {
    firstLine + max(0, parser.lineNumber - 1)
  }

  private func readDate(
    _ attributes: [String: String], at position: String
  ) throws(UnreadableDocument) {
    guard let text = attributes["startDate"], !text.isEmpty else { return }
    guard let time = MeasurementTime(text) else {
      throw .invalid(
        position: "\(position), startDate",
        reason: "\(text.inQuotationMarks) is not a date and time")
    }
    self.time = time
  }

  private func readPoint(
    _ attributes: [String: String], at position: String
  ) throws(UnreadableDocument) {
    let attributes = HealthAttributes(values: attributes, position: position)
    var frequency: Double?
    for ear in Ear.allCases {
      guard let value = try attributes.number("\(ear.rawValue)EarValue") else { continue }
      if frequency == nil { frequency = try attributes.frequency() }
      guard let frequency else { continue }
      let threshold = try attributes.clamp(value, of: ear)
      try points.add(
        Audiogram.Point(
          frequency: frequency, threshold: threshold, isMasked: try attributes.isMasked(ear),
          isClamped: threshold != value),
        to: ear, at: position)
    }
  }
}
