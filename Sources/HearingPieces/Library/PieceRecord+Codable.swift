public import Foundation
public import HearingFitting

extension DocumentFormat {
  fileprivate static let piece = DocumentFormat(name: "hearing-piece", version: 1)
}

extension PieceRecord {
  /// Reads a record from JSON. In a ``FolderPieceLibrary``, the folder of a piece contains the
  /// record as JSON, and the parts of the piece.
  ///
  ///     {
  ///       "format": "hearing-piece",
  ///       "version": 1,
  ///       "identifier": "2q7f9x4k",
  ///       "applicationIdentifier": "rain-maker",
  ///       "droppedAt": "2025-03-14T09:26:53.589Z",
  ///       "metadata": {"title": "Rain on tin", …},
  ///       "parts": {"mixStem": 1536044, "coverImage": 20113},
  ///       "digests": {"mixStem": "44bc2cf5ad770999", "coverImage": "d24ec4f1a98c6e5b"},
  ///       "coverFormat": "png"
  ///     }
  ///
  /// `metadata` has the schema of ``PieceMetadata/init(json:)``. `parts` contains the size of each
  /// part in bytes. `digests` contains the checksum (XXH64) of each part. `formats` contains the
  /// ``PieceAudioFormat`` of the mix stem and of the preview. The format WAV is omitted.
  /// `attachmentType` contains the media type of the attachment, if there is an attachment. Unknown
  /// keys are ignored.
  ///
  /// - Throws: `UnreadableDocument` if the bytes are invalid. If a value is invalid, the error
  ///   contains the path of this value in the JSON.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(PieceRecord.self, from: data)
  }

  /// The record as JSON in the schema of ``init(json:)``, with indentation and sorted keys. Equal
  /// records produce the same bytes.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}

extension PieceRecord: Codable {
  private enum Key: String, CodingKey {
    case identifier
    case metadata
    case applicationIdentifier
    case droppedAt
    case parts
    case digests
    case formats
    case coverFormat
    case attachmentType
  }

  /// A coding key for a part. A decoder with this key type ignores parts that are unknown to this
  /// version of the package.
  private struct PartKey: CodingKey {
    let part: PiecePart

    var stringValue: String { part.rawValue }

    var intValue: Int? { nil }

    init(_ part: PiecePart) {
      self.part = part
    }

    init?(stringValue: String) {
      guard let part = PiecePart(rawValue: stringValue) else { return nil }
      self.part = part
    }

    init?(intValue: Int) {
      nil
    }
  }

  /// Decodes a record in the schema of ``init(json:)``.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    try DocumentFormat.piece.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    let date = try container.value(String.self, at: .droppedAt)
    guard let seconds = ISO8601Text.seconds(from: date), Self.seconds.contains(seconds) else {
      throw DecodingError.dataCorruptedError(
        forKey: .droppedAt, in: container,
        debugDescription: "\(date.inQuotationMarks) is not a date and time in ISO 8601")
    }
    let byteCounts = try Self.byteCounts(
      container.nestedContainer(keyedBy: PartKey.self, forKey: .parts))
    let coverFormat = try container.optionalValue(ImageFormat.self, at: .coverFormat)
    guard (coverFormat != nil) == (byteCounts[.coverImage] != nil) else {
      throw DecodingError.dataCorruptedError(
        forKey: .coverFormat, in: container,
        debugDescription: "a cover image and its format belong together")
    }
    let attachmentType = try container.optionalValue(MediaType.self, at: .attachmentType)
    guard (attachmentType != nil) == (byteCounts[.attachment] != nil) else {
      throw DecodingError.dataCorruptedError(
        forKey: .attachmentType, in: container,
        debugDescription: "an attachment and its type belong together")
    }
    self.init(
      identifier: try container.value(PieceIdentifier.self, at: .identifier),
      metadata: try container.value(PieceMetadata.self, at: .metadata),
      applicationIdentifier: try container.value(String.self, at: .applicationIdentifier),
      droppedAt: Date(timeIntervalSince1970: seconds), byteCounts: byteCounts,
      digests: try Self.digests(
        container.nestedContainer(keyedBy: PartKey.self, forKey: .digests),
        of: byteCounts.keys),
      soundFormats: try Self.formats(in: container, of: byteCounts.keys),
      coverFormat: coverFormat, attachmentType: attachmentType)
  }

  /// Encodes the record in the schema of ``init(json:)``.
  public func encode(to encoder: any Encoder) throws {
    try DocumentFormat.piece.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(identifier, forKey: .identifier)
    try container.encode(metadata, forKey: .metadata)
    try container.encode(applicationIdentifier, forKey: .applicationIdentifier)
    try container.encode(
      ISO8601Text.text(forSeconds: droppedAt.timeIntervalSince1970), forKey: .droppedAt)
    var parts = container.nestedContainer(keyedBy: PartKey.self, forKey: .parts)
    for part in PiecePart.allCases {
      try parts.encodeIfPresent(byteCounts[part], forKey: PartKey(part))
    }
    var digestContainer = container.nestedContainer(keyedBy: PartKey.self, forKey: .digests)
    for part in PiecePart.allCases {
      try digestContainer.encodeIfPresent(digests[part], forKey: PartKey(part))
    }
    if !soundFormats.isEmpty {
      var formats = container.nestedContainer(keyedBy: PartKey.self, forKey: .formats)
      for part in PiecePart.allCases {
        try formats.encodeIfPresent(soundFormats[part]?.rawValue, forKey: PartKey(part))
      }
    }
    try container.encodeIfPresent(coverFormat, forKey: .coverFormat)
    try container.encodeIfPresent(attachmentType, forKey: .attachmentType)
  }

  private static func byteCounts(
    _ parts: KeyedDecodingContainer<PartKey>
  ) throws -> [PiecePart: Int64] {
    var byteCounts: [PiecePart: Int64] = [:]
    for part in PiecePart.allCases {
      let key = PartKey(part)
      let count =
        part == .mixStem
        ? try parts.value(Int64.self, at: key) : try parts.optionalValue(Int64.self, at: key)
      guard let count else { continue }
      guard count >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: parts, debugDescription: "\(count) bytes")
      }
      byteCounts[part] = count
    }
    return byteCounts
  }

  private static func formats(
    in container: KeyedDecodingContainer<Key>, of parts: some Sequence<PiecePart>
  ) throws -> [PiecePart: PieceAudioFormat] {
    guard container.contains(.formats) else { return [:] }
    let formats = try container.nestedContainer(keyedBy: PartKey.self, forKey: .formats)
    var result: [PiecePart: PieceAudioFormat] = [:]
    for part in parts where part.isSound {
      let name = try formats.optionalValue(String.self, at: PartKey(part))
      if let name { result[part] = PieceAudioFormat(rawValue: name) }
    }
    return result
  }

  private static func digests(
    _ container: KeyedDecodingContainer<PartKey>, of parts: some Sequence<PiecePart>
  ) throws -> [PiecePart: PieceDigest] {
    var digests: [PiecePart: PieceDigest] = [:]
    for part in parts {
      digests[part] = try container.value(PieceDigest.self, at: PartKey(part))
    }
    return digests
  }
}
