/// Finds all elements with one name in an XML document. The scanner reads the document chunk by
/// chunk and needs constant memory for any size.
///
/// The elements that the scanner finds are complete and small, so an XML parser can read them. The
/// scanner distinguishes only these kinds of markup: tags with quoted attribute values, comments,
/// CDATA sections, processing instructions and the document type. An XML parser cannot read the
/// whole document, because exports of Apple Health are not always well-formed. In exports of iOS
/// 16, a ">" is missing in the document type. Names of devices and apps may contain control
/// characters, which XML forbids even when escaped. A parser stops at such an error, usually long
/// before the first audiogram.
///
/// Everything that could hide an element is an error: a "<" inside a tag (because of a missing
/// quotation mark), an incomplete document, an entity declaration or an external document type.
struct MarkupScanner {
  /// A complete element. The bytes of the element are unchanged.
  struct Element: Sendable, Equatable {
    /// The bytes from "<" to ">".
    let bytes: [UInt8]
    /// The line where the element starts, from 1.
    let line: Int
  }

  /// The size limit of an element: 1 MiB, a hundred times the size of an element with thirty
  /// points.
  static let maximumElementSize = 1024 * 1024

  /// The maximum number of attributes of a tag. HealthKit writes 12 attributes. The limit is
  /// necessary because the time in which XML parsers check attributes grows with the square of
  /// their number.
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
  let element: [UInt8]

  var state = State.text
  /// The name or the keyword that is being read.
  var word: [UInt8] = []
  var quotationMark: UInt8 = 0
  var attributeCount = 0
  /// The scanner has matched this number of bytes of the end marker of a comment, CDATA section or
  /// instruction.
  var matched = 0
  /// Whether the last byte of the tag was "/".
  var endsWithSlash = false
  var depth = 0
  var hasRoot = false
  var hasDocumentType = false

  var captured: [UInt8]?
  var capturedLine = 0
  /// The nesting depth outside the captured element. At this depth, the element has ended.
  var capturedDepth = 0

  /// The number of line feeds before the chunk.
  var lines = 0
  /// The number of line feeds in the chunk before an index.
  private var counted = (index: 0, lines: 0)
  /// The index in the chunk where the current markup starts. Nil if it starts in an earlier chunk.
  var markupStart: Int?
  var markupLine = 1

  /// Creates a scanner for all elements named `element` in a document with a root named `root`.
  init(root: String, element: String) {
    self.root = Array(root.utf8)
    self.element = Array(element.utf8)
  }

  /// Scans the next chunk and calls `found` with each element that ends in the chunk.
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

  /// Checks that the document is complete. Call this method after the last chunk.
  func finish() throws(UnreadableDocument) {
    guard state == .text else {
      throw .malformed(
        reason: "line \(markupLine): the document ends inside the markup that starts here")
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
        position: "line \(capturedLine), \(String(decoding: element, as: UTF8.self))",
        reason: "an element of more than \(Self.maximumElementSize) bytes is not read")
    }
    captured?.append(contentsOf: bytes)
  }

  private mutating func fixMarkupLine(in bytes: [UInt8]) {
    guard let start = markupStart else { return }
    markupLine = line(at: start, in: bytes)
  }

  /// The line number, counted from 1, of an index in the chunk.
  ///
  /// The method continues from the previous index. In a series of calls with rising indices, each
  /// line feed is counted only once.
  mutating func line(at index: Int, in bytes: [UInt8]) -> Int {
    if index < counted.index { counted = (0, 0) }
    counted = (index, counted.lines + newlines(in: bytes[counted.index..<index]))
    return lines + counted.lines + 1
  }

  /// The line number where the current markup starts.
  mutating func lineOfMarkup(in bytes: [UInt8]) -> Int {
    markupStart.map { line(at: $0, in: bytes) } ?? markupLine
  }

  private func newlines(in bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte == UInt8(ascii: "\n") { count += 1 }
    return count
  }
}
