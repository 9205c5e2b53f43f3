public import Foundation

/// Opens the pieces that links lead to.
///
///     let opener = PieceOpener(exchange) { result in
///       switch result {
///       case .success(let piece): document.insert(piece)
///       case .failure(let error): alert("\(error)")
///       }
///     }
///     func application(open url: URL) -> Bool { opener.handleOpen(url) }
///
/// The application registers the scheme `configuration.urlScheme` with its system. Links in a text
/// are not found by this, nor are links of other applications followed.
public struct PieceOpener: Sendable {
  private let exchange: PieceExchange
  private let open: @Sendable (Result<Piece, OpenError>) -> Void

  /// An opener of the links of an application.
  ///
  /// - Parameters:
  ///   - exchange: The application and its library.
  ///   - open: Given the piece, or the error, once for each link of its own; off the thread that
  ///     ``handleOpen(_:)`` was called on.
  public init(
    _ exchange: PieceExchange, open: @escaping @Sendable (Result<Piece, OpenError>) -> Void
  ) {
    self.exchange = exchange
    self.open = open
  }

  /// Takes a link if it is its own, and opens what it leads to.
  ///
  /// - Parameter url: Any link that the system hands to the application.
  /// - Returns: Whether the link was its own: `ah-<application identifier>://…`. Then the opener is
  ///   given a piece or an error; otherwise nothing happens.
  @discardableResult
  public func handleOpen(_ url: URL) -> Bool {
    guard exchange.isOwn(url) else { return false }
    let (exchange, open) = (exchange, open)
    Task.detached(executorPreference: DiskExecutor.shared) {
      open(await Self.piece(url, exchange))
    }
    return true
  }

  private static func piece(
    _ url: URL, _ exchange: PieceExchange
  ) async -> Result<Piece, OpenError> {
    guard let identifier = exchange.identifier(in: url) else {
      return .failure(.malformedLink(url.absoluteString))
    }
    do {
      return .success(try await exchange.piece(identifier))
    } catch {
      return .failure(.library(error))
    }
  }
}
