/// A report on the echo of a call. If the host renders and captures on two threads, the report also
/// describes these threads.
///
///     let report = processor.echoReport                          // any thread, such as a timer's
///     if report.problem == .referenceIsLate { log("pass playback before it is played") }
///     if let loss = report.returnLoss { meter.show("echo: \(loss) dB softer than playback") }
///
/// Values that are not known are nil. A value of 0 means that 0 was measured.
public struct EchoReport: Sendable, Equatable {
  /// Whether there is an echo.
  public enum Path: Sendable, Equatable, BitwiseCopyable {
    /// There has not been enough playback to detect an echo.
    case unknown
    /// The microphone signal does not contain the playback, for example because of headphones.
    case absent
    /// There is an echo.
    case present
  }

  /// A reason why the echo cannot be removed, or why the drift of the clocks cannot be measured.
  public enum Problem: Sendable, Equatable {
    /// The echo arrives in the microphone signal before the processor receives the playback. The
    /// host passes the playback to the processor too late, or the microphone signal too early. The
    /// problem is detected if the echo is at most 250 ms earlier than the playback.
    case referenceIsLate
    /// The delay of the echo is above the search range of 0.5 s. The problem is detected only if
    /// the delay is at most 0.75 s.
    case delayIsTooLong
    /// The render thread of a host with two threads has not rendered for a second.
    case renderingHasStopped
    /// The capture thread of a host with two threads has not captured for a second. All other
    /// values of the report are out of date.
    case capturingHasStopped
  }

  /// Whether there is an echo.
  public var path = Path.unknown

  /// The time in seconds from the playback to the strongest echo; nil while the delay is not known.
  /// The resolution is 0.1 ms.
  public var delay: Double?

  /// The level of playback minus the level of its echo in the microphone, in dB; nil without echo.
  public var returnLoss: Double?

  /// The attenuation of the microphone signal in dB by the linear canceller, measured while the
  /// signal is mostly echo; nil without echo.
  public var cancellation: Double?

  /// The attenuation of the microphone signal in dB by canceller and suppression together, measured
  /// while the signal is mostly echo. Nil without echo, and 0 if the microphone mode does not
  /// cancel echo. The value is limited by the noise of the room.
  public var reduction: Double?

  /// The drift in ppm: how much faster the clock of `render` is than the clock of `capture`. Nil in
  /// the first four seconds, while a thread has stopped, and in a host with one callback.
  public var drift: Double?

  /// The time in seconds from rendering a sample of the reference to reading it. Because of this
  /// lag, no samples are missing when a thread is late. Nil until both threads run, and in a host
  /// with one callback.
  public var lag: Double?

  /// How often reference samples were needed before they were rendered.
  public var underruns = 0

  /// How often reference samples were dropped because nothing had been captured for more than a
  /// second.
  public var overruns = 0

  /// The current problem; nil if there is none.
  public var problem: Problem?
}

// The packed word contains all values except the drift, the lag, and the counts of missing and
// dropped samples, which are read separately.
extension EchoReport: PackedWord {
  mutating func code(_ coder: inout WordCoder) {
    coder.code(&path, as: .absent)
    coder.code(&path, as: .present)
    coder.code(&problem, as: .referenceIsLate)
    coder.code(&problem, as: .delayIsTooLong)
    coder.code(&problem, as: .renderingHasStopped)
    coder.code(&delay, in: 0...0.8, steps: 10_000, bits: 13)
    coder.code(&returnLoss, in: -100...100, steps: 10, bits: 11)
    coder.code(&cancellation, in: -100...100, steps: 10, bits: 11)
    coder.code(&reduction, in: -100...100, steps: 10, bits: 11)
  }
}
