/// Adds pieces of an application to a library (drops pieces), and opens pieces from this library.
///
///     let exchange = PieceExchange(
///       configuration: try PieceConfiguration(
///         applicationIdentifier: "rain-maker", apiKey: key),
///       library: FolderPieceLibrary(folder: folder))
///     let drop = exchange.drop(metadata, renderer: renderer)
///     let piece = try await drop.result.get()
///
/// A `PieceExchange` consists of a configuration and a library, and has no other state. An
/// application may create any number of exchanges.
public struct PieceExchange: Sendable {
  /// The configuration of the application that uses the exchange.
  public let configuration: PieceConfiguration

  /// The library of the pieces.
  public let library: any PieceLibrary

  /// Creates an exchange.
  public init(configuration: PieceConfiguration, library: any PieceLibrary) {
    self.configuration = configuration
    self.library = library
  }

  /// Returns the piece with this identifier.
  public func piece(_ identifier: PieceIdentifier) async throws(PieceError) -> Piece {
    Piece(
      record: try await library.record(of: identifier, for: configuration), library: library,
      configuration: configuration)
  }

  /// Returns all pieces of the library.
  public func listing() async throws(PieceError) -> PieceListing {
    try await library.listing(for: configuration)
  }
}
