/// Reads text, tags, comments, CDATA sections and processing instructions.
extension MarkupScanner {
  mutating func skipText(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    var position = index
    if depth > 0 {
      while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    } else {
      while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
      if position < bytes.count, bytes[position] != UInt8(ascii: "<") {
        throw .malformed(
          reason: "line \(line(at: position, in: bytes)): text outside the root element")
      }
    }
    index = position
    guard position < bytes.count else { return }
    markupStart = position
    index += 1
    state = .markup
  }

  /// Reads the character after "<", which decides the kind of markup.
  mutating func readMarkup(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    let byte = bytes[index]
    word.removeAll(keepingCapacity: true)
    switch byte {
    case UInt8(ascii: "!"):
      state = .declaration
      index += 1
    case UInt8(ascii: "?"):
      state = .instruction
      matched = 0
      index += 1
    case UInt8(ascii: "/"):
      state = .endTag
      index += 1
    case _ where Self.startsName(byte):
      state = .tagName
    default:
      throw .malformed(
        reason: "line \(line(at: index, in: bytes)): \"<\" without a name after it")
    }
  }

  /// Reads the characters after "<!" until it knows which kind of declaration follows.
  mutating func readDeclaration(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    word.append(bytes[index])
    index += 1
    let kinds: [(String, State)] = [
      ("--", .comment), ("[CDATA[", .characterData), ("DOCTYPE", .documentType),
    ]
    for (start, next) in kinds where start.utf8.starts(with: word) {
      guard word.count == start.utf8.count else { return }
      let isAllowed =
        switch next {
        case .characterData: depth > 0
        case .documentType: !hasRoot && !hasDocumentType
        default: true
        }
      guard isAllowed else { break }
      if next == .documentType { hasDocumentType = true }
      matched = 0
      state = next
      return
    }
    throw .malformed(
      reason: "line \(lineOfMarkup(in: bytes)): a declaration that is not allowed here")
  }

  /// Skips the rest of a comment, a CDATA section or a processing instruction.
  mutating func skipToEnd(_ bytes: [UInt8], _ index: inout Int) {
    let (closing, count): (UInt8, Int) =
      switch state {
      case .characterData: (UInt8(ascii: "]"), 2)
      case .instruction, .subsetInstruction: (UInt8(ascii: "?"), 1)
      default: (UInt8(ascii: "-"), 2)
      }
    var run = matched
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == closing {
        run += 1
      } else if byte == UInt8(ascii: ">"), run >= count {
        state = state == .subsetComment || state == .subsetInstruction ? .subset : .text
        matched = 0
        return
      } else {
        run = 0
      }
    }
    matched = run
  }

  mutating func readName(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    let start = index
    var position = index
    while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
    // Of a long name, only the start is stored, because the names of the root and the element are
    // short.
    if word.count < 64 { word.append(contentsOf: bytes[start..<min(position, start + 64)]) }
    index = position
    guard position < bytes.count else { return }
    if depth == 0 {
      guard !hasRoot else {
        throw .malformed(
          reason: "line \(lineOfMarkup(in: bytes)): a second root element")
      }
      guard word == root else {
        throw .wrongFormat(
          expected: String(decoding: root, as: UTF8.self),
          found: String(decoding: word, as: UTF8.self))
      }
      hasRoot = true
    }
    if captured == nil, word == element {
      captured = Array("<".utf8) + word
      capturedLine = lineOfMarkup(in: bytes)
      capturedDepth = depth
    }
    endsWithSlash = false
    attributeCount = 0
    state = .tag
  }

  /// Skips the rest of a start tag with its attributes.
  mutating func skipTag(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    var position = index
    while position < bytes.count {
      if state == .quote {
        let mark = quotationMark
        while position < bytes.count, bytes[position] != mark, bytes[position] != UInt8(ascii: "<")
        {
          position += 1
        }
        guard position < bytes.count else { break }
        guard bytes[position] == mark else { throw strayBracket(bytes) }
        state = .tag
        position += 1
        continue
      }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        quotationMark = byte
        attributeCount += 1
        guard captured == nil || attributeCount <= Self.maximumAttributeCount else {
          throw .invalid(
            position: "line \(lineOfMarkup(in: bytes))",
            reason: "more than \(Self.maximumAttributeCount) attributes are not read")
        }
        state = .quote
        endsWithSlash = false
      case UInt8(ascii: ">"):
        if !endsWithSlash { depth += 1 }
        state = .text
        index = position
        return
      case UInt8(ascii: "<"):
        throw strayBracket(bytes)
      default:
        endsWithSlash = byte == UInt8(ascii: "/")
      }
    }
    index = position
  }

  mutating func readEndTag(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte != UInt8(ascii: "<") else { throw strayBracket(bytes) }
      guard byte == UInt8(ascii: ">") else { continue }
      guard depth > 0 else {
        throw .malformed(
          reason: "line \(lineOfMarkup(in: bytes)): an end tag without a start tag")
      }
      depth -= 1
      state = .text
      return
    }
  }

  private mutating func strayBracket(_ bytes: [UInt8]) -> UnreadableDocument {
    .malformed(
      reason: "line \(lineOfMarkup(in: bytes)): a tag that is not closed before the next one")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "="):
      true
    default: isSpace(byte)
    }
  }
}
