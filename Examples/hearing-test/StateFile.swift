import ExampleSupport
import Foundation
import HearingFitting

/// Where a test's state is kept after every answer, as a whole or not at all.
struct StateFile {
  /// nil: it is not kept.
  let path: String?

  func write(_ data: Data) throws(CommandFailure) {
    guard let path else { return }
    let file = try StagedFile(for: path)
    try file.write(data)
    try file.commit()
  }

  /// What a command that was stopped tells the user.
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
