/// The bytes of an XML document, read one at a time from chunks. Only the current chunk and the
/// element that is being captured are in memory.
struct MarkupBytes {
  private var chunk: [UInt8]
  private var index = 0
  private let more: () throws(UnreadableDocument) -> [UInt8]
  /// The element that is being captured, with the bytes that have been read.
  private var captured: MarkupScanner.Element?

  /// The line of the last byte, counted from 1. After a line feed, this is the next line.
  private(set) var line = 1
  /// The line where the current markup starts.
  private(set) var markupLine = 1

  /// Creates the bytes of a document.
  ///
  /// - Parameters:
  ///   - head: The first bytes.
  ///   - more: Returns the next bytes, or no bytes at the end of the document.
  init(head: [UInt8], more: @escaping () throws(UnreadableDocument) -> [UInt8]) {
    chunk = head
    self.more = more
  }

  /// Returns the next byte; nil at the end of the document.
  mutating func next() throws(UnreadableDocument) -> UInt8? {
    if index == chunk.count { (chunk, index) = (try more(), 0) }
    guard index < chunk.count else { return nil }
    let byte = chunk[index]
    index += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
    if captured != nil { try capture(from: index - 1) }
    return byte
  }

  /// Returns the next byte of the current markup.
  mutating func nextInMarkup() throws(UnreadableDocument) -> UInt8 {
    guard let byte = try next() else {
      throw malformed("the document ends inside the markup that starts here")
    }
    return byte
  }

  /// Skips the bytes of the chunk before the next `end` or "<". This is faster than reading each
  /// byte.
  mutating func skip(to end: UInt8) throws(UnreadableDocument) {
    let start = index
    var position = index
    while position < chunk.count, chunk[position] != end, chunk[position] != UInt8(ascii: "<") {
      if chunk[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    index = position
    if captured != nil { try capture(from: start) }
  }

  /// Adds the bytes of the chunk from `start` to the element that is being captured.
  private mutating func capture(from start: Int) throws(UnreadableDocument) {
    captured?.bytes += chunk[start..<index]
    guard let captured, captured.bytes.count > MarkupScanner.maximumElementSize else { return }
    throw .invalid(
      position: "line \(captured.line), \(captured.name)",
      reason: "an element of more than \(MarkupScanner.maximumElementSize) bytes is not read")
  }

  /// Skips the markup up to a ">" that comes after `mark`, at least `count` times.
  mutating func skip(past mark: UInt8, count: Int = 1) throws(UnreadableDocument) {
    var found = 0
    while true {
      let byte = try nextInMarkup()
      if byte == UInt8(ascii: ">"), found >= count { return }
      found = byte == mark ? found + 1 : 0
    }
  }

  /// Marks the last byte as the start of markup.
  mutating func startMarkup() {
    markupLine = line
  }

  /// Starts to capture the element with a name, in whose start tag the last byte is the first one
  /// after the name.
  mutating func startCapture(of name: String) {
    let start = Array("<\(name)".utf8) + [chunk[index - 1]]
    captured = MarkupScanner.Element(name: name, bytes: start, line: markupLine)
  }

  /// Ends the capture after the last byte of the element. Returns the element.
  mutating func endCapture() -> MarkupScanner.Element? {
    defer { captured = nil }
    return captured
  }

  /// An error in the current markup.
  func malformed(_ reason: String) -> UnreadableDocument {
    .malformed(reason: "line \(markupLine): \(reason)")
  }
}
