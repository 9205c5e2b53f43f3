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
  var text: String { (events + figures).joined(separator: "\n") + "\n" }

  /// What was measured, as lines of text.
  var figures: [String] { ["\(seconds.clockText) rendered"] + sound.lines + ["echo: \(echoText)"] }

  /// Whether the processor has found an echo in the call.
  private var echoPath: String {
    switch echo.path {
    case .unknown: "not known"
    case .absent: "none found"
    case .present: "present"
    }
  }

  /// The last report of the processor about the echo, as text.
  private var echoText: String {
    var text = echoPath
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

  /// The events of the call and the state of the echo, as sentences.
  var sentences: [String] { events + ["Echo: \(echoPath)."] }

  /// Talk, mutes, attenuation of other audio, and lost talk with their times, as sentences.
  private var events: [String] {
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
    if let ducking { sentences.append(ducking) }
    sentences.append(
      sound.lost.isEmpty
        ? "No talk of this end was lost."
        : "Of the talk at this end, \(sound.lostFraction) was lost, because it left more than 10 dB softer "
          + "than it came: \(Self.list(sound.lost)).")
    return sentences
  }

  private static func talk(_ end: String, _ spans: [Range<Double>]) -> String {
    guard !spans.isEmpty else { return "\(end) nobody talked." }
    let times = spans.count == 1 ? "once" : "\(spans.count) times"
    return "\(end) somebody talked \(times), \(total(spans)) in all: \(list(spans))."
  }

  /// A sentence that says when other audio was lowered, and by how many dB; nil if other audio was
  /// never lowered.
  private var ducking: String? {
    let depths = Set(history.ducking.map(\.depth)).sorted(by: >)
    guard let deepest = depths.first, let usual = depths.last, deepest > 0 else { return nil }
    func decibels(_ depth: Double) -> String { "by \(depth.text(places: 1)) dB" }
    if depths.count == 1 { return "Other audio was lowered \(decibels(deepest)) all the time." }
    let clauses = depths.dropLast().map { depth in
      let spans = history.ducking.filter { $0.depth == depth }.map(\.span)
      return "\(decibels(depth)) at \(Self.list(spans))"
    }
    return "Other audio was lowered by up to \(deepest.text(places: 1)) dB: "
      + clauses.joined(separator: "; ") + "; otherwise "
      + (usual > 0 ? "\(decibels(usual))." : "not at all.")
  }

  private static func total(_ spans: [Range<Double>]) -> String {
    "\(spans.reduce(0) { $0 + $1.upperBound - $1.lowerBound }.text(places: 1)) s"
  }

  /// The first six time spans in seconds, and the number of further time spans, as text.
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
