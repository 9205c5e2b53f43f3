import Foundation

/// A table with headings. It is printed with aligned columns.
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
  /// The number with `count` digits after the decimal point.
  func digits(_ count: Int) -> String {
    String(format: "%.\(count)f", self)
  }
}

extension Table {
  /// Creates a table of costs and their limits.
  static func ofCosts() -> Table {
    Table("operation", "at most", "best", "median", "allocations")
  }

  mutating func add(_ name: String, _ limit: Double?, _ cost: Measurement) {
    add(
      name, limit.map { $0.digits(0) } ?? "–", cost.best.digits(1), cost.median.digits(1),
      cost.allocations.isNaN ? "–" : cost.allocations.digits(2))
  }
}

extension Measurement {
  /// The cost of each part, if an operation consists of `count` equal parts.
  func divided(by count: Int) -> Measurement {
    let count = Double(count)
    return Measurement(
      best: best / count, median: median / count, allocations: allocations / count)
  }
}
