internal import HearingFitting

/// The identifier and the API key of an application that uses a library of pieces.
///
///     let configuration = try PieceConfiguration(
///       applicationIdentifier: "rain-maker", apiKey: environment["PIECES_API_KEY"])
///     configuration.urlScheme          // "ah-rain-maker": the application registers it
///
/// An application needs a configuration to add pieces to a library and to open pieces. The API key
/// is secret. The API key is passed only to the library, and is not stored with a piece. Text
/// descriptions of a configuration do not contain the API key.
public struct PieceConfiguration: Sendable, Equatable {
  /// The application's identifier, as passed to the initializer.
  public let applicationIdentifier: String

  /// The application's API key. ``FolderPieceLibrary`` accepts any key.
  public let apiKey: String

  /// The text before the application identifier in the URL scheme.
  public let schemePrefix: String

  /// The default scheme prefix.
  public static let defaultSchemePrefix = "ah-"

  /// The maximum length of an application identifier, in characters.
  public static let identifierLimit = 100

  /// Creates a configuration and checks the values.
  ///
  /// - Parameters:
  ///   - applicationIdentifier: 1…100 characters that are allowed in a URL scheme (RFC 3986,
  ///     section 3.1): ASCII letters, digits, `+`, `-` and `.`. Nil or an empty text causes an
  ///     error.
  ///   - apiKey: The API key. Nil or an empty text causes an error.
  ///   - schemePrefix: The first part of the URL scheme: at most 100 characters that are allowed in
  ///     a URL scheme. The URL scheme consists of this prefix and the application identifier. The
  ///     URL scheme must start with a letter.
  public init(
    applicationIdentifier: String?, apiKey: String?,
    schemePrefix: String = defaultSchemePrefix
  ) throws(Invalid) {
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
    guard schemePrefix.unicodeScalars.count <= Self.identifierLimit,
      schemePrefix.unicodeScalars.allSatisfy(Self.isAllowedInScheme),
      (schemePrefix + applicationIdentifier).first?.isLetter == true
    else { throw .invalidSchemePrefix(schemePrefix) }
    guard let apiKey, !apiKey.isEmpty else { throw .missingAPIKey }
    self.applicationIdentifier = applicationIdentifier
    self.apiKey = apiKey
    self.schemePrefix = schemePrefix
  }

  /// The URL scheme of links that open pieces in this application, in lower case.
  public var urlScheme: String { (schemePrefix + applicationIdentifier).lowercased() }

  /// Returns the URL scheme of the configuration if this scheme is missing in the application's
  /// `Info.plist`. Returns nil if `Info.plist` lists the scheme, or if applications on this
  /// platform do not list schemes in `Info.plist`.
  func missingScheme(in information: [String: Any]) -> String? {
    #if canImport(Darwin)
      let isStated = true
    #else
      let isStated = information["CFBundleURLTypes"] != nil
    #endif
    let types = information["CFBundleURLTypes"] as? [[String: Any]] ?? []
    let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
    return isStated && !schemes.contains { $0.lowercased() == urlScheme } ? urlScheme : nil
  }

  private static func isAllowedInScheme(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
    default: false
    }
  }
}

extension PieceConfiguration: CustomStringConvertible, CustomReflectable {
  /// A text with the application's identifier, but without the API key.
  public var description: String { "application \(applicationIdentifier)" }

  /// A mirror that contains the application's identifier, but not the API key.
  public var customMirror: Mirror {
    Mirror(self, children: ["applicationIdentifier": applicationIdentifier])
  }
}

extension PieceConfiguration {
  /// The reason why a configuration is invalid.
  public enum Invalid: Error, Sendable, Equatable {
    /// The application identifier is nil or empty.
    case missingApplicationIdentifier
    /// The API key is nil or empty.
    case missingAPIKey
    /// The application identifier has more than `limit` characters.
    case identifierTooLong(Int, limit: Int)
    /// The scheme prefix is too long or contains an invalid character, or the scheme does not start
    /// with a letter.
    case invalidSchemePrefix(String)
    /// The application identifier contains a character that is not allowed in a URL scheme. `index`
    /// is the index of the invalid character.
    case noScheme(identifier: String, character: Character, index: Int)
  }
}

extension PieceConfiguration.Invalid: CustomStringConvertible {
  /// One line that names the missing or invalid value.
  public var description: String {
    switch self {
    case .missingApplicationIdentifier: "the application identifier is missing"
    case .missingAPIKey: "the API key is missing"
    case .identifierTooLong(let count, let limit):
      "an application identifier of \(count) characters; at most \(limit) are allowed"
    case .invalidSchemePrefix(let prefix):
      "the scheme prefix \(prefix.inQuotationMarks) does not make a valid URL scheme: it needs a "
        + "letter at its start, and at most 100 ASCII letters, digits, +, - or ."
    case .noScheme(let identifier, let character, let index):
      "the application identifier \(identifier.inQuotationMarks) is not valid in a URL scheme: "
        + "character \(index), \(String(character).inQuotationMarks), is not an ASCII letter, digit, "
        + "+, - or ."
    }
  }
}
