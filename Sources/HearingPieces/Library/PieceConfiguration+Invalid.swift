internal import HearingFitting

extension PieceConfiguration {
  /// What a configuration lacks, or why its identifier cannot be used.
  public enum Invalid: Error, Sendable, Equatable {
    /// There is no application identifier, or an empty one.
    case missingApplicationIdentifier
    /// There is no API key, or an empty one.
    case missingAPIKey
    /// The identifier has more characters than it may.
    case identifierTooLong(Int, limit: Int)
    /// The identifier makes no URL scheme, because of this character, so many from its beginning.
    case noScheme(identifier: String, character: Character, index: Int)
  }
}

extension PieceConfiguration.Invalid: CustomStringConvertible {
  /// One line that says what is missing or wrong.
  public var description: String {
    switch self {
    case .missingApplicationIdentifier: "the application identifier is missing"
    case .missingAPIKey: "the API key is missing"
    case .identifierTooLong(let count, let limit):
      "an application identifier of \(count) characters is longer than \(limit)"
    case .noScheme(let identifier, let character, let index):
      "the application identifier \(identifier.inQuotationMarks) makes no URL scheme: "
        + "character \(index), \(String(character).inQuotationMarks), is no ASCII letter, digit, +, - or ."
    }
  }
}
