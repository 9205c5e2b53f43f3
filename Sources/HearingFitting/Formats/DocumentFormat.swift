/// The name and the version of a JSON schema. Each document contains the name and the version under
/// the keys `format` and `version`.
///
/// The version of a schema increases only if a parser for the previous version would misread new
/// documents. Parsers ignore unknown keys.
package struct DocumentFormat: Sendable, Equatable {
  let name: String
  let version: Int

  package init(name: String, version: Int) {
    self.name = name
    self.version = version
  }

  /// The format of preset documents. Version 2 of the preset format added the keys
  /// `maximumOutputs`, `limitedGains`, `assumedThresholds`, `program`, `limits` and `fineTuning`.
  static let preset = DocumentFormat(name: "hearing-preset", version: 2)
  static let profile = DocumentFormat(name: "hearing-profile", version: 1)

  private enum Key: String, CodingKey { case format, version }

  /// Checks that a document has this format and a known version.
  package func check(_ decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let found = try container.value(String.self, at: .format)
    guard found == name else {
      throw container.failure(
        UnreadableDocument.wrongFormat(expected: name, found: found), at: .format)
    }
    let version = try container.value(Int.self, at: .version)
    guard version >= 1 else {
      let reason = "\(version) is not a version; versions start at 1"
      throw container.failure(
        UnreadableDocument.invalid(position: "version", reason: reason), at: .version)
    }
    guard version <= self.version else {
      throw container.failure(
        UnreadableDocument.newerVersion(format: name, version: version, known: self.version),
        at: .version)
    }
  }

  /// Encodes the name and the version of the format. By default, the version is the latest version.
  package func write(to encoder: any Encoder, version: Int? = nil) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .format)
    try container.encode(version ?? self.version, forKey: .version)
  }
}
