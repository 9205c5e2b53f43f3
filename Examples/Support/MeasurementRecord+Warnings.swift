public import HearingFitting

extension MeasurementRecord {
  /// The reasons why the result of the hearing test may be wrong, one sentence each. The list is
  /// empty if there is no such reason.
  public var warnings: [String] {
    let concerns = notes.filter(Note.unreliableAnswers.contains)
    let others = notes.filter { !Note.unreliableAnswers.contains($0) }
    return concerns.compactMap(Self.text)
      + (concerns.isEmpty
        ? [] : ["Do not rely on this result; take the test again in a quiet place."])
      + others.compactMap(Self.text)
  }

  /// Whether the listener must agree before gains are computed from the result. True if the answers
  /// are not reliable or the headphone was not calibrated.
  public var needsConsent: Bool { !isReliable || notes.contains(.uncalibrated) }

  private static func text(_ note: Note) -> String? {
    switch note {
    case .falseAlarms: "The button was often pressed in silence."
    case .missedTones: "Tones well above the thresholds were often missed."
    case .repeats: "The two measurements of a threshold differ too much."
    case .contradictions: "Answers at some frequencies contradict each other."
    case .noResponses: "The button was never pressed for a tone."
    case .unfinished: "The test was not finished: thresholds are missing."
    case .uncalibrated: "The headphone is not calibrated: levels are nominal."
    case .maskingMissing: "At some frequencies the other ear may have heard the tones."
    case .ambientNoise: "The room was too loud at times."
    case .calibrationChange: "Volume or sound settings changed during the test."
    // The test waits for slow answers. Therefore slow answers do not make the result less reliable.
    case .slowAnswers: nil
    default: "another concern: \(note.rawValue)"
    }
  }
}

extension HearingProfile {
  /// Prints the reasons why the measured profile may be wrong, one line each on standard error.
  ///
  /// - Parameters:
  ///   - path: The file of the profile.
  ///   - command: The name of the command that reads the profile.
  public func printWarnings(about path: String, by command: String) {
    for warning in record?.warnings ?? [] { Command.warn("\(command): \(path): \(warning)") }
  }
}
