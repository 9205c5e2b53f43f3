import Foundation

/// A command-line tool: what it does, and how it ends.
///
///     Command("hearing-fit").run { () throws(CommandFailure) in
///       try FitCommand(arguments: CommandLine.arguments.dropFirst()).run()
///     }
public struct Command: Sendable {
  /// What the user calls it.
  public let name: String

  /// A command by its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Does `work` and ends the process: with 0, or with one line on standard error and the failure's
  /// exit code.
  public func run(_ work: () throws(CommandFailure) -> Void) -> Never {
    do {
      try work()
      exit(0)
    } catch {
      Self.warn(message(for: error))
      exit(error.exitCode.rawValue)
    }
  }

  /// Tells something on standard error, in one line.
  public static func warn(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line.oneLine() + "\n").utf8))
  }

  /// The line that a failure is told in.
  public func message(for failure: CommandFailure) -> String {
    switch failure {
    case .usage: "\(name): \(failure) (\(name) --help tells more)"
    case .badData, .noInput, .cannotCreate, .cannotWrite: "\(name): \(failure)"
    }
  }
}
