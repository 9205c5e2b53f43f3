public import Foundation

/// Opens pieces through links.
///
///     let opener = PieceOpener(exchange) { result in
///       switch result {
///       case .success(let piece): document.insert(piece)
///       case .failure(let error): alert("\(error)")
///       }
///     }
///     func application(open url: URL) -> Bool { opener.handleOpen(url) }
///
/// The application must register the URL scheme `configuration.urlScheme` with the operating
/// system. If the scheme is not registered, ``missingScheme`` contains the scheme. An opener
/// handles only links to pieces. The application can handle all other links itself.
public struct PieceOpener: Sendable {
  private let exchange: PieceExchange
  private let open: @Sendable (Result<Piece, PieceError>) -> Void

  /// Creates an opener.
  ///
  /// - Parameters:
  ///   - exchange: Contains the configuration of the application, and the library.
  ///   - open: A closure that is called on a background thread, once for each link to a piece. The
  ///     argument is the piece or the error.
  public init(
    _ exchange: PieceExchange, open: @escaping @Sendable (Result<Piece, PieceError>) -> Void
  ) {
    self.exchange = exchange
    self.open = open
  }

  /// Creates an opener whose closure is called on the main actor.
  ///
  /// - Parameters:
  ///   - exchange: Contains the configuration of the application, and the library.
  ///   - open: A closure that is called once for each link to a piece. The argument is the piece or
  ///     the error.
  public init(
    _ exchange: PieceExchange,
    onMainActor open: @escaping @MainActor @Sendable (Result<Piece, PieceError>) -> Void
  ) {
    self.init(exchange) { result in Task { @MainActor in open(result) } }
  }

  /// The URL scheme of the configuration if the application has not registered this scheme. Without
  /// a registered scheme, the application receives no links to pieces. The property is nil if the
  /// scheme is registered, or if applications on this platform do not list their schemes.
  ///
  /// On Apple's platforms, the registered schemes are listed in the application's `Info.plist`.
  public var missingScheme: String? {
    exchange.configuration.missingScheme(in: Bundle.main.infoDictionary ?? [:])
  }

  /// Opens the piece to which a link refers. A link is ignored if it does not have the form `<URL
  /// scheme>://piece…`. For example, a link to another application is ignored.
  ///
  /// - Parameter url: Any link that the system has passed to the application.
  /// - Returns: True if the link has the form `<URL scheme>://piece…`. If the result is true, the
  ///   opener's closure is called later, with the piece or an error.
  @discardableResult
  public func handleOpen(_ url: URL) -> Bool {
    guard exchange.isLinkToPiece(url) else { return false }
    let (exchange, open) = (exchange, open)
    Task.detached(executorPreference: DiskExecutor.shared) {
      open(await Self.piece(url, exchange))
    }
    return true
  }

  private static func piece(
    _ url: URL, _ exchange: PieceExchange
  ) async -> Result<Piece, PieceError> {
    guard let identifier = exchange.identifier(in: url) else {
      return .failure(.malformedLink(url.absoluteString))
    }
    do {
      return .success(try await exchange.piece(identifier))
    } catch {
      return .failure(error)
    }
  }
}

extension PieceExchange {
  /// The link that opens a piece in this application. A link has the form `<URL
  /// scheme>://piece/<identifier>`.
  public func link(to identifier: PieceIdentifier) -> URL {
    let text = "\(configuration.urlScheme)://\(Self.linkHost)/\(identifier)"
    guard let url = URL(string: text) else {
      preconditionFailure("\(text) is not a URL, though its parts are valid")
    }
    return url
  }

  /// Whether a link has the application's URL scheme and the host `piece`.
  func isLinkToPiece(_ url: URL) -> Bool {
    url.scheme?.lowercased() == configuration.urlScheme && url.host?.lowercased() == Self.linkHost
  }

  /// The piece identifier in a link. Nil if the link contains no identifier. The query and the
  /// fragment of the link are ignored.
  func identifier(in url: URL) -> PieceIdentifier? {
    let path = url.pathComponents
    return path.count == 2 && path[0] == "/" ? PieceIdentifier(path[1]) : nil
  }

  private static let linkHost = "piece"
}
