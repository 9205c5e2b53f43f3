/// The format in which the sound of a piece is stored or requested. Other values than those listed
/// here are possible.
///
///     let formats = try await piece.formats(of: .mixStem)
///     let file = try await piece.mixStem(format: formats[0])
///
/// A sound is dropped as WAV, Ogg Vorbis or AAC, and is recognised by its contents. The library
/// decides in which formats it delivers a sound: ``FolderPieceLibrary`` delivers the format that
/// was dropped and, on Apple's platforms, converts between WAV and AAC; a service may convert to
/// others.
public struct PieceAudioFormat: RawRepresentable, Sendable, Hashable, Codable {
  /// The format's name.
  public let rawValue: String

  /// The format with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// WAV: not compressed.
  public static let wav = PieceAudioFormat(rawValue: "wav")
  /// Vorbis in an Ogg file: compressed with loss.
  public static let oggVorbis = PieceAudioFormat(rawValue: "ogg-vorbis")
  /// FLAC: compressed without loss. This package neither reads nor writes it.
  public static let flac = PieceAudioFormat(rawValue: "flac")
  /// AAC in an M4A file: compressed with loss.
  public static let aac = PieceAudioFormat(rawValue: "aac")

  /// The media type; nil if it is unknown.
  public var mediaType: MediaType? {
    switch self {
    case .wav: try? MediaType("audio/wav")
    case .oggVorbis: try? MediaType("audio/ogg")
    case .flac: try? MediaType("audio/flac")
    case .aac: try? MediaType("audio/mp4")
    default: nil
    }
  }

  /// The extension of the file name; empty if it is unknown.
  var fileExtension: String {
    switch self {
    case .wav: "wav"
    case .oggVorbis: "ogg"
    case .flac: "flac"
    case .aac: "m4a"
    default: ""
    }
  }
}

extension PieceAudioFormat: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
