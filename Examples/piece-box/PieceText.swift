import ExampleSupport
import Foundation
import HearingFitting
import HearingPieces

/// A piece's metadata as text.
struct PieceText {
  private let piece: Piece
  private let link: URL

  init(_ piece: Piece, _ exchange: PieceExchange) {
    self.piece = piece
    link = exchange.link(to: piece.identifier)
  }

  /// A piece in one line of the list: identifier, length, tonality and title.
  static func line(for record: PieceRecord) -> String {
    let metadata = record.metadata
    let length = metadata.length.map { (Double($0) / 1_000_000).clockText } ?? "-"
    let padding = String(repeating: " ", count: max(0, 12 - length.count))
    return "\(record.identifier)  \(padding)\(length)  "
      + tonality(metadata).padding(toLength: 8, withPad: " ", startingAt: 0)
      + metadata.title.singleLine(limit: 400)
  }

  /// The tonality, or a dash if the tonality is unknown.
  private static func tonality(_ metadata: PieceMetadata) -> String {
    metadata.tonality == .unknown ? "-" : metadata.tonality.displayName
  }

  /// All metadata, with one field per line.
  var text: String {
    let record = piece.record
    let metadata = piece.metadata
    var fields = [
      ("identifier", "\(piece.identifier)"), ("title", metadata.title.singleLine(limit: 400)),
      ("length", metadata.length.map(Self.duration) ?? "unknown"),
      ("tonality", Self.tonality(metadata)),
    ]
    if let tempo = metadata.tempo { fields.append(("tempo", "\(tempo) BPM")) }
    if let loop = metadata.loop {
      fields.append(("loop", "\(Self.duration(loop.start)) to \(Self.duration(loop.end))"))
    }
    if let signature = metadata.timeSignature { fields.append(("time", "\(signature)")) }
    if !metadata.basedOn.isEmpty {
      fields.append(("based on", metadata.basedOn.map(\.text).joined(separator: ", ")))
    }
    fields.append(("dropped by", record.applicationIdentifier.singleLine(limit: 100)))
    fields.append(("dropped at", record.droppedAt.ISO8601Format()))
    fields.append(("link", link.absoluteString))
    for part in PiecePart.allCases {
      guard let byteCount = record.byteCounts[part] else { continue }
      fields.append((part.description, "\(byteCount) bytes" + Self.kind(of: part, record)))
    }
    return fields.map { name, value in
      name.padding(toLength: 14, withPad: " ", startingAt: 0) + value + "\n"
    }.joined()
  }

  private static func kind(of part: PiecePart, _ record: PieceRecord) -> String {
    switch part {
    case .mixStem, .preview: " of \(Self.names[record.format(of: part)] ?? "sound")"
    case .coverImage: record.coverFormat.map { " of \($0.rawValue.uppercased())" } ?? ""
    case .attachment: record.attachmentType.map { " of \($0)" } ?? ""
    }
  }

  /// The names of formats, as in `OtherSoundFormat`.
  static let names: [PieceAudioFormat: String] = [
    .wav: "WAV", .oggVorbis: "Ogg Vorbis", .flac: "FLAC", .aac: "AAC",
  ]

  /// Formats microseconds as minutes and seconds with two to six decimals, such as 0:11.08 or
  /// 0:11.083917.
  private static func duration(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    var fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    while fraction.count > 2, fraction.last == "0" { fraction.removeLast() }
    return "\(seconds / 60):\(String(seconds % 60 + 100).dropFirst()).\(fraction)"
  }
}
