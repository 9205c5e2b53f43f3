/// The bytes of an XML document, read one at a time from chunks. Only the current chunk and the
/// bytes that are being captured are in memory.
struct MarkupBytes {
  private var buffer: [UInt8]
  private var index = 0
  private let more: () throws(UnreadableDocument) -> [UInt8]
  private var capture: Capture?

  /// The line of the last byte, counted from 1. After a line feed, this is the next line.
  private(set) var line = 1
  /// The line where the current markup starts.
  private(set) var markupLine = 1

  /// The part of an element that has been read.
  private struct Capture {
    let name: String
    let line: Int
    /// The index in the buffer of the first byte after the name.
    var start: Int
  }

  /// Creates the bytes of a document.
  ///
  /// - Parameters:
  ///   - head: The first bytes.
  ///   - more: Returns the next bytes, or no bytes at the end of the document.
  init(head: [UInt8], more: @escaping () throws(UnreadableDocument) -> [UInt8]) {
    buffer = head
    self.more = more
  }

  /// Returns the next byte; nil at the end of the document.
  mutating func next() throws(UnreadableDocument) -> UInt8? {
    if index == buffer.count { try refill() }
    guard index < buffer.count else { return nil }
    let byte = buffer[index]
    index += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
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
  mutating func skip(to end: UInt8) {
    var position = index
    while position < buffer.count, buffer[position] != end, buffer[position] != UInt8(ascii: "<") {
      if buffer[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    index = position
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

  /// Starts to capture the element in whose start tag the last byte is the first after the name.
  mutating func startCapture(of name: String) {
    capture = Capture(name: name, line: markupLine, start: index - 1)
  }

  /// Ends the capture after the last byte of the element. Returns the element.
  mutating func endCapture() throws(UnreadableDocument) -> MarkupScanner.Element? {
    guard let element = capture else { return nil }
    try checkSize(of: element)
    capture = nil
    return MarkupScanner.Element(
      bytes: Array("<\(element.name)".utf8) + buffer[element.start..<index], line: element.line)
  }

  /// Removes the bytes that are no longer needed, and appends the next chunk.
  private mutating func refill() throws(UnreadableDocument) {
    if let capture { try checkSize(of: capture) }
    buffer.removeFirst(capture?.start ?? index)
    capture?.start = 0
    index = buffer.count
    buffer += try more()
  }

  private func checkSize(of element: Capture) throws(UnreadableDocument) {
    let size = 1 + element.name.utf8.count + index - element.start
    guard size <= MarkupScanner.maximumElementSize else {
      throw .invalid(
        position: "line \(element.line), \(element.name)",
        reason: "an element of more than \(MarkupScanner.maximumElementSize) bytes is not read")
    }
  }

  /// An error in the current markup.
  func malformed(_ reason: String) -> UnreadableDocument {
    .malformed(reason: "line \(markupLine): \(reason)")
  }
}
