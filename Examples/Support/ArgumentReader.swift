/// Reads a command's arguments, one option or operand at a time.
///
///     var reader = ArgumentReader(CommandLine.arguments.dropFirst())
///     while let argument = try reader.next() {
///       switch argument {
///       case .option("--intensity"): intensity = try reader.number(in: 0...1)
///       case .option("--quiet"): isQuiet = true
///       case .option(let name): throw .unknownOption(name)
///       case .operand(let text): operands.append(text)
///       }
///     }
///
/// The value of an option is either the next argument, or the text after `=` in the same argument.
/// After the argument `--`, every argument is an operand. A single `-` is also an operand.
///
/// The reader throws an error if a value is missing, or if an option without a value is followed by
/// `=` and a value. An option may occur twice only if the option is in the set `repeatable`. At
/// `--help`, `-h` or `--version`, the reader throws a special case of ``UsageError``.
public struct ArgumentReader: Sendable {
  /// An argument.
  public enum Argument: Sendable, Equatable {
    /// The name of an option, including its hyphens.
    case option(String)
    /// Any other argument.
    case operand(String)
  }

  private let repeatable: Set<String>
  private var remaining: ArraySlice<String>
  private var seen: Set<String> = []
  private var current = ""
  private var attachedValue: String?
  private var hasOptionsEnded = false

  /// Creates a reader of arguments. The arguments do not include the command's own name.
  ///
  /// - Parameter repeatable: The options that may occur more than once.
  public init(_ arguments: some Sequence<String>, repeatable: Set<String> = []) {
    self.repeatable = repeatable
    remaining = Array(arguments)[...]
  }

  /// The next argument; nil at the end.
  ///
  /// - Throws: ``UsageError`` if the value after the `=` of the previous option was not read, if an
  ///   option occurs twice without being repeatable, or if the user asks for help or the version.
  public mutating func next() throws(UsageError) -> Argument? {
    if let attachedValue {
      throw .unexpectedValue(option: current, value: attachedValue)
    }
    guard let argument = remaining.popFirst() else { return nil }
    if hasOptionsEnded || argument == "-" || !argument.hasPrefix("-") { return .operand(argument) }
    if argument == "--" {
      hasOptionsEnded = true
      return try next()
    }
    if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
      current = String(argument[..<equals])
      attachedValue = String(argument[argument.index(after: equals)...])
    } else {
      current = argument
    }
    if current == "--help" || current == "-h" { throw .helpRequested }
    if current == "--version" { throw .versionRequested }
    guard seen.insert(current).inserted || repeatable.contains(current) else {
      throw .repeatedOption(current)
    }
    return .option(current)
  }

  /// The value of the option that ``next()`` returned last. It is never empty.
  public mutating func text() throws(UsageError) -> String {
    precondition(!current.isEmpty, "a value before any option")
    let value =
      attachedValue ?? (remaining.first?.hasPrefix("--") == true ? nil : remaining.popFirst())
    attachedValue = nil
    guard let value, !value.isEmpty else { throw .missingValue(option: current) }
    return value
  }

  /// The name of the option that ``next()`` returned last.
  var option: String { current }
}
