/// Finds the word that a user probably meant.
public enum Spelling {
  /// The candidate that needs the fewest edits to become `word`; nil if none is near.
  ///
  /// A candidate is near if at most a third of the longer word's characters, but at least two, differ
  /// (optimal string alignment distance: insertions, deletions, substitutions, swapped neighbours).
  /// Of two equally near candidates the first is returned.
  public static func nearest(to word: String, in candidates: [String]) -> String? {
    let word = word.lowercased().prefix(80)
    let distances = candidates.map { (candidate: $0, distance: distance(Array(word), Array($0))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= max(2, max(word.count, best.candidate.count) / 3)
    else { return nil }
    return best.candidate
  }

  /// The names of the long options in a help text, in order.
  static func options(in help: String) -> [String] {
    let words = help.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")) }
    return words.filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init)
  }

  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var rows = [Array(0...second.count)]
    for (row, left) in first.enumerated() {
      var costs = [row + 1]
      for (column, right) in second.enumerated() {
        let substituted = rows[row][column] + (left == right ? 0 : 1)
        var cost = min(substituted, rows[row][column + 1] + 1, costs[column] + 1)
        if row > 0, column > 0, left == second[column - 1], right == first[row - 1] {
          cost = min(cost, rows[row - 1][column - 1] + 1)
        }
        costs.append(cost)
      }
      rows.append(costs)
    }
    return rows[first.count][second.count]
  }
}
