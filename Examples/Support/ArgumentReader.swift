/// Goes through a command's arguments, one option or operand at a time.
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
/// A value follows its option as the next argument or after `=`. After `--` everything is an
/// operand, and so is a lone `-`. An option that stands twice without being repeatable, lacks its
/// value, or has one that nobody asked for is an error.
public struct ArgumentReader: Sendable {
  /// What an argument is.
  public enum Argument: Sendable, Equatable {
    /// An option by its name, with its hyphens.
    case option(String)
    /// Anything else.
    case operand(String)
  }

  private let repeatable: Set<String>
  private var rest: ArraySlice<String>
  private var seen: Set<String> = []
  private var current = ""
  private var attachedValue: String?
  private var hasOptionsEnded = false

  /// A reader of arguments, without the command's own name.
  ///
  /// - Parameter repeatable: The options that may stand more than once.
  public init(_ arguments: some Sequence<String>, repeatable: Set<String> = []) {
    self.repeatable = repeatable
    rest = Array(arguments)[...]
  }

  /// The next argument; nil: there is none.
  ///
  /// - Throws: ``UsageError`` if the option before has a value that was not asked for, or this one
  ///   stands for the second time.
  public mutating func next() throws(UsageError) -> Argument? {
    if let attachedValue {
      throw .unexpectedValue(option: current, value: attachedValue)
    }
    guard let argument = rest.popFirst() else { return nil }
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
    guard seen.insert(current).inserted || repeatable.contains(current) else {
      throw .repeatedOption(current)
    }
    return .option(current)
  }

  /// The value of the option that ``next()`` has just returned; never empty.
  public mutating func text() throws(UsageError) -> String {
    precondition(!current.isEmpty, "a value before any option")
    let value = attachedValue ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst())
    attachedValue = nil
    guard let value, !value.isEmpty else { throw .missingValue(option: current) }
    return value
  }

  /// The name of the option that ``next()`` has just returned.
  var option: String { current }
}
