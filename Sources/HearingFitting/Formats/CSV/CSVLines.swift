import Foundation

/// One cell of a table.
struct CSVCell {
  /// The text of the cell, without leading and trailing white space.
  var text: String
  /// The number of the line, counted from 1.
  let line: Int
  /// The number of the cell in the line, counted from 1.
  let column: Int

  /// The position of the cell, such as "line 2, cell 3".
  var position: String { "line \(line), cell \(column)" }

  /// The factor that converts the frequencies of the table to Hz: 1 or 1000. Only the header cell
  /// of the frequencies defines this factor.
  var frequencyFactor: Double { text.lowercased().contains("khz") ? 1000 : 1 }

  /// Whether the text is a frequency from 100 Hz to 20 kHz: a number, with or without a unit.
  /// `factor` converts a number without a unit to Hz.
  func isFrequency(factor: Double = 1) -> Bool {
    let frequency = QuantityText.frequency(in: text, usualFactor: factor, decimalComma: true)
    return frequency.map(Audiogram.frequencyRange.contains) ?? false
  }
}

/// One line of a table.
struct CSVLine {
  /// The maximum number of cells in a line.
  static let maximumCellCount = 1000

  /// The number of the line, counted from 1.
  let number: Int
  let text: Substring

  /// Splits the line into cells. A cell may be in quotation marks. In a cell with quotation marks,
  /// a pair of adjacent quotation marks means one quotation mark (RFC 4180).
  ///
  /// - Throws: ``UnreadableDocument`` if a quotation mark is not closed or if there are too many
  ///   cells.
  func cells(_ separator: Character) throws(UnreadableDocument) -> [CSVCell] {
    var texts = [""]
    var (isQuoted, isOpen) = (false, false)
    for character in text {
      let last = texts.count - 1
      switch character {
      case "\"" where isOpen: isOpen = false
      case "\"" where isQuoted:
        texts[last].append(character)
        isOpen = true
      case "\"" where texts[last].allSatisfy(\.isWhitespace):
        texts[last] = ""
        (isQuoted, isOpen) = (true, true)
      case separator where !isOpen:
        guard texts.count < Self.maximumCellCount else {
          throw .invalid(
            position: "line \(number)",
            reason: "more than \(Self.maximumCellCount) cells are not read")
        }
        texts.append("")
        isQuoted = false
      default: texts[last].append(character)
      }
    }
    guard !isOpen else { throw .malformed(reason: "line \(number): an unclosed quotation mark") }
    return texts.enumerated().map { index, text in
      CSVCell(
        text: text.trimmingCharacters(in: .whitespacesAndNewlines), line: number,
        column: index + 1)
    }
  }
}

/// Iterates over the lines of a table. Empty lines, comments and Excel's "sep=" line are skipped.
struct CSVLines: Sequence, IteratorProtocol {
  private var rest: Substring
  private var number = 0

  init(_ text: String) { rest = text.first == "\u{FEFF}" ? text.dropFirst() : text[...] }

  /// Returns the next line.
  mutating func next() -> CSVLine? {
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      guard let start = line.first(where: { !$0.isWhitespace }), start != "#" else { continue }
      guard line.utf8.count > 8 || !line.lowercased().hasPrefix("sep=") else { continue }
      return CSVLine(number: number, text: line)
    }
    return nil
  }
}
