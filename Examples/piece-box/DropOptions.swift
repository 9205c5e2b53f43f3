import ExampleSupport
import HearingPieces

/// The options of `piece-box drop`.
struct DropOptions {
  var input = ""
  var title = ""
  var tempo: Double?
  /// The start and the end of the loop in seconds. If `end` is nil, the loop ends at the end of the
  /// piece.
  var loop: (start: Double, end: Double?)?
  var timeSignature: TimeSignature?
  var basedOn: [PieceIdentifier] = []
  var tonality = Tonality.unknown
  var cover: String?
  var attachment: String?
  var attachmentType = MediaType.octetStream
  /// The listener for the preview: a standard audiogram or the path of a file; nil without a
  /// preview.
  var audiogram: String?

  private var hasAttachmentType = false
  private var root: PitchClass?
  private var scale: Scale?
  private var isAtonal = false

  private enum Scale: String, CaseIterable {
    case major
    case minor
  }

  private static let seconds = 0.0...86_400.0

  /// Reads an option and its values. Returns false if the option does not belong to `drop`.
  mutating func parse(
    _ option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> Bool {
    switch option {
    case "--title": title = try reader.text()
    case "--tempo": tempo = try reader.number(in: PieceMetadata.tempos)
    case "--loop": loop = try Self.loop(&reader)
    case "--time-signature": timeSignature = try Self.timeSignature(try reader.text())
    case "--based-on": basedOn = try Self.identifiers(try reader.text())
    case "--root": root = PitchClass(try reader.integer(in: 0...11))
    case "--scale": scale = try reader.choice(Scale.self)
    case "--atonal": isAtonal = true
    case "--cover": cover = try reader.text()
    case "--attachment": attachment = try reader.text()
    case "--attachment-type":
      attachmentType = try Self.mediaType(try reader.text())
      hasAttachmentType = true
    case "--audiogram": audiogram = try reader.text()
    default: return false
    }
    return true
  }

  /// Returns the options with an input, after a check for conflicts.
  func checked(input: String) throws(UsageError) -> DropOptions {
    var options = self
    options.input = input
    if title.isEmpty { throw .missingOption("--title") }
    if hasAttachmentType, attachment == nil {
      throw .missingCompanion(option: "--attachment-type", needs: "--attachment")
    }
    switch (root, scale) {
    case (nil, nil): options.tonality = isAtonal ? .atonal : .unknown
    case (_?, nil): throw .missingCompanion(option: "--root", needs: "--scale")
    case (nil, _?): throw .missingCompanion(option: "--scale", needs: "--root")
    case (let root?, let scale?):
      if isAtonal { throw .conflict("--atonal", with: "--root") }
      options.tonality = scale == .major ? .majorScale(root) : .minorScale(root)
    }
    return options
  }

  private static func loop(
    _ reader: inout ArgumentReader
  ) throws(UsageError) -> (start: Double, end: Double?) {
    let start = try reader.number(in: seconds)
    let text = try reader.text()
    if text == "end" { return (start, nil) }
    guard let end = ArgumentReader.decimal(text) else {
      throw .notANumber(option: "--loop", value: text)
    }
    guard seconds.contains(end) else {
      throw .outOfRange(option: "--loop", value: text, permitted: ArgumentReader.text(of: seconds))
    }
    return (start, end)
  }

  private static func timeSignature(_ text: String) throws(UsageError) -> TimeSignature {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let upper = numbers[0], let lower = numbers[1] else {
      throw .invalidValue(
        option: "--time-signature", reason: "\(text.quoted) is not a time signature like \"6/8\"")
    }
    do {
      return try TimeSignature(upper: upper, lower: lower)
    } catch {
      throw .invalidValue(option: "--time-signature", reason: error.reason)
    }
  }

  private static func identifiers(_ text: String) throws(UsageError) -> [PieceIdentifier] {
    var identifiers: [PieceIdentifier] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let identifier = PieceIdentifier(part) else {
        throw .invalidValue(
          option: "--based-on", reason: "\(String(part).quoted) is not an identifier of a piece")
      }
      identifiers.append(identifier)
    }
    return identifiers
  }

  private static func mediaType(_ text: String) throws(UsageError) -> MediaType {
    do {
      return try MediaType(text)
    } catch {
      throw .invalidValue(option: "--attachment-type", reason: error.description)
    }
  }
}
