import ExampleSupport
import HearingVoice

/// The result of a call.
struct CallSummary {
  let history: CallHistory
  let sound: CallLevels.Result
  let echo: EchoReport
  let warnings: [String]

  init(
    history: CallHistory, levels: CallLevels, echo: EchoReport, controlsGain: Bool,
    warnings: [String]
  ) {
    self.history = history
    self.echo = echo
    self.warnings = warnings
    sound = levels.result(history, echo: echo, controlsGain: controlsGain)
  }

  var seconds: Double { history.seconds }

  /// The summary as lines of text for the terminal.
  var text: String {
    let gains = history.gains.map(\.gain)
    let ducking =
      gains.count > 8 ? "\(gains.count) changes" : gains.map { "\($0)" }.joined(separator: ", ")
    return """
      \(seconds.clockText) rendered
      voice activity: near \(history.near.count) times, far \(history.far.count) times
      talk while muted: \(history.mutedTalk.count) times
      ducking in dB: \(ducking)
      \(sound.lines.joined(separator: "\n"))
      echo: \(echoText)

      """
  }

  /// What the processor knew about the echo at the end of the call.
  var echoText: String {
    var text =
      switch echo.path {
      case .unknown: "not known, because too little was played"
      case .absent: "none found"
      case .present: "present"
      }
    if let loss = echo.returnLoss {
      let relation = loss < 0 ? "louder" : "softer"
      text += ", \(abs(loss).text(places: 1)) dB \(relation) than playback"
    }
    if let delay = echo.delay { text += ", after \(Int((delay * 1_000).rounded())) ms" }
    if let reduction = echo.reduction {
      text += ", lowered by \(reduction.text(places: 1)) dB while it was alone"
    }
    switch echo.problem {
    case .referenceIsLate: text += "; it comes before the playback: the files are not aligned"
    case .delayIsTooLong: text += "; its delay is longer than 0.5 s"
    case .renderingHasStopped, .capturingHasStopped, nil: break
    }
    return text
  }

  /// The summary as sentences.
  var sentences: [String] {
    var sentences = [
      Self.talk("At this end", history.near), Self.talk("At the other end", history.far),
    ]
    if history.muted.isEmpty {
      sentences.append("The microphone was never muted.")
    } else {
      sentences.append(
        "The microphone was muted for \(Self.total(history.muted)) (\(Self.list(history.muted))): "
          + "nothing was sent then, and this does not count as suppression.")
      sentences.append(
        history.mutedTalk.isEmpty
          ? "Nobody talked into the muted microphone."
          : "Somebody talked into the muted microphone: \(Self.list(history.mutedTalk)).")
    }
    if let deepest = history.gains.map(\.gain).min(), deepest < 0 {
      sentences.append(
        "Other audio was lowered by up to \((-deepest).text(places: 1)) dB; its level changed "
          + "\(Self.times(history.gains.count - 1)).")
    }
    sentences.append("Echo: \(echoText).")
    sentences.append(
      sound.lost.isEmpty
        ? "No talk of this end was lost."
        : "Of the talk at this end, \(sound.lostFraction) was lost, because it left more than 10 dB softer "
          + "than it came: \(Self.list(sound.lost)).")
    return sentences
  }

  private static func talk(_ end: String, _ spans: [Range<Double>]) -> String {
    guard !spans.isEmpty else { return "\(end) nobody talked." }
    return "\(end) somebody talked \(times(spans.count)), \(total(spans)) in all."
  }

  private static func times(_ count: Int) -> String {
    count == 0 ? "never" : count == 1 ? "once" : "\(count) times"
  }

  private static func total(_ spans: [Range<Double>]) -> String {
    "\(spans.reduce(0) { $0 + $1.upperBound - $1.lowerBound }.text(places: 1)) s"
  }

  /// The first time spans as text, in seconds.
  private static func list(_ spans: [Range<Double>]) -> String {
    let shown = spans.prefix(6).map { span in
      let (start, end) = (span.lowerBound.text(places: 1), span.upperBound.text(places: 1))
      return start == end ? "\(start) s" : "\(start)–\(end) s"
    }
    return shown.joined(separator: ", ")
      + (spans.count > shown.count ? " and \(spans.count - shown.count) more" : "")
  }
}

extension Double {
  /// The number with at most `places` decimals. Decimals that are zero are omitted.
  func text(places: Int) -> String {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let rounded = (self * factor).rounded() / factor
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}
