import ExampleSupport
import Foundation
import HearingAudiometry
import HearingFitting

/// The file in which a test's state is saved after every answer. Each save is atomic.
struct StateFile {
  /// The maximum size in bytes of a state file that is read.
  static let sizeLimit = 17 * 1024 * 1024

  /// The path of the file; nil if the state is not saved.
  let path: String?

  /// Throws an error if the file contains the state of an unfinished test.
  func checkNothingIsLost() throws(CommandFailure) {
    guard let path, FileManager.default.fileExists(atPath: path),
      let data = try? InputFile(path).data(limit: Self.sizeLimit)
    else { return }
    let answerCount: Int
    if let test = try? ToneTest(json: data) {
      if case .finished = test.next { return }
      answerCount = test.trials.count
    } else if let test = try? DigitsInNoiseTest(json: data) {
      if test.next == nil { return }
      answerCount = test.answers.count
    } else {
      return
    }
    guard answerCount > 0 else { return }
    throw .cannotCreate(
      path: path,
      reason: "it holds a test under way with \(answerCount) answers; go on with --resume, or "
        + "remove it first")
  }

  /// The line to print about the file at the end of a test.
  var written: String { path.map { "\($0.singleLine(limit: 200)) written\n" } ?? "" }

  func write(_ data: Data) throws(CommandFailure) {
    guard let path else { return }
    let file = try StagedFile(for: path)
    try file.write(data)
    try file.commit()
  }

  /// The failure to report if the test was stopped.
  var stopped: CommandFailure {
    guard let path else {
      return .cannotWrite(
        path: "the result", reason: "the test was stopped, and nothing was saved (--save)")
    }
    return .cannotWrite(
      path: "the result",
      reason: "the test was stopped; go on with --resume \(path.singleLine(limit: 80))")
  }
}
