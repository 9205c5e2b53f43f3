/// Why a command ends without having done its work.
public enum CommandFailure: Error, Sendable, Equatable {
  /// It was called wrongly.
  case usage(UsageError)
  /// The input at a place, such as a file's path, is wrong.
  case badData(place: String, reason: String)
  /// The input cannot be read.
  case noInput(path: String, reason: String)
  /// The output file cannot be created.
  case cannotCreate(path: String, reason: String)
  /// Writing the output failed.
  case cannotWrite(path: String, reason: String)

  /// What to tell the shell.
  public var exitCode: ExitCode {
    switch self {
    case .usage: .usage
    case .badData: .badData
    case .noInput: .noInput
    case .cannotCreate: .cannotCreate
    case .cannotWrite: .cannotWrite
    }
  }
}

extension CommandFailure: CustomStringConvertible {
  /// One line that says what is wrong and where.
  public var description: String {
    switch self {
    case .usage(let error): error.description
    case .badData(let place, let reason): "\(place.oneLine(limit: 200)): \(reason.oneLine())"
    case .noInput(let path, let reason): "\(path.quoted): \(reason.oneLine())"
    case .cannotCreate(let path, let reason), .cannotWrite(let path, let reason):
      "cannot write \(path.quoted): \(reason.oneLine())"
    }
  }
}
