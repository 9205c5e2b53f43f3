import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing

extension LiveSession {
  /// Executes the command in a line.
  ///
  /// - Parameter answer: Called once, on any thread, as soon as the result is known.
  func perform(_ line: String, answer: @escaping @Sendable (Result<String, Refusal>) -> Void) {
    do {
      try perform(try ControlCommand(line), answer)
    } catch let invalid as ControlCommand.Invalid {
      answer(.failure(Refusal(invalid.reason)))
    } catch {
      answer(.failure(Refusal("\(error)")))
    }
  }

  private typealias Answer = @Sendable (Result<String, Refusal>) -> Void

  private func perform(_ command: ControlCommand, _ answer: @escaping Answer) throws {
    switch command {
    case .help:
      answer(.success(ControlCommand.summary))
    case .intensity(let intensity):
      session.intensity.apply(intensity).whenSettled {
        answer($0.text { "intensity is \($0)" })
      }
    case .enabled(let isEnabled):
      session.isEnabled.apply(isEnabled).whenSettled {
        answer($0.text { "enabled is \($0 ? "on" : "off")" })
      }
    case .interrupt(let name):
      session.interrupt(reason: name).whenSettled { answer($0.text(Self.text)) }
    case .resolve(let name):
      session.resolve(interruption: name).whenSettled { answer($0.text(Self.text)) }
    case .preset(let path):
      try InputFile(path).checkIsRegular()
      let preset = try presets.listener.preset(at: path)
      presets.apply(.given(preset)) { answer($0.text(Self.text)) }
    case .rule(let rule):
      prescribe(rule, answer)
    case .delivery(let mode):
      session.intensity.deliveryMode = mode
      session.isEnabled.deliveryMode = mode
      answer(.success("delivery is \(Self.text(mode))"))
    case .route(let kind, let level):
      let calibration = level.map { Calibration(fullScaleSPL: $0) } ?? binding.calibration
      changeRoute(to: AudioRoute(kind, calibration: calibration)) { answer($0.text(Self.text)) }
    case .tuning(let tuning):
      session.fineTuning.apply(tuning).whenSettled { answer($0.text { $0.text }) }
    case .hear(let setting):
      try comparison(orThrow: "hear").hear(setting, answer)
    case .prefer(let preference):
      try comparison(orThrow: "prefer").prefer(preference, answer)
    case .levels:
      answer(.success(LevelsText.line(processor.levels, fullScale: binding.calibration)))
    }
  }

  private func comparison(orThrow command: String) throws(ControlCommand.Invalid) -> LiveComparison
  {
    guard let comparison else {
      throw ControlCommand.Invalid("\(command) needs --compare")
    }
    return comparison
  }

  private func prescribe(_ rule: PrescriptionRule, _ answer: @escaping Answer) {
    guard presets.listener.profile != nil else {
      return answer(.failure(Refusal("a rule needs an audiogram (--audiogram)")))
    }
    presets.apply(.prescribed(rule)) { answer($0.text(Self.text)) }
  }

  private static func text(_ isInterrupted: Bool) -> String {
    isInterrupted ? "interrupted" : "not interrupted"
  }

  private static func text(_ mode: DeliveryMode) -> String {
    switch mode {
    case .continuous: "continuous"
    case .discrete(let seconds): "discrete \(seconds)"
    case .latest: "latest"
    }
  }

  private static func text(_ preset: Preset?) -> String {
    "preset is \(preset?.id ?? "none"), rule \(preset?.rule ?? "none")"
  }
}
