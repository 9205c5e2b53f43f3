import ExampleSupport
import HearingAudio
import HearingDSP
import HearingFitting
import HearingProcessing

/// A command that a user sends to a running `hearing-live` through a socket or pipe.
enum ControlCommand {
  case help
  case intensity(Float)
  case enabled(Bool)
  case interrupt(String)
  case resolve(String)
  case preset(path: String)
  case rule(PrescriptionRule)
  case delivery(DeliveryMode)
  case route(AudioRoute.Kind, fullScaleSPL: Double?)
  case tuning(FineTuning)
  case hear(LiveComparison.Setting)
  /// The setting that the listener prefers; nil for the setting that is heard now.
  case prefer(LiveComparison.Preference?)
  case levels

  /// The reason why a line is not a valid command.
  struct Invalid: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }

    init(_ value: Substring, permitted: [String]) {
      reason = "\(String(value).quoted) is not one of \(permitted.joined(separator: ", "))"
    }
  }

  /// The syntax and the meaning of each command.
  private static let commands: [(syntax: String, meaning: String)] = [
    ("intensity 0…1", "the fraction of each gain in dB that is applied"),
    ("enabled on|off", "turns processing on or off"),
    ("interrupt NAME", "pauses processing"),
    ("resolve NAME", "ends the interruption of this name"),
    ("preset FILE", "applies the preset in this file"),
    ("rule NAME", "prescribes again with this rule"),
    ("delivery continuous|discrete SECONDS|latest", "when intensity and enabled are applied"),
    (
      "route \(AudioRoute.Kind.known.map(\.rawValue).joined(separator: "|")) [FULL-SCALE-SPL]",
      "changes the audio route"
    ),
    ("tuning LOUDNESS BRIGHTNESS CRISPNESS", "changes the sound to taste, each −1…1"),
    ("hear first|second", "with --compare: applies one of the two settings"),
    ("prefer [first|second|same]", "says which is better, without a word the one that is heard"),
    ("levels", "input and output levels and gains as JSON"),
    ("help", "lists these commands"),
  ]

  private static let names = commands.map { command in
    String(command.syntax.prefix { $0 != " " })
  }

  /// The commands for `--help`, with two lines for each command.
  static let list = commands.map { "  \($0.syntax)\n      \($0.meaning)" }.joined(separator: "\n")

  /// The commands on one line: the answer to `help`.
  static let summary = commands.map(\.syntax).joined(separator: "; ")

  /// Parses a line that consists of a name and arguments, separated by spaces.
  init(_ line: String) throws(Invalid) {
    let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = parts.first else { throw Invalid("the line is empty") }
    let rest = parts.count > 1 ? parts[1].trimmed : ""
    let words = rest.split(whereSeparator: \.isWhitespace)
    switch name {
    case "help":
      guard rest.isEmpty else { throw Invalid("help takes no argument") }
      self = .help
    case "intensity":
      self = .intensity(Float(try Self.number(rest, in: 0...1)))
    case "enabled":
      guard rest == "on" || rest == "off" else { throw Invalid(rest, permitted: ["on", "off"]) }
      self = .enabled(rest == "on")
    case "interrupt": self = .interrupt(try Self.text(rest))
    case "resolve": self = .resolve(try Self.text(rest))
    case "preset": self = .preset(path: try Self.text(rest))
    case "rule":
      guard let rule = PrescriptionRule(name: String(rest)) else {
        throw Invalid(rest, permitted: PrescriptionRule.all.map(\.name))
      }
      self = .rule(rule)
    case "delivery": self = .delivery(try Self.deliveryMode(words))
    case "route": self = try Self.route(words)
    case "tuning":
      guard words.count == 3 else { throw Invalid("tuning takes three numbers") }
      let values = try words.map { word throws(Invalid) in try Self.number(word) }
      do {
        self = .tuning(
          try FineTuning(loudness: values[0], brightness: values[1], crispness: values[2]))
      } catch {
        throw Invalid(error.description)
      }
    case "hear":
      guard let setting = LiveComparison.Setting(rawValue: String(rest)) else {
        throw Invalid(rest, permitted: LiveComparison.Setting.allCases.map(\.rawValue))
      }
      self = .hear(setting)
    case "prefer":
      switch rest {
      case "": self = .prefer(nil)
      case "first": self = .prefer(.first)
      case "second": self = .prefer(.second)
      case "same": self = .prefer(.same)
      default: throw Invalid(rest, permitted: ["first", "second", "same"])
      }
    case "levels":
      guard rest.isEmpty else { throw Invalid("levels takes no argument") }
      self = .levels
    default:
      throw Invalid(UsageError.unknownCommand(String(name), known: Self.names).description)
    }
  }

  private static func text(_ rest: Substring) throws(Invalid) -> String {
    guard !rest.isEmpty else { throw Invalid("the argument is missing") }
    return String(rest)
  }

  private static func number(_ text: Substring) throws(Invalid) -> Double {
    guard let number = Double(text) else {
      throw Invalid("\(String(text).quoted) is not a number")
    }
    return number
  }

  private static func number(
    _ text: Substring, in range: ClosedRange<Double>
  ) throws(Invalid) -> Double {
    let number = try number(text)
    guard range.contains(number) else {
      throw Invalid("\(text) is outside \(ArgumentReader.text(of: range))")
    }
    return number
  }

  private static func deliveryMode(_ words: [Substring]) throws(Invalid) -> DeliveryMode {
    switch words.first {
    case "continuous" where words.count == 1: return .continuous
    case "latest" where words.count == 1: return .latest
    case "discrete" where words.count == 2:
      let seconds = try number(words[1])
      guard seconds > 0, seconds.isFinite else {
        throw Invalid("\(words[1]) is not a positive number of seconds")
      }
      return .discrete(seconds: seconds)
    default:
      throw Invalid(
        words.joined(separator: " ")[...],
        permitted: ["continuous", "discrete SECONDS", "latest"])
    }
  }

  private static func route(_ words: [Substring]) throws(Invalid) -> ControlCommand {
    let kind = AudioRoute.Kind(rawValue: String(words.first ?? ""))
    guard AudioRoute.Kind.known.contains(kind) else {
      throw Invalid(words.first ?? "", permitted: AudioRoute.Kind.known.map(\.rawValue))
    }
    guard words.count > 1 else { return .route(kind, fullScaleSPL: nil) }
    guard words.count == 2 else { throw Invalid("route takes at most two arguments") }
    let level = try number(words[1])
    guard ProcessorSettings.supportedFullScales.contains(level) else {
      throw Invalid(
        "the full scale of a route is outside "
          + "\(ArgumentReader.text(of: ProcessorSettings.supportedFullScales)) dB SPL")
    }
    return .route(kind, fullScaleSPL: level)
  }
}

extension Substring {
  /// The text without whitespace at the start and at the end.
  fileprivate var trimmed: Substring {
    var trimmed = drop(while: \.isWhitespace)
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    return trimmed
  }
}
