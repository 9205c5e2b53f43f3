import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads one `<Audiogram>` element of an Apple Health export.
///
/// The attributes have the form that HealthKit exports. Every value may be missing. The value for
/// masking is YES or NO. A value outside its clamping range is limited to this range.
enum HealthAudiogramParser {
  /// The audiogram of an element; nil if the element has no values.
  static func read(_ element: MarkupScanner.Element) throws(UnreadableDocument) -> ImportedProfile?
  {
    var points = PointCollection()
    var time: MeasurementTime?
    for tag in try tags(of: element) {
      let attributes = HealthAttributes(
        values: tag.attributes, position: "line \(tag.line), \(tag.name)")
      switch tag.name {
      case "Audiogram": time = try attributes.startTime() ?? time
      case "SensitivityPoint": try add(attributes, to: &points)
      default: break
      }
    }
    guard let profile = points.profile(measuredAt: time?.date) else { return nil }
    return ImportedProfile(profile: profile, day: time?.day, position: "line \(element.line)")
  }

  private static func add(
    _ attributes: HealthAttributes, to points: inout PointCollection
  ) throws(UnreadableDocument) {
    for ear in Ear.allCases {
      guard let value = try attributes.number("\(ear.rawValue)EarValue") else { continue }
      let frequency = try attributes.frequency()
      let threshold = try attributes.clamp(value, of: ear)
      try points.add(
        Audiogram.Point(
          frequency: frequency, threshold: threshold, isMasked: try attributes.isMasked(ear),
          isClamped: threshold != value),
        to: ear, at: attributes.position)
    }
  }

  private static func tags(
    of element: MarkupScanner.Element
  ) throws(UnreadableDocument) -> [StartTags.Tag] {
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
    let found = StartTags(firstLine: element.line)
    let parser = XMLParser(data: Data(text.utf8))
    parser.shouldResolveExternalEntities = false
    parser.delegate = found
    guard parser.parse() else {
      let code = (parser.parserError as NSError?)?.code ?? 0
      throw .malformed(
        reason: "line \(element.line): the audiogram that starts here is not well-formed XML "
          + "(parser error \(code))")
    }
    return found.tags
  }
}

/// Collects the start tags of an element.
private final class StartTags: NSObject, XMLParserDelegate {
  struct Tag {
    let name: String
    let attributes: [String: String]
    let line: Int
  }

  private let firstLine: Int
  private(set) var tags: [Tag] = []

  init(firstLine: Int) {
    self.firstLine = firstLine
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let line = firstLine + max(0, parser.lineNumber - 1)
    tags.append(Tag(name: elementName, attributes: attributes, line: line))
  }
}
