import Foundation
import HearingAudiometry
import HearingFitting

/// Shows the progress of a test on one line of the terminal.
struct ProgressLine {
  private let isVisible: Bool

  init(isWanted: Bool) {
    isVisible = isWanted && isatty(STDERR_FILENO) == 1
  }

  func show(_ test: ToneTest) {
    guard isVisible, let trial = test.trials.last else { return }
    let presentation = trial.presentation
    let done = test.estimate.count {
      $0.ear == presentation.ear && $0.toneCount > 0 && $0.standardDeviation < 8
    }
    let estimate = test.estimate.first {
      $0.ear == presentation.ear && $0.frequency == presentation.frequency
    }
    let known = estimate.map {
      ", now \(Int($0.threshold.rounded())) ± \(Int($0.standardDeviation.rounded())) dB HL"
    }
    Self.write(
      "\r\u{1B}[K\(presentation.ear.rawValue) ear: \(done) frequencies known, "
        + "\(test.toneCount) tones; \(Int(presentation.frequency)) Hz\(known ?? "")")
  }

  func end() {
    guard isVisible else { return }
    Self.write("\n")
  }

  /// Clears the progress line, so that other text can be printed there.
  static func clear() {
    guard isatty(STDERR_FILENO) == 1 else { return }
    write("\r\u{1B}[K")
  }

  private static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
