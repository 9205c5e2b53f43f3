import ExampleSupport

/// The time spans in which the microphone is muted, in frames since the start of the call.
struct MuteSchedule {
  private let spans: [Range<Int>]

  /// Creates a schedule. The spans may touch and overlap.
  init(_ spans: [MuteSpan], sampleRate: Double) {
    self.spans = spans.map { span in
      let start = Int((span.start * sampleRate).rounded())
      return start..<max(start, Int((span.end * sampleRate).rounded()))
    }
  }

  /// Whether the microphone is muted at this frame.
  func isMuted(at frame: Int) -> Bool {
    spans.contains { $0.contains(frame) }
  }

  /// The muted spans before the frame `end`, in order. Spans that touch or overlap are joined.
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

/// A time span in which the microphone is muted. On the command line it has the form START:END.
struct MuteSpan: Equatable {
  /// The start in seconds.
  let start: Double
  /// The end in seconds; it is greater than the start.
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

  /// The maximum time on the command line: one year in seconds.
  private static let latest = 31_536_000.0
}
