/// Finds all elements with a given name in an XML document. The scanner reads the document in
/// chunks. Therefore the memory use does not depend on the size of the document.
///
/// The elements that the scanner finds are complete and small. Therefore an XML parser can read
/// each element. The scanner distinguishes only these kinds of markup: tags with quoted attribute
/// values, comments, CDATA sections, processing instructions and the document type. Exports of
/// Apple Health are not always well-formed. Therefore an XML parser cannot read the whole document.
/// In exports of iOS 16, a ">" is missing in the document type. Names of devices and apps may
/// contain control characters. XML forbids control characters, even escaped control characters. An
/// XML parser stops at the first markup error, usually long before the first audiogram.
///
/// The scanner rejects documents in which the scanner might not find all elements. For example, a
/// "<" inside a tag shows that a quotation mark is missing, and is therefore an error. An
/// incomplete document, an entity declaration and an external document type are also errors.
struct MarkupScanner {
  /// An element that the scanner found. The bytes of the element are unchanged.
  struct Element {
    /// The bytes of the element, from the first "<" to the last ">" of the element.
    fileprivate(set) var bytes: [UInt8]
    /// The number of the line where the element starts, counted from 1.
    let line: Int
    /// The number of elements that enclose this element.
    fileprivate let depth: Int
  }

  /// The maximum size of an element in bytes: 1 MiB. An audiogram with thirty points is a hundred
  /// times smaller.
  static let maximumElementSize = 1024 * 1024

  /// The maximum number of attributes of a tag. HealthKit writes 12 attributes. The time that an
  /// XML parser needs for a tag grows with the square of the number of attributes. Therefore a
  /// limit is necessary.
  static let maximumAttributeCount = 256

  private let root: String
  private let element: String
  private let more: () throws(UnreadableDocument) -> [UInt8]
  private var chunk: [UInt8]
  private var index = 0
  /// The number of the line with the next byte, counted from 1.
  private var line = 1
  /// The number of the line where the current markup starts.
  private var markupLine = 1
  private var depth = 0
  private var hasRoot = false
  private var hasDocumentType = false
  /// The element that the scanner is reading, with all bytes up to the current position; nil
  /// between two elements. Only the bytes of the captured element and the current chunk of the
  /// document are in memory.
  private var captured: Element?

  /// Creates a scanner for all elements named `element` in a document with a root named `root`.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the document.
  ///   - more: Returns the next bytes, or no bytes at the end of the document.
  init(
    root: String, element: String, head: [UInt8],
    more: @escaping () throws(UnreadableDocument) -> [UInt8]
  ) {
    self.root = root
    self.element = element
    self.more = more
    chunk = head
  }

  /// Returns the next element; nil at the end of the document.
  ///
  /// - Throws: ``UnreadableDocument`` if the markup is invalid or if the document ends too early.
  mutating func next() throws(UnreadableDocument) -> Element? {
    while let byte = try nextByte() {
      guard byte == UInt8(ascii: "<") else {
        guard depth > 0 || Self.isSpace(byte) else {
          throw .malformed(reason: "line \(line): text outside the root element")
        }
        continue
      }
      markupLine = line
      switch try nextInMarkup() {
      case UInt8(ascii: "!"): try skipDeclaration()
      case UInt8(ascii: "?"): try skip(past: UInt8(ascii: "?"))
      case UInt8(ascii: "/"):
        while try nextInTag() != UInt8(ascii: ">") {}
        guard depth > 0 else { throw malformed("an end tag without a start tag") }
        depth -= 1
      case let first where Self.startsName(first): try readStartTag(first)
      default: throw malformed("\"<\" without a name after it")
      }
      if let element = captured, element.depth == depth {
        captured = nil
        return element
      }
    }
    guard hasRoot else { throw .malformed(reason: "the document ends before its first element") }
    guard depth == 0 else {
      throw .malformed(reason: "line \(line): the document ends with \(depth) elements not closed")
    }
    return nil
  }

  /// Returns the next byte; nil at the end of the document.
  private mutating func nextByte() throws(UnreadableDocument) -> UInt8? {
    if index == chunk.count { (chunk, index) = (try more(), 0) }
    guard index < chunk.count else { return nil }
    let byte = chunk[index]
    index += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
    captured?.bytes.append(byte)
    if let captured, captured.bytes.count > Self.maximumElementSize {
      throw .invalid(
        position: "line \(captured.line), \(element)",
        reason: "an element of more than \(Self.maximumElementSize) bytes is not read")
    }
    return byte
  }

  /// Returns the next byte of the current markup. Throws an error if the document ends.
  private mutating func nextInMarkup() throws(UnreadableDocument) -> UInt8 {
    guard let byte = try nextByte() else {
      throw malformed("the document ends inside the markup that starts here")
    }
    return byte
  }

  /// Returns the next byte of the current tag. Throws an error if the byte is "<".
  private mutating func nextInTag() throws(UnreadableDocument) -> UInt8 {
    let byte = try nextInMarkup()
    guard byte != UInt8(ascii: "<") else {
      throw malformed("a tag that is not closed before the next one")
    }
    return byte
  }

  /// Skips the markup up to the first ">" that directly follows `count` or more bytes with the
  /// value `mark`. For example, a comment ends with "-->", so `mark` is "-" and `count` is 2.
  private mutating func skip(past mark: UInt8, count: Int = 1) throws(UnreadableDocument) {
    var found = 0
    while true {
      let byte = try nextInMarkup()
      if byte == UInt8(ascii: ">"), found >= count { return }
      found = byte == mark ? found + 1 : 0
    }
  }

  /// An error in the current markup, with the line where the markup starts.
  private func malformed(_ reason: String) -> UnreadableDocument {
    .malformed(reason: "line \(markupLine): \(reason)")
  }

  /// Skips the rest of a comment, a CDATA section or the document type. All three start with "<!".
  private mutating func skipDeclaration() throws(UnreadableDocument) {
    switch try nextInMarkup() {
    case UInt8(ascii: "-"):
      try expect("-")
      try skip(past: UInt8(ascii: "-"), count: 2)
    case UInt8(ascii: "[") where depth > 0:
      try expect("CDATA[")
      try skip(past: UInt8(ascii: "]"), count: 2)
    case UInt8(ascii: "D") where !hasRoot && !hasDocumentType:
      try expect("OCTYPE")
      hasDocumentType = true
      try skipDocumentType()
    default: throw malformed("a declaration that is not allowed here")
    }
  }

  private mutating func expect(_ text: String) throws(UnreadableDocument) {
    for byte in text.utf8 where try nextInMarkup() != byte {
      throw malformed("a declaration that is not allowed here")
    }
  }

  /// Reads a start tag with its attributes.
  private mutating func readStartTag(_ first: UInt8) throws(UnreadableDocument) {
    var name = [first]
    var byte = try nextInMarkup()
    while !Self.endsName(byte) {
      // The names of the root and of the requested element are short. Therefore at most the first
      // 64 bytes of a name are stored.
      if name.count < 64 { name.append(byte) }
      byte = try nextInMarkup()
    }
    if depth == 0 {
      guard !hasRoot else { throw malformed("a second root element") }
      guard name.elementsEqual(root.utf8) else {
        throw .wrongFormat(expected: root, found: String(decoding: name, as: UTF8.self))
      }
      hasRoot = true
    }
    if captured == nil, name.elementsEqual(element.utf8) {
      captured = Element(bytes: "<\(element)".utf8 + [byte], line: markupLine, depth: depth)
    }
    var attributeCount = 0
    var last = byte
    while byte != UInt8(ascii: ">") {
      if Self.isQuotationMark(byte) {
        attributeCount += 1
        guard captured == nil || attributeCount <= Self.maximumAttributeCount else {
          throw .invalid(
            position: "line \(markupLine)",
            reason: "more than \(Self.maximumAttributeCount) attributes are not read")
        }
        while try nextInTag() != byte {}
      }
      last = byte
      byte = try nextInTag()
    }
    if last != UInt8(ascii: "/") { depth += 1 }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func isQuotationMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || "_:".utf8.contains(byte) || ("a"..."z").contains(Unicode.Scalar(byte | 0x20))
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || "/><\"'=".utf8.contains(byte)
  }

  /// Skips the document type.
  ///
  /// The declarations inside the document type need not be well-formed. An entity could change the
  /// content of the document. Therefore an entity declaration is an error. An external reference is
  /// also an error. The scanner resolves neither entities nor external references.
  private mutating func skipDocumentType() throws(UnreadableDocument) {
    var byte = try nextInMarkup()
    while byte != UInt8(ascii: "[") {
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "<"): throw malformed("an unclosed document type")
      case _ where Self.isQuotationMark(byte):
        throw malformed("an external document type is not supported")
      default: byte = try nextInMarkup()
      }
    }
    repeat {
      byte = try nextInMarkup()
      if byte == UInt8(ascii: "<") { try skipInnerMarkup() }
      if Self.isQuotationMark(byte) { while try nextInMarkup() != byte {} }
    } while byte != UInt8(ascii: "]")
    repeat { byte = try nextInMarkup() } while Self.isSpace(byte)
    guard byte == UInt8(ascii: ">") else { throw malformed("an unclosed document type") }
  }

  /// Skips a comment, a processing instruction or the start of a declaration inside the document
  /// type.
  private mutating func skipInnerMarkup() throws(UnreadableDocument) {
    switch try nextInMarkup() {
    case UInt8(ascii: "?"): try skip(past: UInt8(ascii: "?"))
    case UInt8(ascii: "!"):
      var word = [try nextInMarkup()]
      while word.count < 6, "ENTITY".utf8.starts(with: word) || word == [UInt8(ascii: "-")] {
        word.append(try nextInMarkup())
      }
      if word.elementsEqual("--".utf8) { try skip(past: UInt8(ascii: "-"), count: 2) }
      guard !word.elementsEqual("ENTITY".utf8) else {
        throw .malformed(
          reason: "line \(line): a document type with entity declarations is not supported")
      }
    default: break
    }
  }
}
