/// Why a command's arguments make no sense; the command ends with ``ExitCode/usage``.
public enum UsageError: Error, Sendable, Equatable {
  /// There is no option of this name.
  case unknownOption(String)
  /// An option stands more than once.
  case repeatedOption(String)
  /// An option needs a value, and there is none.
  case missingValue(option: String)
  /// An option takes no value, and has one.
  case unexpectedValue(option: String, value: String)
  /// A value is not a number of the kind wanted.
  case notANumber(option: String, value: String)
  /// A number is outside the permitted range, which is given in words.
  case outOfRange(option: String, value: String, permitted: String)
  /// A value is none of the permitted ones.
  case unknownValue(option: String, value: String, permitted: [String])
  /// A value is refused for a reason of its own.
  case invalidValue(option: String, reason: String)
  /// A value is not a date such as 2025-03-14.
  case notADay(option: String, value: String)
  /// An argument that the command cannot do without is missing.
  case missingOperand(String)
  /// An option that the command cannot do without is missing.
  case missingOption(String)
  /// There is an argument more than the command takes.
  case unexpectedOperand(String)
  /// An option makes no sense together with another argument.
  case conflict(String, with: String)
  /// An option makes no sense without another.
  case missingCompanion(option: String, needs: String)
  /// The same file would be used for two things.
  case samePath(String, first: String, second: String)
}

extension UsageError: CustomStringConvertible {
  /// One line that names the argument.
  public var description: String {
    switch self {
    case .unknownOption(let name): "unknown option \(name.quoted)"
    case .repeatedOption(let name): "\(name) stands more than once"
    case .missingValue(let option): "\(option) needs a value"
    case .unexpectedValue(let option, let value): "\(option) takes no value, not \(value.quoted)"
    case .notANumber(let option, let value): "\(option): \(value.quoted) is not a number"
    case .outOfRange(let option, let value, let permitted):
      "\(option): \(value.oneLine(limit: 40)) is outside \(permitted)"
    case .unknownValue(let option, let value, let permitted):
      "\(option): \(value.quoted) is none of \(permitted.joined(separator: ", "))"
    case .invalidValue(let option, let reason): "\(option): \(reason.oneLine(limit: 200))"
    case .notADay(let option, let value):
      "\(option): \(value.quoted) is not a date such as 2025-03-14"
    case .missingOperand(let name), .missingOption(let name): "\(name) is missing"
    case .unexpectedOperand(let text): "\(text.quoted) is one argument too many"
    case .conflict(let option, let other): "\(option) does not go with \(other.oneLine(limit: 80))"
    case .missingCompanion(let option, let needed): "\(option) needs \(needed)"
    case .samePath(let path, let first, let second):
      "\(first) and \(second) are the same file, \(path.quoted)"
    }
  }
}
