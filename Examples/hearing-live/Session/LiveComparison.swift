import ExampleSupport
import HearingProcessing
import Synchronization

/// Finds the fine tuning (loudness, brightness and crispness) that the listener prefers.
///
/// The listener hears two settings, one after the other, and chooses the better setting. The
/// listener makes at most nine such comparisons. The preferred fine tuning stays active. A preset
/// with this fine tuning is written to a file.
final class LiveComparison: Sendable {
  /// The path of the file for the preset and its fine tuning.
  let path: String
  private let session: ProcessingSession
  private let presets: LivePresets
  private let state = Mutex((comparison: FineTuningComparison(), heard: Setting.first))

  /// One of the two settings that the listener compares.
  enum Setting: String, CaseIterable {
    case first
    case second
  }

  /// The listener's answer. In ``prefer(_:_:)``, nil means that the current setting is better.
  typealias Preference = FineTuningComparison.Preference
  typealias Answer = @Sendable (Result<String, LiveSession.Refusal>) -> Void

  /// Throws an error if the file cannot be written. Without this check, the error would occur after
  /// the last comparison, and the listener's answers would be lost.
  init(
    path: String, _ session: ProcessingSession, _ presets: LivePresets
  ) throws(CommandFailure) {
    self.path = path
    self.session = session
    self.presets = presets
    _ = try StagedFile(for: path)
  }

  /// Whether the listener has given the last answer.
  var isOver: Bool { state.withLock { $0.comparison.next == nil } }

  /// Applies one of the two settings, so that the listener hears it.
  func hear(_ setting: Setting, _ answer: @escaping Answer) {
    guard let (first, second) = state.withLock({ $0.comparison.next }) else { return over(answer) }
    let tuning = setting == .first ? first : second
    session.fineTuning.apply(tuning).whenSettled { [self] result in
      if case .success = result { state.withLock { $0.heard = setting } }
      answer(result.text { $0.text })
    }
  }

  /// Processes the listener's answer, and applies the first setting of the next comparison. After
  /// the last comparison, applies and writes the preferred setting.
  func prefer(_ preference: Preference?, _ answer: @escaping Answer) {
    let comparison = state.withLock { state -> FineTuningComparison? in
      guard state.comparison.next != nil else { return nil }
      state.comparison.answer(preference ?? (state.heard == .first ? .first : .second))
      return state.comparison
    }
    guard let comparison else { return over(answer) }
    guard comparison.next == nil else {
      return hear(.first) { result in
        answer(
          result.map {
            "answer \(comparison.answerCount) of at most \(FineTuningComparison.maximumAnswerCount); first: \($0)"
          })
      }
    }
    let best = comparison.best
    session.fineTuning.apply(best).whenSettled { [self] result in
      answer(
        result.text { $0.text }.flatMap { text in
          Result { () throws(CommandFailure) in try write(best) }
            .map { "done, \(text); \(path) written" }
            .mapError { LiveSession.Refusal($0.description) }
        })
    }
  }

  private func over(_ answer: Answer) {
    answer(.failure(.init("the comparison is over")))
  }

  private func write(_ tuning: FineTuning) throws(CommandFailure) {
    guard var preset = try presets.current() else { return }
    preset.fineTuning = preset.fineTuning.adding(tuning)
    let file = try StagedFile(for: path)
    try file.write(preset.jsonData())
    try file.commit()
  }
}

extension FineTuning {
  /// The three values as text.
  var text: String {
    "loudness \(loudness), brightness \(brightness), crispness \(crispness)"
  }
}
