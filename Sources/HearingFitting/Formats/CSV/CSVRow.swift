/// One line of a table, cut into cells.
struct CSVRow {
  /// The most cells of a line that are read.
  static let maximumCellCount = 1000

  /// The line, from 1.
  let line: Int
  /// Without the spaces around them.
  let cells: [Substring]

  /// Whether no cell holds anything.
  var isEmpty: Bool { cells.allSatisfy(\.isEmpty) }

  /// Cuts a line; a cell may stand in quotation marks, which are doubled inside it (RFC 4180).
  ///
  /// - Throws: ``UnreadableDocument`` for a quotation mark that is not closed on the line, and for
  ///   too many cells.
  init(_ text: Substring, line: Int, separator: Character) throws(UnreadableDocument) {
    var cells: [Substring] = []
    var cell = ""
    var (isQuoted, isOpen) = (false, false)
    for character in text {
      switch character {
      case "\"" where isOpen: isOpen = false
      case "\"" where isQuoted:
        cell.append(character)
        isOpen = true
      case "\"" where cell.allSatisfy(\.isWhitespace):
        cell = ""
        (isQuoted, isOpen) = (true, true)
      case separator where !isOpen:
        guard cells.count < Self.maximumCellCount else {
          throw .invalid(
            place: "line \(line)", reason: "more than \(Self.maximumCellCount) cells are not read")
        }
        cells.append(Self.trimmed(cell))
        cell = ""
        isQuoted = false
      default: cell.append(character)
      }
    }
    guard !isOpen else {
      throw .malformed(reason: "line \(line): a quotation mark that is not closed")
    }
    cells.append(Self.trimmed(cell))
    self.line = line
    self.cells = cells
  }

  private static func trimmed(_ cell: String) -> Substring {
    var rest = cell.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
