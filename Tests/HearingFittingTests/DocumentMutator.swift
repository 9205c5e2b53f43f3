import TestSupport

/// Damages documents at random positions. Changes bytes, numbers or words.
struct DocumentMutator {
  /// The words that are inserted, or that replace words of the document.
  let words: [String]

  /// Damages the document at one random position.
  func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return bytes.append(.random(in: 0...255, using: &generator)) }
    let position = Int.random(in: bytes.indices, using: &generator)
    let end = Int.random(in: position...min(bytes.count, position + 30), using: &generator)
    switch Int.random(in: 0..<16, using: &generator) {
    case 8...:
      // Changes a digit. After this change, the syntax of the document usually remains valid.
      let digits = bytes.indices.filter {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0])
      }
      guard let digit = digits.randomElement(using: &generator) else { return }
      let digitOrMore =
        ["1", "7", "0", "99", "5.5", "3e", "-"].randomElement(using: &generator) ?? ""
      bytes.replaceSubrange(digit...digit, with: digitOrMore.utf8)
    case 0: bytes[position] = .random(in: 0...255, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.removeSubrange(position..<end)
    case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
    case 4: bytes.removeSubrange(position...)
    case 5:
      let word = words.randomElement(using: &generator) ?? ""
      bytes.insert(contentsOf: word.utf8, at: position)
    default:
      // Replaces a word or a number of the document.
      let separators: Set<UInt8> = Set(" \n:,;\t[]{}<>=\"'".utf8)
      let start = bytes[..<position].lastIndex(where: separators.contains).map { $0 + 1 } ?? 0
      let stop = bytes[position...].firstIndex(where: separators.contains) ?? bytes.count
      let word = words.randomElement(using: &generator) ?? ""
      bytes.replaceSubrange(start..<max(start, stop), with: word.utf8)
    }
  }
}
