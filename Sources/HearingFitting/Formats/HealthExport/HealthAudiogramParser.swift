import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads one `<Audiogram>` element of an Apple Health export.
///
/// The attributes have the form that HealthKit exports. The threshold of either ear may be missing.
/// If an ear has a threshold, the frequency is required, and all other attributes are optional. The
/// attribute for masking is YES or NO. A clamping range is a lower and an upper bound for the
/// thresholds. If the file contains a clamping range, the thresholds are limited to this range. If
/// a threshold is at a bound or beyond a bound, ``Audiogram/Point/isClamped`` is set.
enum HealthAudiogramParser {
  /// The audiogram of an element; nil if the element has no thresholds.
  static func read(_ element: MarkupScanner.Element) throws(UnreadableDocument) -> ImportedProfile?
  {
    var points = PointCollection()
    var time: MeasurementTime?
    for tag in try tags(of: element) {
      switch tag.name {
      case "Audiogram": time = try tag.startTime() ?? time
      case "SensitivityPoint":
        for ear in Ear.allCases {
          if let point = try tag.point(ear) { try points.add(point, to: ear, at: tag.position) }
        }
      default: break
      }
    }
    return points.measurement(at: time, position: "line \(element.line)")
  }

  private static func tags(
    of element: MarkupScanner.Element
  ) throws(UnreadableDocument) -> [HealthTag] {
    func malformed(_ expected: String) -> UnreadableDocument {
      .malformed(
        reason: "line \(element.line): the audiogram that starts here is not \(expected)")
    }
    // XML forbids control characters, but device names may contain control characters. Therefore
    // control characters are replaced with spaces.
    let bytes = element.bytes.map { byte in
      byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D ? 0x20 : byte
    }
    // If a name is not UTF-8, the XML parser of swift-corelibs-foundation terminates the process.
    // Therefore the text is checked before the parser is called.
    guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("UTF-8") }
    let found = StartTags(firstLine: element.line)
    let parser = XMLParser(data: Data(text.utf8))
    parser.shouldResolveExternalEntities = false
    parser.delegate = found
    guard parser.parse() else {
      let code = (parser.parserError as NSError?)?.code ?? 0
      throw malformed("well-formed XML (parser error \(code))")
    }
    return found.tags
  }
}

/// Collects the start tags of an element.
private final class StartTags: NSObject, XMLParserDelegate {
  private let firstLine: Int
  private(set) var tags: [HealthTag] = []

  init(firstLine: Int) { self.firstLine = firstLine }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    tags.append(
      HealthTag(
        name: elementName, attributes: attributes.filter { !$0.value.isEmpty },
        line: firstLine + max(0, parser.lineNumber - 1)))
  }
}
