/// What a command's exit tells the shell, as `sysexits.h` names it; success is 0.
public enum ExitCode: Int32, Sendable {
  /// The command was called wrongly, or with a value out of range.
  case usage = 64
  /// The input was read and is wrong.
  case badData = 65
  /// The input is missing or cannot be read.
  case noInput = 66
  /// An output file cannot be created.
  case cannotCreate = 73
  /// Writing an output failed.
  case cannotWrite = 74
}
