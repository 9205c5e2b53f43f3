import HearingReport
import HearingVoice

/// The history of a call. It contains events and their times in seconds.
struct CallHistory {
  let seconds: Double
  let muted: [Range<Double>]
  let near: [Range<Double>]
  let far: [Range<Double>]
  let mutedTalk: [Range<Double>]
  /// The time spans in which the target gain of other audio, such as music, stays the same. `depth`
  /// is the attenuation in dB.
  let ducking: [(span: Range<Double>, depth: Double)]

  init(seconds: Double, events: [CallEvent], muted: [Range<Double>]) {
    self.seconds = seconds
    self.muted = muted
    near = Self.spans(events, until: seconds) { $0.side == VoiceSide.near.rawValue }
    far = Self.spans(events, until: seconds) { $0.side == VoiceSide.far.rawValue }
    // If the microphone is unmuted, talk into the muted microphone ends without an event.
    mutedTalk = Self.spans(events, until: seconds) { $0.event == "mutedTalker" }.map { talk in
      let end = muted.first { $0.contains(talk.lowerBound) }?.upperBound ?? talk.upperBound
      return talk.lowerBound..<min(talk.upperBound, max(end, talk.lowerBound))
    }
    let gains = events.compactMap { event in event.gain.map { (time: event.t, gain: $0) } }
    ducking = zip(gains, gains.dropFirst().map(\.time) + [seconds]).compactMap { gain, end in
      gain.time < end ? (gain.time..<end, -gain.gain) : nil
    }
  }

  /// The time spans between the starts and the ends of the events that `isMeant` accepts.
  private static func spans(
    _ events: [CallEvent], until end: Double, where isMeant: (CallEvent) -> Bool
  ) -> [Range<Double>] {
    var spans: [Range<Double>] = []
    var start: Double?
    for event in events where isMeant(event) && event.t <= end {
      if let first = start.take() { spans.append(first..<event.t) }
      if event.state == "started" { start = event.t }
    }
    if let start { spans.append(start..<end) }
    return spans
  }

  /// A timeline of talk at both ends, mutes, attenuation of other audio, and lost talk.
  func picture(lost: [Range<Double>]) -> TimelinePicture {
    func bars(_ spans: [Range<Double>]) -> [TimelinePicture.Span] { spans.map { .init($0) } }
    let deepest = ducking.map(\.depth).max() ?? 0
    let lowered = ducking.filter { $0.depth > 0 }.map { span, depth in
      TimelinePicture.Span(span, text: "\(depth.text(places: 1)) dB").shaded(depth / deepest)
    }
    return TimelinePicture(
      seconds: max(seconds, 0.01),
      rows: [
        TimelinePicture.Row("Talk at this end", bars(near)).accented,
        TimelinePicture.Row("Talk of this end that was lost", bars(lost)).warning,
        TimelinePicture.Row("Talk at the other end", bars(far)).accented,
        TimelinePicture.Row("Microphone muted", bars(muted)),
        TimelinePicture.Row("Talk into the muted microphone", bars(mutedTalk)).warning,
        TimelinePicture.Row("Other audio lowered", lowered),
      ], title: "The call over time")
  }
}
