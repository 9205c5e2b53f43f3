/// Who uses a library of pieces: the application's identifier and its key.
///
///     let configuration = try PieceConfiguration(
///       applicationIdentifier: "rain-maker", apiKey: environment["PIECES_API_KEY"])
///     configuration.urlScheme          // "ah-rain-maker": to be registered by the application
///
/// Nothing can be dropped or opened without one. The key goes to the library alone; it is stored
/// with no piece and does not appear in descriptions.
public struct PieceConfiguration: Sendable, Equatable {
  /// The application's identifier, as given.
  public let applicationIdentifier: String

  /// What the application proves itself with; the folder on disk asks for none in particular.
  public let apiKey: String

  /// What the schemes of all applications begin with.
  public static let schemePrefix = "ah-"

  /// The most characters of an application's identifier.
  public static let identifierLimit = 100

  /// A configuration, checked.
  ///
  /// - Parameters:
  ///   - applicationIdentifier: 1…100 of the characters that a URL's scheme may have: ASCII letters,
  ///     digits, `+`, `-` and `.` (RFC 3986, section 3.1). Nil, as from a list of settings in which
  ///     it is not, is an error like an empty one.
  ///   - apiKey: Nil or empty is an error.
  /// - Throws: ``Invalid``, which says what is missing or wrong.
  public init(applicationIdentifier: String?, apiKey: String?) throws(Invalid) {
    guard let applicationIdentifier, !applicationIdentifier.isEmpty else {
      throw .missingApplicationIdentifier
    }
    let scalars = applicationIdentifier.unicodeScalars
    guard scalars.count <= Self.identifierLimit else {
      throw .identifierTooLong(scalars.count, limit: Self.identifierLimit)
    }
    for (index, scalar) in scalars.enumerated() where !Self.isAllowedInScheme(scalar) {
      throw .noScheme(
        identifier: applicationIdentifier, character: Character(scalar), index: index)
    }
    guard let apiKey, !apiKey.isEmpty else { throw .missingAPIKey }
    self.applicationIdentifier = applicationIdentifier
    self.apiKey = apiKey
  }

  /// The scheme of links that open pieces in this application, in small letters; schemes are the
  /// same whatever their case.
  public var urlScheme: String { (Self.schemePrefix + applicationIdentifier).lowercased() }

  private static func isAllowedInScheme(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
    default: false
    }
  }
}

extension PieceConfiguration: CustomStringConvertible, CustomReflectable {
  /// The application's identifier; the key is not told.
  public var description: String { "application \(applicationIdentifier)" }

  /// The application's identifier; the key is not told.
  public var customMirror: Mirror {
    Mirror(self, children: ["applicationIdentifier": applicationIdentifier])
  }
}
