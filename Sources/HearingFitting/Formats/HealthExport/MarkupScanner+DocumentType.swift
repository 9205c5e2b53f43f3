/// Skips the document type.
///
/// The declarations inside the document type need not be well-formed. An entity declaration is an
/// error, because it could change the content of the document. An external reference is also an
/// error. The scanner resolves neither entities nor external references.
extension MarkupScanner {
  mutating func readDocumentType(_ bytes: [UInt8], _ index: inout Int) throws(UnreadableDocument) {
    if state == .subsetComment || state == .subsetInstruction {
      skipToEnd(bytes, &index)
      return
    }
    let byte = bytes[index]
    index += 1
    switch (state, byte) {
    case (.documentType, UInt8(ascii: "[")):
      state = .subset
    case (.documentType, UInt8(ascii: ">")), (.afterSubset, UInt8(ascii: ">")):
      state = .text
    case (.documentType, UInt8(ascii: "\"")), (.documentType, UInt8(ascii: "'")):
      throw .malformed(
        reason: "line \(lineOfMarkup(in: bytes)): an external document type is not supported")
    case (.documentType, UInt8(ascii: "<")):
      throw .malformed(
        reason: "line \(lineOfMarkup(in: bytes)): an unclosed document type")
    case (.subset, UInt8(ascii: "]")):
      state = .afterSubset
    case (.subset, UInt8(ascii: "<")):
      state = .subsetMarkup
    case (.subset, UInt8(ascii: "\"")), (.subset, UInt8(ascii: "'")):
      quotationMark = byte
      state = .subsetQuote
    case (.subsetQuote, quotationMark):
      state = .subset
    case (.subsetMarkup, UInt8(ascii: "?")):
      matched = 0
      state = .subsetInstruction
    case (.subsetMarkup, UInt8(ascii: "!")):
      word.removeAll(keepingCapacity: true)
      state = .subsetDeclaration
    case (.subsetMarkup, _):
      state = .subset
    case (.subsetDeclaration, _):
      try readSubsetDeclaration(bytes, index - 1)
    case (.afterSubset, _) where !Self.isSpace(byte):
      throw .malformed(
        reason: "line \(lineOfMarkup(in: bytes)): an unclosed document type")
    default:
      break
    }
  }

  private mutating func readSubsetDeclaration(
    _ bytes: [UInt8], _ index: Int
  ) throws(UnreadableDocument) {
    word.append(bytes[index])
    if word.elementsEqual("--".utf8) {
      matched = 0
      state = .subsetComment
    } else if word.elementsEqual("ENTITY".utf8) {
      throw .malformed(
        reason: "line \(line(at: index, in: bytes)): a document type with entity declarations "
          + "is not supported")
    } else if !"ENTITY".utf8.starts(with: word), !"--".utf8.starts(with: word) {
      state = .subset
    }
  }
}
