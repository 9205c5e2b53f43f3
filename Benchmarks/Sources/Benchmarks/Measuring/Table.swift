import Foundation

/// Prints rows under headings, in columns.
struct Table {
  private let headings: [String]
  private var rows: [[String]] = []

  init(_ headings: String...) {
    self.headings = headings
  }

  mutating func add(_ cells: String...) {
    rows.append(cells)
  }

  func print() {
    let all = [headings] + rows
    let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    for row in all {
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }
}

extension Double {
  /// With so many digits after the point.
  func digits(_ count: Int) -> String {
    String(format: "%.\(count)f", self)
  }
}
