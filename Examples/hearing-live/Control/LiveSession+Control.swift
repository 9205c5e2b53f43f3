import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing

extension LiveSession {
  /// Does what a line asks for.
  ///
  /// - Parameter answer: Called once, on some thread, as soon as it is known what came of it: with
  ///   what is to be said after the line, or why it failed.
  func perform(_ line: String, answer: @escaping @Sendable (Result<String, Refusal>) -> Void) {
    do {
      try perform(try ControlCommand(line), answer)
    } catch let invalid as ControlCommand.Invalid {
      answer(.failure(Refusal(invalid.reason)))
    } catch {
      answer(.failure(Refusal("\(error)")))
    }
  }

  /// Why a command was not carried out.
  struct Refusal: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }

  private typealias Answer = @Sendable (Result<String, Refusal>) -> Void

  private func perform(_ command: ControlCommand, _ answer: @escaping Answer) throws {
    switch command {
    case .intensity(let intensity):
      session.intensity.apply(intensity).whenSettled {
        answer($0.words { "intensity is \($0)" })
      }
    case .enabled(let isEnabled):
      session.isEnabled.apply(isEnabled).whenSettled {
        answer($0.words { "enabled is \($0 ? "on" : "off")" })
      }
    case .interrupt(let name):
      session.interrupt(reason: name).whenSettled { answer($0.words(Self.words)) }
    case .resolve(let name):
      session.resolve(interruption: name).whenSettled { answer($0.words(Self.words)) }
    case .preset(let path):
      let preset = try presets.listener.preset(at: path)
      presets.apply(.given(preset)) { answer($0.words(Self.words)) }
    case .rule(let rule):
      prescribe(rule, answer)
    case .delivery(let mode):
      session.intensity.deliveryMode = mode
      session.isEnabled.deliveryMode = mode
      answer(.success("delivery is \(Self.words(mode))"))
    case .route(let kind, let level):
      let calibration = level.map { Calibration(fullScaleSPL: $0) } ?? binding.calibration
      enter(AudioRoute(kind, calibration: calibration)) { answer($0.words(Self.words)) }
    case .levels:
      answer(.success(LevelsText.line(processor.levels, fullScale: binding.calibration)))
    }
  }

  private func prescribe(_ rule: PrescriptionRule, _ answer: @escaping Answer) {
    guard presets.listener.profile != nil else {
      return answer(.failure(Refusal("there is no audiogram to prescribe from")))
    }
    presets.apply(.prescribed(rule)) { answer($0.words(Self.words)) }
  }

  private static func words(_ isInterrupted: Bool) -> String {
    isInterrupted ? "interrupted" : "not interrupted"
  }

  private static func words(_ mode: DeliveryMode) -> String {
    switch mode {
    case .continuous: "continuous"
    case .discrete(let seconds): "discrete \(seconds)"
    case .latest: "latest"
    }
  }

  private static func words(_ preset: Preset?) -> String {
    "preset is \(preset?.id ?? "none"), rule \(preset?.rule ?? "none")"
  }
}

extension Result {
  /// The result as an answer.
  fileprivate func words(_ words: (Success) -> String) -> Result<String, LiveSession.Refusal> {
    map(words).mapError { LiveSession.Refusal("\($0)") }
  }
}
