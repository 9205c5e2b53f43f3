/// One cell of a table.
struct CSVCell {
  /// The text, without leading and trailing white space.
  var text: String
  /// The line number, from 1.
  let line: Int
  /// The number of the cell in its line, from 1.
  let column: Int

  /// The position of the cell, such as "line 2, cell 3".
  var position: String { "line \(line), cell \(column)" }

  /// Whether the text can be an audiometric frequency: a number, with or without a unit. The unit
  /// is kHz if the text or the label of the row contains a "k".
  func isFrequency(label: String) -> Bool {
    let factor: Double = label.lowercased().contains("k") ? 1000 : 1
    let frequency = QuantityText.frequency(in: text, usualFactor: factor, decimalComma: true)
    return frequency.map(Audiogram.frequencyRange.contains) ?? false
  }
}
