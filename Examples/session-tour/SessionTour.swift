import ExampleSupport
import HearingProcessing
import Synchronization

/// Shows the classes with which an app controls processing, in the order in which an app uses them.
///
///     swift run session-tour
///
/// The tour prints each event when it happens. The time is simulated by a `ManualScheduler`.
/// Therefore the tour does not wait, and it always prints the same lines.
@main
struct SessionTour {
  let scheduler = ManualScheduler()
  let source = DefaultPresetDataSource(fitting: .techLevel(2))
  let controller: ProcessingController
  let session: ProcessingSession

  static func main() {
    Command("session-tour", help: help).run { arguments async throws(CommandFailure) in
      var reader = ArgumentReader(arguments)
      do throws(UsageError) {
        switch try reader.next() {
        case .option(let name): throw .unknownOption(name)
        case .operand(let text): throw .unexpectedOperand(text)
        case nil: break
        }
      } catch {
        throw .usage(error)
      }
      do {
        try await run()
      } catch {
        throw .badData(input: "the tour", reason: "\(error)")
      }
    }
  }

  private static let help = """
    Shows the control plane step by step: sessions, parameters, applicators, delivery, refusal,
    time-outs, synchronization, interruptions, updates, presets. Time is simulated.

      session-tour

      --help       print this help
      --version    print the version

    Exit codes: 64 wrong command line.

    """

  private static func run() async throws {
    let tour = try SessionTour()
    tour.observe()
    tour.applyContinuously()
    tour.applyDiscretely()
    tour.beRefused()
    tour.runOutOfTime()
    tour.synchronize()
    tour.release()
    tour.interrupt()
    tour.update()
    try await tour.reload()
    tour.deactivate()
  }

  init() throws {
    Narrator.chapter("Activate")
    controller = ProcessingController(scheduler: scheduler)
    session = try controller.activate(presetDataSource: .default(source))
    Narrator.say("a session is active; enabled: \(session.isEnabled.value)")
    do {
      try controller.activate(presetDataSource: .default(source))
    } catch {
      Narrator.say("a second one: \(error)")
    }
  }

  private func observe() {
    Narrator.chapter("Observe")
    let token = session.intensity.$value.sink { Narrator.say("a subscriber sees intensity \($0)") }
    session.intensity.apply(0.8)
    token.cancel()
    session.intensity.apply(0.9)
    Narrator.say("after cancelling it does not see \(session.intensity.value)")
  }

  private func applyContinuously() {
    Narrator.chapter("Apply")
    let left = headphone("left", on: session.intensity)
    let right = headphone("right", on: session.intensity)
    Narrator.result(of: session.intensity.apply(0.5))
    Narrator.say("left has \(text(left)), right has \(text(right))")
    Narrator.result(of: session.intensity.apply(.nan))
  }

  private func applyDiscretely() {
    Narrator.chapter("Discrete delivery")
    let headphone = headphone("headphone", on: session.intensity)
    session.intensity.deliveryMode = .discrete(seconds: 0.2)
    let results = [0.1, 0.2, 0.3].map { (value: Float) in
      Narrator.say("the slider moves to \(value)")
      return session.intensity.apply(value)
    }
    scheduler.advance(by: .seconds(0.1))
    Narrator.say("after 0.1 s the headphone has \(text(headphone))")
    scheduler.advance(by: .seconds(0.1))
    for result in results { Narrator.result(of: result) }
    session.intensity.deliveryMode = .continuous
  }

  private func beRefused() {
    Narrator.chapter("canApply refuses")
    let willing = headphone("willing", on: session.intensity)
    let unwilling = headphone("unwilling", on: session.intensity).canApply { $0 <= 0.5 }
    session.intensity.apply(0.4)
    Narrator.result(of: session.intensity.apply(1))
    Narrator.say("willing has \(text(willing)), unwilling has \(text(unwilling))")
  }

  private func runOutOfTime() {
    Narrator.chapter("Time-out")
    let silent = session.intensity.applicator().timeout(0.5).apply { value, result in
      Narrator.say("silent is asked for \(value) and keeps the result handler")
      unanswered.hold(result)
    }
    let result = session.intensity.apply(0.6)
    scheduler.advance(by: .seconds(0.5))
    Narrator.result(of: result)
    unanswered.answer(.success)
    Narrator.say("its late answer is ignored: it has \(text(silent))")
  }

  private func synchronize() {
    Narrator.chapter("Synchronize")
    let late = headphone("late", on: session.intensity)
    Narrator.say("late joined and has \(text(late))")
    session.intensity.synchronizeApplicators()
    let (dial, result) = session.intensity.applicator(synchronizing: 0.75)
    _ = dial.apply { _, result in result(.success) }
    Narrator.result(of: result)
    Narrator.say("the dial already had \(text(dial))")
  }

  private func release() {
    Narrator.chapter("Weakly held")
    var passing: ProcessingApplicator<Float>? = headphone("passing", on: session.intensity)
    session.intensity.apply(0.2)
    Narrator.say("passing has \(passing.map(text) ?? "gone")")
    passing = nil
    Narrator.result(of: session.intensity.apply(0.3))
  }

  private func interrupt() {
    Narrator.chapter("Interrupt")
    let switching = session.isEnabled.applicator().apply { isEnabled, result in
      Narrator.say("processing goes \(isEnabled ? "on" : "off")")
      result(.success)
    }
    session.isEnabled.apply(true)
    session.interrupt(reason: "hearing test")
    session.interrupt(reason: "phone call")
    Narrator.result(of: session.isEnabled.apply(true))
    session.resolve(interruption: "hearing test")
    Narrator.say("interrupted: \(session.isInterrupted)")
    session.resolve(interruption: "phone call")
    Narrator.say("interrupted: \(session.isInterrupted), enabled: \(session.isEnabled.value)")
    switching.cancel()
  }

  private func update() {
    Narrator.chapter("Update")
    controller.trace = { event in
      if event.kind == .sequenceEnded { Narrator.say("trace: \(event.subject) ends") }
    }
    let headphone = session.applicator(named: "headphone").apply { values, result in
      Narrator.say("one write: enabled \(values.isEnabled), intensity \(values.intensity)")
      result(.success)
    }
    let percent = session.$values.map { Int((100 * $0.intensity).rounded()) }.removeDuplicates()
    let token = percent.sink { Narrator.say("a subscriber sees \($0) %") }
    session.update { values in
      values.isEnabled = false
      values.intensity = 0.5
    }
    if case .failure(let error)? = session.update({ $0.intensity = 2 }).outcome {
      Narrator.say("refused: \(error)")
    }
    controller.trace = nil
    token.cancel()
    headphone.cancel()
  }

  private func reload() async throws {
    Narrator.chapter("Reload")
    let nothing = try await session.preset.reload().get()
    Narrator.say("without a profile: \(nothing == nil ? "no preset" : "a preset")")
    source.profile = HearingProfile(left: .n2, right: .n3)
    if let preset = try await session.preset.reload().get(), let left = preset.left,
      let right = preset.right
    {
      let gains = [left, right].map { Int($0.gain(at: 2_000, inputLevel: 65).rounded()) }
      Narrator.say("gain at 2 kHz: left \(gains[0]) dB, right \(gains[1]) dB")
    }
    source.fitting = .techLevel(9)
    await Narrator.result(ofLoading: session.preset.reload())
  }

  private func deactivate() {
    Narrator.chapter("Deactivate")
    controller.deactivate()
    Narrator.result(of: session.intensity.apply(1))
    Narrator.say("a session is \(controller.session.value == nil ? "no longer" : "still") active")
  }

  /// Creates an applicator, which applies each new value of a parameter. It prints the value and
  /// immediately reports success.
  private func headphone(
    _ name: String, on parameter: ProcessingParameter<Float>
  ) -> ProcessingApplicator<Float> {
    parameter.applicator().apply { value, result in
      Narrator.say("\(name) applies \(value)")
      result(.success)
    }
  }

  private func text(_ applicator: ProcessingApplicator<Float>) -> String {
    applicator.latestAppliedValue.map { "\($0)" } ?? "nothing"
  }

  private let unanswered = UnansweredHandler()
}

/// Stores a result handler without calling it, so that it can be called later.
final class UnansweredHandler: Sendable {
  private let handler = Mutex<(@Sendable (ApplicationResult) -> Void)?>(nil)

  func hold(_ result: @escaping @Sendable (ApplicationResult) -> Void) {
    handler.withLock { $0 = result }
  }

  func answer(_ result: ApplicationResult) {
    handler.withLock { $0.take() }?(result)
  }
}
