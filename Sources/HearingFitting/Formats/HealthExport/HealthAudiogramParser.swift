import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads one `<Audiogram>` element of an Apple Health export.
///
/// The attributes are those of HealthKit's exporter: every value may be missing; masking is written
/// YES or NO; a value outside of its clamping range counts as the nearest end of it.
final class HealthAudiogramParser: NSObject, XMLParserDelegate {
  private let firstLine: Int
  private var points = PointCollection()
  private var time: MeasurementTime?
  private var failure: UnreadableDocument?

  private init(firstLine: Int) {
    self.firstLine = firstLine
  }

  /// The audiogram that an element holds; nil: an audiogram without any value.
  static func read(_ element: MarkupScanner.Element) throws(UnreadableDocument) -> ImportedProfile?
  {
    // Control characters, which XML forbids, come in names of devices and mean nothing.
    let bytes = element.bytes.map { byte in
      byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D ? 0x20 : byte
    }
    // Checked here because the parser of swift-corelibs-foundation traps on a name that is not UTF-8.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed(
        reason: "line \(element.line): the audiogram that begins here is not UTF-8")
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
        reason: "line \(element.line): the audiogram that begins here is not well-formed XML "
          + "(error \(code) of the parser)")
    }
    let place = "line \(element.line)"
    guard let profile = reader.points.profile(measuredAt: reader.time?.date) else { return nil }
    return ImportedProfile(profile: profile, day: reader.time?.day, place: place)
  }

  /// Takes the attributes of an element; a failure ends the parsing.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let place = "line \(line(of: parser)), \(elementName)"
    do {
      switch elementName {
      case "Audiogram": try readDate(attributes, at: place)
      case "SensitivityPoint": try readPoint(attributes, at: place)
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
    _ attributes: [String: String], at place: String
  ) throws(UnreadableDocument) {
    guard let text = attributes["startDate"], !text.isEmpty else { return }
    guard let time = MeasurementTime(text) else {
      throw .invalid(
        place: "\(place), startDate", reason: "\(text.inQuotationMarks) is not a date and time")
    }
    self.time = time
  }

  private func readPoint(
    _ attributes: [String: String], at place: String
  ) throws(UnreadableDocument) {
    let attributes = HealthAttributes(values: attributes, place: place)
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
        to: ear, at: place)
    }
  }
}
