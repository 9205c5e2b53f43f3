/// A report on the echo of a call. For a host that renders and captures on two threads, the report
/// also describes the two threads.
///
///     let report = processor.echoReport                    // any thread, for example a timer
///     if report.problem == .referenceIsLate { log("pass playback before it is played") }
///     if let loss = report.returnLoss { meter.show("echo: \(loss) dB softer than playback") }
///
/// A property is nil if its value is not known. A value of 0 means that 0 was measured.
public struct EchoReport: Sendable, Equatable {
  /// Whether there is an echo.
  public enum Path: Sendable, Equatable, BitwiseCopyable {
    /// It is not known whether there is an echo. At the start of a call, the path is unknown until
    /// there has been enough playback for a decision. The path also becomes unknown if the
    /// processor no longer finds an echo that was present. For example, near-end speech can hide
    /// the echo.
    case unknown
    /// The microphone signal does not contain the playback, for example because of headphones.
    case absent
    /// There is an echo.
    case present
  }

  /// A reason why the echo cannot be removed, or why the drift of the clocks cannot be measured.
  public enum Problem: Sendable, Equatable {
    /// The echo arrives in the microphone signal before the processor receives the playback that
    /// caused the echo. Either the host passes the playback to the processor too late, or the host
    /// passes the microphone signal too early. The processor detects this problem if the echo
    /// arrives at most 250 ms before the processor receives the playback.
    case referenceIsLate
    /// The delay of the echo is longer than 0.5 s, the maximum that the processor supports. The
    /// processor detects this problem only if the delay is at most 0.75 s.
    case delayIsTooLong
    /// The render thread of a host with two threads has not rendered for a second.
    case renderingHasStopped
    /// The capture thread of a host with two threads has not captured for a second. In a report
    /// with the problem `capturingHasStopped`, all other properties are out of date.
    case capturingHasStopped
  }

  /// Whether there is an echo.
  public var path = Path.unknown

  /// The time in seconds from the playback to the strongest echo, or nil while this time is not
  /// known. The resolution is 0.1 ms.
  public var delay: Double?

  /// The level of the playback minus the level of the echo in the microphone signal, in dB. The
  /// value is nil if there is no echo.
  public var returnLoss: Double?

  /// The attenuation of the microphone signal by the linear canceller in dB, or nil if there is no
  /// echo. The attenuation is measured while the microphone signal is mostly echo.
  public var cancellation: Double?

  /// The attenuation of the microphone signal by canceller and suppression together in dB, or nil
  /// if there is no echo. The attenuation is measured while the microphone signal is mostly echo.
  /// If the microphone mode does not cancel echo, the attenuation is 0. The noise of the room
  /// limits the attenuation.
  public var reduction: Double?

  /// The drift of the two audio clocks in ppm. A positive drift means that the clock of the render
  /// thread is faster than the clock of the capture thread. While the measurement is uncertain, the
  /// value is closer to 0 than the true drift. The drift is nil in the first four seconds. The
  /// drift is also nil while one of the two threads has stopped. In a host with one callback, the
  /// drift is always nil.
  public var drift: Double?

  /// The time in seconds for which a playback sample is stored between the two threads. The time
  /// begins when `render` writes the sample, and ends when `capture` reads the sample. Because of
  /// this lag, no samples are missing if a thread is late. The lag is nil until both threads run.
  /// In a host with one callback, the lag is always nil.
  public var lag: Double?

  /// How often `capture` needed playback samples that `render` had not yet written.
  public var underruns = 0

  /// How often `render` dropped playback samples because `capture` had not read any samples for
  /// more than a second.
  public var overruns = 0

  /// The current problem, or nil if there is no problem.
  public var problem: Problem?
}

// The packed word does not contain `drift`, `lag`, `underruns` and `overruns`. These four
// properties have their own atomic words in `HostLink`.
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
