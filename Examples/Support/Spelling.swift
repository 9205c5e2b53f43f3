/// Finds the word that a user probably meant.
public enum Spelling {
  /// The candidate that needs the fewest insertions and deletions to become `word`; nil if no
  /// candidate is similar. If two candidates need the same number of edits, returns the first.
  ///
  /// A candidate is similar if the number of edits is at most two, or at most half the length of
  /// the longer word.
  public static func nearest(to word: String, in candidates: [String]) -> String? {
    let word = word.lowercased().prefix(80)
    let edits = candidates.map { (candidate: $0, count: Array($0).difference(from: word).count) }
    guard let best = edits.min(by: { $0.count < $1.count }),
      best.count <= max(2, max(word.count, best.candidate.count) / 2)
    else { return nil }
    return best.candidate
  }

  /// The names of the long options in a help text, in the order of the text.
  static func options(in help: String) -> [String] {
    let words = help.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")) }
    return words.filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init)
  }
}
