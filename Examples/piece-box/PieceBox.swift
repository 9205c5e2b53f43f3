import ExampleSupport
import Foundation
import HearingFitting
import HearingPieces

/// Drops pieces of music into a folder and opens them again. See `piece-box --help`.
@main
struct PieceBox {
  private let options: BoxOptions

  static func main() {
    Command("piece-box", help: BoxOptions.help).run {
      arguments async throws(CommandFailure) in
      try await PieceBox(arguments).run()
    }
  }

  private init(_ arguments: [String]) throws(CommandFailure) {
    do {
      options = try BoxOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  private func run() async throws(CommandFailure) {
    let exchange = PieceExchange(
      configuration: try configuration(),
      library: FolderPieceLibrary(folder: URL(fileURLWithPath: options.library)))
    switch options.action {
    case .drop(let drop):
      let piece = try await DropJob(drop, exchange: exchange, library: options.library).run()
      try Command.print("\(piece.identifier)\n")
      // Standard output has only the identifier, for use in scripts.
      let folder = URL(fileURLWithPath: options.library)
        .appendingPathComponent(piece.identifier.text).relativePath
      Command.warn("piece-box: \(folder.singleLine(limit: 200)) written")
    case .list: try await list(exchange)
    case .show(let id):
      try Command.print(PieceText(try await piece(id, exchange), exchange).text)
    case .open(let url):
      try Command.print(PieceText(try await open(url, exchange), exchange).text)
    case .export(let id, let output, let format):
      try await export(id, exchange, to: output, format)
    }
  }

  private func configuration() throws(CommandFailure) -> PieceConfiguration {
    do {
      return try PieceConfiguration(
        applicationIdentifier: options.applicationIdentifier, apiKey: options.apiKey)
    } catch {
      throw .usage(.invalidValue(option: "--app-id", reason: error.description))
    }
  }

  private func list(_ exchange: PieceExchange) async throws(CommandFailure) {
    // For the package, a missing folder is an empty library. Here it is an error, because the user
    // may have misspelt the path.
    guard FileManager.default.fileExists(atPath: options.library) else {
      throw .noInput(
        path: options.library, reason: "there is no library; piece-box drop creates one")
    }
    let listing: PieceListing
    do {
      listing = try await exchange.listing()
    } catch {
      throw CommandFailure(error, library: options.library)
    }
    for (_, reason) in listing.broken.sorted(by: { $0.key < $1.key }) {
      Command.warn("piece-box: \(reason)")
    }
    let lines = listing.pieces.map { PieceText.line(for: $0) + "\n" }
    try Command.print(lines.joined())
  }

  private func piece(
    _ id: String, _ exchange: PieceExchange
  ) async throws(CommandFailure) -> Piece {
    guard let identifier = PieceIdentifier(id) else {
      throw .usage(.invalidValue(option: "ID", reason: "\(id.quoted) is not an identifier"))
    }
    do {
      return try await exchange.piece(identifier)
    } catch {
      throw CommandFailure(error, library: options.library)
    }
  }

  /// Opens a link in the same way as an app to which the system passes the link.
  private func open(
    _ text: String, _ exchange: PieceExchange
  ) async throws(CommandFailure) -> Piece {
    guard let url = URL(string: text) else {
      throw .badData(input: "URL", reason: "\(text.quoted) is not a URL")
    }
    let result: Result<Piece, PieceError>? = await withCheckedContinuation { continuation in
      let opener = PieceOpener(exchange) { continuation.resume(returning: $0) }
      if !opener.handleOpen(url) {
        continuation.resume(returning: nil)
      }
    }
    guard let result else {
      let scheme = exchange.configuration.urlScheme
      throw .badData(input: text, reason: "not a link to a piece: \(scheme)://piece/…")
    }
    do {
      return try result.get()
    } catch {
      throw CommandFailure(error, library: options.library)
    }
  }

  private func export(
    _ id: String, _ exchange: PieceExchange, to output: String, _ format: PieceAudioFormat?
  ) async throws(CommandFailure) {
    // A file URL ignores a slash at the end of a path. Therefore the slash is checked here.
    guard !output.hasSuffix("/") else {
      throw .cannotCreate(path: output, reason: "is a folder, not a file")
    }
    let piece = try await piece(id, exchange)
    try checkName(output, of: format ?? piece.record.format(of: .mixStem))
    do {
      try await piece.exportMixStem(format: format, to: URL(fileURLWithPath: output))
    } catch {
      throw CommandFailure(error, exportingTo: output, library: options.library)
    }
    try Command.print("\(output.singleLine(limit: 200)) written\n")
  }

  /// Throws an error if the extension of an output file belongs to another format than the sound.
  private func checkName(
    _ output: String, of format: PieceAudioFormat
  ) throws(CommandFailure) {
    guard let stored = PieceText.names[format],
      let named = OtherSoundFormat.named(by: output), named != stored
    else { return }
    throw .usage(
      .invalidValue(
        option: "OUT",
        reason: "\(output.quoted) is named like \(named), but the sound is \(stored); "
          + "use another extension"))
  }
}
