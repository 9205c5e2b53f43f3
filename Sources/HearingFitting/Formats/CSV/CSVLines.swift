/// The lines of a table, one after the other, without empty ones, comments and the line that tells
/// Excel the separator.
struct CSVLines: IteratorProtocol {
  private var rest: Substring
  private var number = 0

  init(_ text: String) {
    rest = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
  }

  /// The next line and its number, from 1.
  mutating func next() -> (number: Int, text: Substring)? {
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      guard let start = line.first(where: { !$0.isWhitespace }), start != "#" else { continue }
      guard line.utf8.count > 8 || !line.lowercased().hasPrefix("sep=") else { continue }
      return (number, line)
    }
    return nil
  }
}
