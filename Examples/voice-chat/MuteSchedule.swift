import ExampleSupport

/// The times at which the microphone is muted, in frames.
struct MuteSchedule {
  private let spans: [Range<Int>]

  /// Spans may touch and overlap.
  init(_ spans: [MuteSpan], sampleRate: Double) {
    self.spans = spans.map { span in
      let start = Int((span.start * sampleRate).rounded())
      return start..<max(start, Int((span.end * sampleRate).rounded()))
    }
  }

  /// Whether the microphone is muted in this frame.
  func isMuted(at frame: Int) -> Bool {
    spans.contains { $0.contains(frame) }
  }

  /// The muted frames before `end`, in order and joined where they touch.
  func spans(until end: Int) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) where span.lowerBound < end {
      let upper = min(span.upperBound, end)
      if let last = joined.last, last.upperBound >= span.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, upper)
      } else {
        joined.append(span.lowerBound..<upper)
      }
    }
    return joined
  }

  /// The first frame after `frame` at which a span starts or ends; nil if there is none.
  func nextChange(after frame: Int) -> Int? {
    spans.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > frame }.min()
  }
}

/// A time span in which the microphone is muted, START:END on the command line.
struct MuteSpan: Equatable {
  /// In seconds.
  let start: Double
  /// In seconds; greater than the start.
  let end: Double

  init(_ text: String, option: String) throws(UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Double(parts[0]), let end = Double(parts[1]) else {
      throw .invalidValue(
        option: option, reason: "\(text.quoted) is not START:END in seconds, such as 1.5:3")
    }
    guard start >= 0, end > start, end <= Self.latest else {
      throw .outOfRange(
        option: option, value: text, permitted: "0…\(Int(Self.latest)) s, with START before END")
    }
    self.start = start
    self.end = end
  }

  /// One year in seconds.
  private static let latest = 31_536_000.0
}
