import ExampleSupport

/// A stretch of time in which the microphone is muted, as START:END on the command line.
struct MuteSpan: Equatable {
  /// Seconds.
  let start: Double
  /// Seconds, after the start.
  let end: Double

  init(_ text: String, option: String) throws(UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Double(parts[0]), let end = Double(parts[1]) else {
      throw .unknownValue(
        option: option, value: text, permitted: ["START:END in seconds, such as 1.5:3"])
    }
    guard start >= 0, end > start, end <= Self.latest else {
      throw .outOfRange(
        option: option, value: text, permitted: "0 to \(Self.latest) s, with START before END")
    }
    self.start = start
    self.end = end
  }

  /// A year; nobody calls longer, and frames can be counted until then.
  private static let latest = 31_536_000.0
}
