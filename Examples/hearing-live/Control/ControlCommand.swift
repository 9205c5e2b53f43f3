import ExampleSupport
import HearingAudio
import HearingDSP
import HearingFitting
import HearingProcessing

/// What a line asks for.
enum ControlCommand {
  case intensity(Float)
  case enabled(Bool)
  case interrupt(String)
  case resolve(String)
  case preset(path: String)
  case rule(PrescriptionRule)
  case delivery(DeliveryMode)
  case route(AudioRoute.Kind, fullScaleSPL: Double?)
  case levels

  /// Why a line is no command.
  struct Invalid: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }

    init(_ value: Substring, permitted: [String]) {
      reason = "\(String(value).quoted) is none of \(permitted.joined(separator: ", "))"
    }
  }

  private static let names = [
    "intensity", "enabled", "interrupt", "resolve", "preset", "rule", "delivery", "route", "levels",
  ]

  /// Reads a line: a name, and after blanks whatever it needs.
  init(_ line: String) throws(Invalid) {
    let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = parts.first else { throw Invalid("an empty line") }
    let rest = parts.count > 1 ? parts[1].trimmed : ""
    let words = rest.split(whereSeparator: \.isWhitespace)
    switch name {
    case "intensity": self = .intensity(Float(try Self.number(rest)))
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
    case "levels":
      guard rest.isEmpty else { throw Invalid("levels needs nothing more") }
      self = .levels
    default: throw Invalid(name, permitted: Self.names)
    }
  }

  private static func text(_ rest: Substring) throws(Invalid) -> String {
    guard !rest.isEmpty else { throw Invalid("something is missing after the command") }
    return String(rest)
  }

  private static func number(_ text: Substring) throws(Invalid) -> Double {
    guard let number = Double(text) else {
      throw Invalid("\(String(text).quoted) is not a number")
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
        throw Invalid("\(words[1]) is no interval in seconds")
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
    let level = try number(words[1])
    guard words.count == 2, ProcessorSettings.supportedFullScales.contains(level) else {
      throw Invalid("a route has a full scale of 0 to 200 dB SPL and nothing more")
    }
    return .route(kind, fullScaleSPL: level)
  }
}

extension Substring {
  /// Without blanks at either end.
  fileprivate var trimmed: Substring {
    var trimmed = drop(while: \.isWhitespace)
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    return trimmed
  }
}
