/// Where an application drops pieces and opens them: its configuration, and a library.
///
///     let exchange = PieceExchange(
///       configuration: try PieceConfiguration(
///         applicationIdentifier: "rain-maker", apiKey: key),
///       library: FolderPieceLibrary(folder: folder))
///     let drop = exchange.drop(metadata, renderer: renderer)
///     let piece = try await drop.result.get()
///
/// It holds nothing else and can be made as often as it is needed.
public struct PieceExchange: Sendable {
  /// Who uses the library.
  public let configuration: PieceConfiguration

  /// Where pieces are kept.
  public let library: any PieceLibrary

  /// The use of a library by an application.
  public init(configuration: PieceConfiguration, library: any PieceLibrary) {
    self.configuration = configuration
    self.library = library
  }

  /// A piece of the library by its identifier.
  ///
  /// - Throws: ``PieceLibraryError``.
  public func piece(_ identifier: PieceIdentifier) async throws(PieceLibraryError) -> Piece {
    Piece(
      record: try await library.record(of: identifier, for: configuration), library: library,
      configuration: configuration)
  }

  /// What is in the library.
  ///
  /// - Throws: ``PieceLibraryError``.
  public func listing() async throws(PieceLibraryError) -> PieceListing {
    try await library.listing(for: configuration)
  }
}
