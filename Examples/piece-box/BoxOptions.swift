import ExampleSupport
import HearingFitting
import HearingPieces

/// The command and options of `piece-box`.
struct BoxOptions {
  /// A command with its arguments.
  enum Action {
    case drop(DropOptions)
    case list
    case show(id: String)
    case open(url: String)
    case export(id: String, output: String, format: PieceAudioFormat?)
  }

  var action: Action
  var library = "./pieces"
  var applicationIdentifier = "piece-box"
  var apiKey = "local-demonstration"

  /// Parses a command line that does not include the program's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var operands: [String] = []
    var drop = DropOptions()
    var dropOption: String?
    var format: PieceAudioFormat?
    while let argument = try reader.next() {
      switch argument {
      case .option("--library"): library = try reader.text()
      case .option("--app-id"): applicationIdentifier = try reader.text()
      case .option("--api-key"): apiKey = try reader.text()
      case .option("--format"): format = PieceAudioFormat(rawValue: try reader.text())
      case .option(let name):
        guard try drop.parse(name, &reader) else { throw .unknownOption(name) }
        dropOption = name
      case .operand(let text): operands.append(text)
      }
    }
    action = try Self.action(operands, drop, format)
    switch action {
    case .drop: break
    case .list, .show, .open, .export:
      if let dropOption { throw .conflict(dropOption, with: operands[0]) }
    }
    if case .export = action { return }
    if format != nil { throw .conflict("--format", with: operands[0]) }
  }

  private static func action(
    _ operands: [String], _ drop: DropOptions, _ format: PieceAudioFormat?
  ) throws(UsageError) -> Action {
    guard let name = operands.first else {
      throw .missingOperand("a command (\(commands.joined(separator: ", ")))")
    }
    switch name {
    case "drop":
      try check(operands, ["IN"])
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
      try check(operands, ["ID", "OUT"])
      return .export(id: operands[1], output: operands[2], format: format)
    default:
      throw .unknownCommand(name, known: commands)
    }
  }

  private static let commands = ["drop", "list", "show", "open", "export"]

  /// Throws an error if an operand of the command is missing, or if there are too many operands.
  private static func check(
    _ operands: [String], _ names: [String]
  ) throws(UsageError) {
    if operands.count - 1 < names.count { throw .missingOperand(names[operands.count - 1]) }
    if operands.count - 1 > names.count { throw .unexpectedOperand(operands[names.count + 1]) }
  }
}

extension BoxOptions {
  /// The text that `--help` prints.
  static var help: String {
    """
    Keeps pieces of music in a folder, where other apps can open them.

      piece-box drop IN --title TITLE [options]       prints the piece's identifier
      piece-box list
      piece-box show ID
      piece-box open URL                              such as ah-piece-box://piece/ID
      piece-box export ID OUT

    IN is WAV, Ogg Vorbis, or AAC in an M4A file; OUT is the same, byte for byte. An extension of
    another format, such as out.mp3, is refused.

    Options of drop:

      --title TITLE            1…200 characters; required
      --tempo BPM              1…999.999, if the tempo is fixed
      --loop START END         in seconds; "end" for the end of the piece
      --time-signature N/M     such as 6/8; N is 1…16, M is 2, 4, 8 or 16
      --root 0…11              the root in semitones above C; needs --scale
      --scale major|minor      the scale; needs --root
      --atonal                 no tonality
      --based-on ID,ID,…       the pieces it was made from
      --cover FILE             a picture of 640 × 640 pixels, PNG or JPEG
      --attachment FILE        any file of up to 30 MB
      --attachment-type TYPE   its media type; default: application/octet-stream
      --audiogram A            render the preview for \(Audiogram.standards.map(\.name).joined(separator: " "))
                               or the listener in a file; the mix stem does not change

    Options of all commands:

      --library DIR            the folder; default: ./pieces
      --app-id ID              the app's identifier; default: piece-box
      --api-key KEY            the app's key; a folder accepts any
      --format FORMAT          with export: wav, ogg-vorbis or aac; an error unless the piece is
                               stored in it
      --help                   print this help
      --version                print the version

    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 73 and 74 output not
    writable.

    """
  }
}
