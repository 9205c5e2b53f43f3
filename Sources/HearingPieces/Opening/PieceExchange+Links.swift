public import Foundation

extension PieceExchange {
  /// The link that opens a piece in this application:
  /// `ah-<application identifier>://piece/<identifier>`.
  public func link(to identifier: PieceIdentifier) -> URL {
    let text = "\(configuration.urlScheme)://\(Self.linkHost)/\(identifier)"
    guard let url = URL(string: text) else {
      preconditionFailure("\(text) is no URL, though made of valid parts")
    }
    return url
  }

  /// Whether a link is for this application, whatever it leads to.
  func isOwn(_ url: URL) -> Bool {
    url.scheme?.lowercased() == configuration.urlScheme
  }

  /// The piece that a link of its own leads to; nil if it leads to none. What follows `?` or `#` is
  /// passed over.
  func identifier(in url: URL) -> PieceIdentifier? {
    let path = url.pathComponents
    guard url.host?.lowercased() == Self.linkHost, path.count == 2, path[0] == "/" else {
      return nil
    }
    return PieceIdentifier(path[1])
  }

  private static let linkHost = "piece"
}
