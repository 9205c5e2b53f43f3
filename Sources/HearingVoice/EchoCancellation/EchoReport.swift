/// What a processor knows about the echo of a call.
///
///     let report = processor.echoReport                          // any thread, such as a timer's
///     if report.problem == .referenceIsLate { log("pass playback before it is played") }
///     if let loss = report.returnLoss { meter.show("echo: \(loss) dB softer than playback") }
///
/// Values that are not known are nil: a value of 0 is a measured 0.
public struct EchoReport: Sendable, Equatable {
  /// Whether there is an echo.
  public enum Path: Sendable, Equatable {
    /// There has not been enough playback to find out.
    case unknown
    /// Playback has not been found in the microphone, as with headphones.
    case absent
    /// There is an echo.
    case present
  }

  /// Why the echo cannot be removed, or the clocks cannot be compared.
  public enum Problem: Sendable, Equatable {
    /// The echo is in the microphone before the processor gets the playback. The host passes
    /// playback too late, or the microphone's buffer too early. Detected up to 250 ms.
    case referenceIsLate
    /// The delay of the echo is above the search range of 0.5 s. Detected up to 0.75 s.
    case delayIsTooLong
    /// The thread that renders has not rendered for a second. Only in a host with two threads.
    case renderingHasStopped
    /// The thread that captures has not captured for a second. Only in a host with two threads. All
    /// other values are older.
    case capturingHasStopped
  }

  /// Whether there is an echo.
  public var path = Path.unknown

  /// The time from playback to its strongest echo in seconds; nil while it is not found. Steps of
  /// 0.1 ms.
  public var delay: Double?

  /// The level of playback minus the level of its echo in the microphone, in dB; nil without echo.
  public var returnLoss: Double?

  /// By how many dB the linear canceller lowers the microphone while there is mostly echo; nil
  /// without echo.
  public var cancellation: Double?

  /// The attenuation of the microphone signal by canceller and suppression together, in dB,
  /// measured while the signal is mostly echo. Nil without echo; 0 if the microphone mode cancels
  /// no echo. The room's noise limits it.
  public var reduction: Double?

  /// By how many ppm the clock of `render` is faster than that of `capture`; nil for the first four
  /// seconds, while a thread has stopped, and in a host with one callback.
  public var drift: Double?

  /// What is wrong; nil if nothing is.
  public var problem: Problem?

  /// Nothing is known.
  init() {}
}

extension VoiceProcessor {
  /// What is known about the echo, as of the last 10 ms. Any thread, wait-free.
  public var echoReport: EchoReport {
    var report = EchoReport(word: board.echoWord)
    if link.isUncaptured(samples: Int(sampleRate)) { report.problem = .capturingHasStopped }
    let isStopped =
      report.problem == .capturingHasStopped || report.problem == .renderingHasStopped
    report.drift = isStopped || link.drift.isNaN ? nil : Double(link.drift)
    return report
  }
}
