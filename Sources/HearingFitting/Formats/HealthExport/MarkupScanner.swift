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
    let name: String
    /// The bytes from "<" to ">".
    var bytes: [UInt8]
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

  private let root: String
  private let element: String
  private var bytes: MarkupBytes

  private var depth = 0
  private var hasRoot = false
  private var hasDocumentType = false
  /// The number of elements around the element that is being captured. Nil if the scanner captures
  /// no element.
  private var capturedDepth: Int?

  /// Creates a scanner for all elements named `element` in a document with a root named `root`.
  init(root: String, element: String, bytes: MarkupBytes) {
    self.root = root
    self.element = element
    self.bytes = bytes
  }

  /// Returns the next element; nil at the end of the document.
  ///
  /// - Throws: ``UnreadableDocument`` also if the document ends too early.
  mutating func next() throws(UnreadableDocument) -> Element? {
    while let byte = try bytes.next() {
      guard byte == UInt8(ascii: "<") else {
        guard depth > 0 || Self.isSpace(byte) else {
          throw .malformed(reason: "line \(bytes.line): text outside the root element")
        }
        continue
      }
      bytes.startMarkup()
      switch try bytes.nextInMarkup() {
      case UInt8(ascii: "!"): try skipDeclaration()
      case UInt8(ascii: "?"): try bytes.skip(past: UInt8(ascii: "?"))
      case UInt8(ascii: "/"): try skipEndTag()
      case let first where Self.startsName(first): try readStartTag(first)
      default: throw bytes.malformed("\"<\" without a name after it")
      }
      if depth == capturedDepth {
        capturedDepth = nil
        return bytes.endCapture()
      }
    }
    guard hasRoot else { throw .malformed(reason: "the document ends before its first element") }
    guard depth == 0 else {
      throw .malformed(
        reason: "line \(bytes.line): the document ends with \(depth) elements not closed")
    }
    return nil
  }

  /// Skips the rest of a comment, a CDATA section or the document type, which start with "<!".
  private mutating func skipDeclaration() throws(UnreadableDocument) {
    switch try bytes.nextInMarkup() {
    case UInt8(ascii: "-"):
      try expect("-")
      try bytes.skip(past: UInt8(ascii: "-"), count: 2)
    case UInt8(ascii: "[") where depth > 0:
      try expect("CDATA[")
      try bytes.skip(past: UInt8(ascii: "]"), count: 2)
    case UInt8(ascii: "D") where !hasRoot && !hasDocumentType:
      try expect("OCTYPE")
      hasDocumentType = true
      try skipDocumentType()
    default: throw bytes.malformed("a declaration that is not allowed here")
    }
  }

  private mutating func expect(_ text: String) throws(UnreadableDocument) {
    for byte in text.utf8 where try bytes.nextInMarkup() != byte {
      throw bytes.malformed("a declaration that is not allowed here")
    }
  }

  /// Reads a start tag with its attributes.
  private mutating func readStartTag(_ first: UInt8) throws(UnreadableDocument) {
    var name = [first]
    var byte = try bytes.nextInMarkup()
    while !Self.endsName(byte) {
      // Of a long name, only the start is stored, because the names of the root and the element
      // are short.
      if name.count < 64 { name.append(byte) }
      byte = try bytes.nextInMarkup()
    }
    if depth == 0 { try checkRoot(name) }
    if capturedDepth == nil, name.elementsEqual(element.utf8) {
      capturedDepth = depth
      bytes.startCapture(of: element)
    }
    var attributeCount = 0
    var last = byte
    while byte != UInt8(ascii: ">") {
      if Self.isQuotationMark(byte) {
        attributeCount += 1
        guard capturedDepth == nil || attributeCount <= Self.maximumAttributeCount else {
          throw .invalid(
            position: "line \(bytes.markupLine)",
            reason: "more than \(Self.maximumAttributeCount) attributes are not read")
        }
        repeat { try bytes.skip(to: byte) } while try nextInTag() != byte
      }
      last = byte
      byte = try nextInTag()
    }
    if last != UInt8(ascii: "/") { depth += 1 }
  }

  private mutating func checkRoot(_ name: [UInt8]) throws(UnreadableDocument) {
    guard !hasRoot else { throw bytes.malformed("a second root element") }
    guard name.elementsEqual(root.utf8) else {
      throw .wrongFormat(expected: root, found: String(decoding: name, as: UTF8.self))
    }
    hasRoot = true
  }

  private mutating func skipEndTag() throws(UnreadableDocument) {
    while try nextInTag() != UInt8(ascii: ">") {}
    guard depth > 0 else { throw bytes.malformed("an end tag without a start tag") }
    depth -= 1
  }

  private mutating func nextInTag() throws(UnreadableDocument) -> UInt8 {
    let byte = try bytes.nextInMarkup()
    guard byte != UInt8(ascii: "<") else {
      throw bytes.malformed("a tag that is not closed before the next one")
    }
    return byte
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  static func isQuotationMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "_", ":", "\u{80}"...: true
    default: false
    }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || "/><\"'=".utf8.contains(byte)
  }

  /// Skips the document type.
  ///
  /// The declarations inside the document type need not be well-formed. An entity declaration is an
  /// error, because it could change the content of the document. An external reference is also an
  /// error. The scanner resolves neither entities nor external references.
  private mutating func skipDocumentType() throws(UnreadableDocument) {
    var byte = try bytes.nextInMarkup()
    while byte != UInt8(ascii: "[") {
      if byte == UInt8(ascii: ">") { return }
      if Self.isQuotationMark(byte) {
        throw bytes.malformed("an external document type is not supported")
      }
      if byte == UInt8(ascii: "<") { throw bytes.malformed("an unclosed document type") }
      byte = try bytes.nextInMarkup()
    }
    repeat {
      byte = try bytes.nextInMarkup()
      if byte == UInt8(ascii: "<") { try skipInnerMarkup() }
      if Self.isQuotationMark(byte) { while try bytes.nextInMarkup() != byte {} }
    } while byte != UInt8(ascii: "]")
    repeat {
      byte = try bytes.nextInMarkup()
      guard Self.isSpace(byte) || byte == UInt8(ascii: ">") else {
        throw bytes.malformed("an unclosed document type")
      }
    } while byte != UInt8(ascii: ">")
  }

  /// Skips a comment or an instruction inside the document type. Of a declaration, skips only the
  /// start.
  private mutating func skipInnerMarkup() throws(UnreadableDocument) {
    switch try bytes.nextInMarkup() {
    case UInt8(ascii: "?"): try bytes.skip(past: UInt8(ascii: "?"))
    case UInt8(ascii: "!"):
      var word = [try bytes.nextInMarkup()]
      while word.count < 6, "ENTITY".utf8.starts(with: word) || word == [UInt8(ascii: "-")] {
        word.append(try bytes.nextInMarkup())
      }
      if word.elementsEqual("--".utf8) { try bytes.skip(past: UInt8(ascii: "-"), count: 2) }
      guard !word.elementsEqual("ENTITY".utf8) else {
        throw .malformed(
          reason: "line \(bytes.line): a document type with entity declarations is not supported")
      }
    default: break
    }
  }
}
