import Dispatch
import Foundation
import HearingFitting
import HearingProcessing

/// A command-line tool with a name and a help text. All tools report failures in the same way.
///
///     Command("hearing-fit", help: FitOptions.help).run { arguments throws(CommandFailure) in
///       try HearingFit(arguments).run()
///     }
///
/// If the command reads its options with an ``ArgumentReader``, `--help` and `--version` print
/// their text and exit with code 0.
public struct Command: Sendable {
  /// The name that the user types.
  public let name: String
  /// The text that `--help` prints.
  public let help: String

  /// Creates a command with its name and its help text.
  public init(_ name: String, help: String) {
    self.name = name
    self.help = help
  }

  /// Runs `work` with the arguments of the command line, then ends the process. After success, the
  /// exit code is 0. After a failure, prints one line on standard error and exits with the
  /// failure's exit code.
  public func run(_ work: ([String]) throws(CommandFailure) -> Void) -> Never {
    Self.occupyClosedStreams()
    do {
      try work(Array(CommandLine.arguments.dropFirst()))
    } catch {
      end(error)
    }
    exit(0)
  }

  /// Runs asynchronous `work`, then ends the process as
  /// ``run(_:)-(([String])throws(CommandFailure)->Void)`` does.
  ///
  /// Call this function from a `main` that is not asynchronous. Before an asynchronous `main`
  /// starts, the Swift runtime opens file descriptors. If a standard stream is closed, one of these
  /// descriptors may get the number of the standard stream.
  public func run(
    _ work: @escaping @Sendable ([String]) async throws(CommandFailure) -> Void
  ) -> Never {
    Self.occupyClosedStreams()
    Task {
      do throws(CommandFailure) {
        try await work(Array(CommandLine.arguments.dropFirst()))
      } catch {
        end(error)
      }
      exit(0)
    }
    dispatchMain()
  }

  /// Opens the file descriptor of each standard stream that is closed.
  ///
  /// Without this, the next file that is opened could get the descriptor of standard output. Text
  /// for standard output would then be written to that file. Reading standard input still fails,
  /// because its descriptor is opened only for writing. Writing to standard output or standard
  /// error still fails, because the descriptor is a folder.
  private static func occupyClosedStreams() {
    for (descriptor, path, mode) in [
      (STDIN_FILENO, "/dev/null", O_WRONLY), (STDOUT_FILENO, "/", O_RDONLY),
      (STDERR_FILENO, "/", O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open(path, mode)
    }
  }

  private func end(_ failure: CommandFailure) -> Never {
    do throws(CommandFailure) {
      switch failure {
      case .usage(.helpRequested): try Self.print(help)
      case .usage(.versionRequested):
        try Self.print("\(name) \(ProcessingController.packageVersion)\n")
      default: throw failure
      }
    } catch {
      Self.warn(message(for: error))
      exit(error.exitCode.rawValue)
    }
    exit(0)
  }

  /// Paths that mean standard output.
  private static let standardOutputPaths = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

  /// Prints text on standard output. If an argument of the command line is the path of standard
  /// output, prints the text on standard error instead. Then the output file and the text are not
  /// mixed.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``, for example if the disk is full.
  public static func print(_ text: String) throws(CommandFailure) {
    let isFile = CommandLine.arguments.contains { argument in
      standardOutputPaths.contains(where: argument.hasSuffix)
    }
    let handle = isFile ? FileHandle.standardError : .standardOutput
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      throw .cannotWrite(path: "standard output", reason: SystemReason.text(of: error))
    }
  }

  /// Prints one line on standard error.
  public static func warn(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line.singleLine(limit: 400) + "\n").utf8))
  }

  /// The line that reports a failure. For an unknown option, the line also suggests the most
  /// similar option in the help text.
  public func message(for failure: CommandFailure) -> String {
    switch failure {
    case .usage(.unknownOption(let option)):
      let nearest = Spelling.nearest(to: option, in: Spelling.options(in: help))
      let hint = nearest.map { "; did you mean \($0)?" } ?? ""
      return "\(name): \(failure)\(hint) (see \(name) --help)"
    case .usage:
      return "\(name): \(failure) (see \(name) --help)"
    case .badData(let path, CommandFailure.presetInsteadOfProfile)
    where Spelling.options(in: help).contains("--preset"):
      return "\(name): \(failure); use --preset \(path.singleLine(limit: 200))"
    case .badData, .noInput, .cannotCreate, .cannotWrite:
      return "\(name): \(failure)"
    }
  }
}
