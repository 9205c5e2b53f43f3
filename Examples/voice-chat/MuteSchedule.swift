/// When the microphone is muted, in frames.
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

  /// The first frame after `frame` in which that may be different; nil: it stays as it is.
  func nextChange(after frame: Int) -> Int? {
    spans.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > frame }.min()
  }
}
