import ExampleSupport
import HearingPieces

/// What one call of the program is to do.
struct BoxOptions {
  /// What is asked for.
  enum Action {
    case drop(DropOptions)
    case list
    case show(id: String)
    case open(url: String)
    case export(id: String, output: String, format: PieceAudioFormat)
    case help
  }

  var action: Action
  var library = "./pieces"
  var applicationIdentifier = "piece-box"
  var apiKey = "local-demonstration"

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var operands: [String] = []
    var drop = DropOptions()
    var dropOption: String?
    var format: PieceAudioFormat?
    action = .help
    while let argument = try reader.next() {
      switch argument {
      case .option("--help"), .option("-h"): return
      case .option("--library"): library = try reader.text()
      case .option("--app-id"): applicationIdentifier = try reader.text()
      case .option("--api-key"): apiKey = try reader.text()
      case .option("--format"): format = PieceAudioFormat(rawValue: try reader.text())
      case .option(let name):
        guard try drop.take(name, &reader) else { throw .unknownOption(name) }
        dropOption = name
      case .operand(let text): operands.append(text)
      }
    }
    action = try Self.action(operands, drop, format ?? .wav)
    switch action {
    case .drop: break
    case .list, .show, .open, .export, .help:
      if let dropOption { throw .conflict(dropOption, with: operands[0]) }
    }
    if case .export = action { return }
    if format != nil { throw .conflict("--format", with: operands[0]) }
  }

  private static func action(
    _ operands: [String], _ drop: DropOptions, _ format: PieceAudioFormat
  ) throws(UsageError) -> Action {
    guard let name = operands.first else {
      throw .missingOperand("drop, list, show, open or export")
    }
    switch name {
    case "drop":
      try check(operands, ["IN.wav"])
      return .drop(try drop.checked(input: operands[1]))
    case "list":
      try check(operands, [])
      return .list
    case "show":
      try check(operands, ["ID"])
      return .show(id: operands[1])
    case "open":
      try check(operands, ["URL"])
      return .open(url: operands[1])
    case "export":
      try check(operands, ["ID", "OUT.wav"])
      return .export(id: operands[1], output: operands[2], format: format)
    default:
      throw .unexpectedOperand(name)
    }
  }

  /// After the action's name, as many operands as it has names for them.
  private static func check(
    _ operands: [String], _ names: [String]
  ) throws(UsageError) {
    if operands.count - 1 < names.count { throw .missingOperand(names[operands.count - 1]) }
    if operands.count - 1 > names.count { throw .unexpectedOperand(operands[names.count + 1]) }
  }
}
