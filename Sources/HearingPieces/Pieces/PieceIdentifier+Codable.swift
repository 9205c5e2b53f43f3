internal import HearingFitting

extension PieceIdentifier: Codable {
  /// Reads the identifier from a string.
  ///
  /// - Throws: `DecodingError` with the path if the string is no identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let identifier = PieceIdentifier(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text.inQuotationMarks) is no identifier of a piece")
    }
    self = identifier
  }

  /// Writes the identifier as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
