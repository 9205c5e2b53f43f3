import ExampleSupport
import Foundation
import HearingPieces

/// Reads the command line and does what it says.
struct BoxCommand {
  private let options: BoxOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try BoxOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() async throws(CommandFailure) {
    if case .help = options.action { return try StandardOutput.write(BoxOptions.help) }
    let exchange = PieceExchange(
      configuration: try configuration(),
      library: FolderPieceLibrary(folder: URL(fileURLWithPath: options.library)))
    switch options.action {
    case .help: break
    case .drop(let drop):
      let piece = try await DropJob(drop, exchange: exchange, library: options.library).run()
      try StandardOutput.write("\(piece.identifier)\n")
    case .list: try await list(exchange)
    case .show(let id):
      try StandardOutput.write(PieceText(try await piece(id, exchange), exchange).text)
    case .open(let url):
      try StandardOutput.write(PieceText(try await open(url, exchange), exchange).text)
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
    let listing: PieceListing
    do {
      listing = try await exchange.listing()
    } catch {
      throw CommandFailure(error, library: options.library)
    }
    for piece in listing.broken { Command.warn("piece-box: \(piece.reason)") }
    let lines = listing.pieces.map { PieceText.line(for: $0) + "\n" }
    try StandardOutput.write(lines.joined())
  }

  private func piece(
    _ id: String, _ exchange: PieceExchange
  ) async throws(CommandFailure) -> Piece {
    guard let identifier = PieceIdentifier(id) else {
      throw .usage(.invalidValue(option: "ID", reason: "\(id.quoted) is none"))
    }
    do {
      return try await exchange.piece(identifier)
    } catch {
      throw CommandFailure(error, library: options.library)
    }
  }

  /// Opens a link as an application does that the system hands it to.
  private func open(
    _ text: String, _ exchange: PieceExchange
  ) async throws(CommandFailure) -> Piece {
    guard let url = URL(string: text) else {
      throw .badData(place: "URL", reason: "\(text.quoted) is none")
    }
    let result: Result<Piece, OpenError>? = await withCheckedContinuation { continuation in
      let opener = PieceOpener(exchange) { continuation.resume(returning: $0) }
      if !opener.handleOpen(url) {
        continuation.resume(returning: nil)
      }
    }
    guard let result else {
      let scheme = exchange.configuration.urlScheme
      throw .badData(place: text, reason: "not a link of \(scheme)://")
    }
    do {
      return try result.get()
    } catch {
      throw CommandFailure(error, library: options.library)
    }
  }

  private func export(
    _ id: String, _ exchange: PieceExchange, to output: String, _ format: PieceAudioFormat
  ) async throws(CommandFailure) {
    let piece = try await piece(id, exchange)
    do {
      try await piece.exportMixStem(format: format, to: URL(fileURLWithPath: output))
    } catch {
      throw CommandFailure(error, exportingTo: output, library: options.library)
    }
  }
}
