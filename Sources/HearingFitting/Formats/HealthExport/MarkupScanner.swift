/// Finds elements of one name in an XML document of any size, a chunk at a time, in memory that does
/// not grow with the document.
///
/// The elements found are complete and small; a real XML parser reads them. The scanner itself
/// knows only what keeps markup apart: tags with quoted attribute values, comments, CDATA,
/// processing instructions and the document type. It does not read a document the way a parser
/// does, for a reason: exports of Apple Health are not always well-formed. Those of iOS 16 lack a
/// ">" in the document type, and names of devices and apps may hold control characters, which XML
/// forbids even when escaped; every parser stops there, most often long before the first audiogram.
///
/// What could make it miss an element is an error nevertheless: a "<" inside a tag (a quotation mark
/// got lost), a document that ends early, an entity declaration, an external document type.
struct MarkupScanner {
  /// An element with everything in it, as it stands in the document.
  struct Element: Sendable, Equatable {
    /// From "<" to ">".
    let bytes: [UInt8]
    /// The line that it begins on, from 1.
    let line: Int
  }

  /// The largest element that is read: 1 MiB, a hundred times what thirty points take.
  static let maximumElementSize = 1024 * 1024

  /// The most attributes that a tag of such an element may have; HealthKit writes 12. Parsers take
  /// quadratic time over them.
  static let maximumAttributeCount = 256

  enum State {
    case text
    case markup
    case declaration
    case instruction
    case comment
    case characterData
    case documentType
    case subset
    case subsetMarkup
    case subsetDeclaration
    case subsetInstruction
    case subsetComment
    case subsetQuote
    case afterSubset
    case tagName
    case tag
    case quote
    case endTag
  }

  let root: [UInt8]
  let wanted: [UInt8]

  var state = State.text
  /// The name or the keyword that is being read.
  var word: [UInt8] = []
  var quotationMark: UInt8 = 0
  var attributeCount = 0
  /// How many bytes of what ends a comment, CDATA or an instruction have just gone by.
  var matched = 0
  /// Whether the last byte of the tag was "/".
  var endsWithSlash = false
  var depth = 0
  var hasRoot = false
  var hasDocumentType = false

  var captured: [UInt8]?
  var capturedLine = 0
  /// How deep the element that is being captured stands.
  var capturedDepth = 0

  /// Line feeds before the chunk.
  var lines = 0
  /// How many line feeds there are in the chunk before an index.
  private var counted = (index: 0, lines: 0)
  /// Where in the chunk the markup that is being read begins; nil: in an earlier one.
  var markupStart: Int?
  var markupLine = 1

  /// A scanner for elements called `wanted` anywhere in a document whose root is called `root`.
  init(root: String, wanted: String) {
    self.root = Array(root.utf8)
    self.wanted = Array(wanted.utf8)
  }

  /// Scans the next chunk and hands over each element that ends in it.
  mutating func scan(
    _ bytes: [UInt8], found: (Element) throws(UnreadableDocument) -> Void
  ) throws(UnreadableDocument) {
    var index = 0
    var captureStart = captured == nil ? nil : 0
    while index < bytes.count {
      let before = captured == nil
      switch state {
      case .text: try skipText(bytes, &index)
      case .tag, .quote: try skipTag(bytes, &index)
      case .tagName: try readName(bytes, &index)
      case .markup: try readMarkup(bytes, &index)
      case .endTag: try readEndTag(bytes, &index)
      case .comment, .characterData, .instruction: skipToEnd(bytes, &index)
      case .declaration: try readDeclaration(bytes, &index)
      default: try readDocumentType(bytes, &index)
      }
      if before, captured != nil { captureStart = index }
      if let start = captureStart {
        let ends = state == .text && depth == capturedDepth
        if ends || index == bytes.count {
          try capture(bytes[start..<index])
        }
        if ends, let element = captured {
          captured = nil
          captureStart = nil
          try found(Element(bytes: element, line: capturedLine))
        }
      }
    }
    if state != .text { fixMarkupLine(in: bytes) }
    markupStart = nil
    lines = line(at: bytes.count, in: bytes) - 1
    counted = (0, 0)
  }

  /// Checks, after the last chunk, that the document is complete.
  func finish() throws(UnreadableDocument) {
    guard state == .text else {
      throw .malformed(
        reason: "line \(markupLine): the document ends within the markup that begins here")
    }
    guard hasRoot else { throw .malformed(reason: "the document ends before its first element") }
    guard depth == 0 else {
      throw .malformed(
        reason: "line \(lines + 1): the document ends with \(depth) elements not closed")
    }
  }

  private mutating func capture(_ bytes: ArraySlice<UInt8>) throws(UnreadableDocument) {
    guard (captured?.count ?? 0) + bytes.count <= Self.maximumElementSize else {
      throw .invalid(
        place: "line \(capturedLine), \(String(decoding: wanted, as: UTF8.self))",
        reason: "an element of more than \(Self.maximumElementSize) bytes is not read")
    }
    captured?.append(contentsOf: bytes)
  }

  private mutating func fixMarkupLine(in bytes: [UInt8]) {
    guard let start = markupStart else { return }
    markupLine = line(at: start, in: bytes)
  }

  /// The line, from 1, of a place in the chunk.
  ///
  /// Counts on from the place before, so that many calls with rising places cost no more than one.
  mutating func line(at index: Int, in bytes: [UInt8]) -> Int {
    if index < counted.index { counted = (0, 0) }
    counted = (index, counted.lines + newlines(in: bytes[counted.index..<index]))
    return lines + counted.lines + 1
  }

  /// The line on which the markup that is being read begins.
  mutating func lineOfMarkup(in bytes: [UInt8]) -> Int {
    markupStart.map { line(at: $0, in: bytes) } ?? markupLine
  }

  private func newlines(in bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte == UInt8(ascii: "\n") { count += 1 }
    return count
  }
}
