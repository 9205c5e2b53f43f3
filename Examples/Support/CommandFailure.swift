import Foundation
public import HearingAudio
public import HearingFitting

/// The reason why a command ends without a result.
public enum CommandFailure: Error, Sendable, Equatable {
  /// The command line is wrong.
  case usage(UsageError)
  /// The content of the input is invalid. `input` is its name, for example the path of a file.
  case badData(input: String, reason: String)
  /// The input cannot be read.
  case noInput(path: String, reason: String)
  /// The output file cannot be created.
  case cannotCreate(path: String, reason: String)
  /// Writing the output failed.
  case cannotWrite(path: String, reason: String)

  /// The exit code of the process, according to `sysexits.h`; success is 0.
  public enum ExitCode: Int32, Sendable {
    /// Wrong command line, or a value out of range.
    case usage = 64
    /// The input can be read but is invalid.
    case badData = 65
    /// The input is missing or cannot be read.
    case noInput = 66
    /// An output file cannot be created.
    case cannotCreate = 73
    /// Writing an output failed.
    case cannotWrite = 74
  }

  /// The error message if a file contains a preset instead of a hearing profile. A command that has
  /// the option `--preset` adds a hint about the option to this message.
  static let presetInsteadOfProfile = "it is a preset, not a hearing profile"

  /// The exit code that belongs to the failure.
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
  /// One line that says what is wrong, and in which file or argument.
  public var description: String {
    switch self {
    case .usage(let error): error.description
    case .badData(let input, let reason):
      "\(input.singleLine(limit: 200)): \(reason.singleLine(limit: 400))"
    case .noInput(let path, let reason): "\(path.quoted): \(reason.singleLine(limit: 400))"
    case .cannotCreate(let path, let reason), .cannotWrite(let path, let reason):
      "cannot write \(path.quoted): \(reason.singleLine(limit: 400))"
    }
  }
}

extension CommandFailure {
  /// Creates the failure for a document at `path` that cannot be read.
  public init(_ reason: UnreadableDocument, reading path: String) {
    switch reason {
    case .inaccessible(let reason): self = .noInput(path: path, reason: reason)
    default: self = .badData(input: path, reason: reason.description)
    }
  }

  /// Creates the failure for a sound file at `path` that cannot be read.
  public init(_ error: WAVReadError, reading path: String) {
    switch error {
    case .file(let error): self = .noInput(path: error.path, reason: error.reason)
    case .notWAV:
      let reason = OtherSoundFormat.ofFile(at: path).map {
        "it is \($0), not WAV; convert it: \(OtherSoundFormat.conversion(of: path))"
      }
      self = .badData(input: path, reason: reason ?? error.description)
    default: self = .badData(input: path, reason: error.description)
    }
  }

  /// Creates the failure for a file at `path` that cannot be written.
  public init(_ error: FileAccessError, writing path: String) {
    switch error {
    case .notFound, .folderNotFound, .isFolder, .permissionDenied:
      self = .cannotCreate(path: path, reason: error.reason)
    case .isFile, .notFileURL, .noSpaceLeft, .system:
      self = .cannotWrite(path: path, reason: error.reason)
    }
  }
}

/// The operating system's description of a failed file operation.
public enum SystemReason {
  /// A short description of an error. If the error contains an `errno`, returns the system's text
  /// for this number; otherwise returns Foundation's description.
  public static func text(of error: any Error) -> String {
    let error = error as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    for candidate in [error, underlying] {
      if let candidate, candidate.domain == NSPOSIXErrorDomain {
        return text(ofNumber: Int32(truncatingIfNeeded: candidate.code))
      }
    }
    return error.localizedDescription
  }

  /// A short description of a value of `errno`.
  public static func text(ofNumber number: Int32) -> String {
    // EBADF occurs only for a standard stream that was closed before this process started.
    number == EBADF ? "it is closed" : unsafe String(cString: strerror(number)).lowercased()
  }
}
