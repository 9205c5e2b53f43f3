/// The format in which the audio of a piece is stored or requested. An app may define further
/// formats.
///
///     let formats = try await piece.formats(of: .mixStem)
///     let file = try await piece.mixStem(format: formats[0])
///
/// An application can deliver a piece as WAV, Ogg Vorbis or AAC. The contents of the audio file
/// determine its format. Each library determines the formats in which it delivers audio.
/// ``FolderPieceLibrary`` delivers the original format and, on Apple's platforms, also converts
/// between WAV and AAC. A custom library may convert to other formats.
public struct PieceAudioFormat: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the audio format.
  public let rawValue: String

  /// Creates an audio format from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// WAV (no compression).
  public static let wav = PieceAudioFormat(rawValue: "wav")
  /// Vorbis in an Ogg file (lossy compression).
  public static let oggVorbis = PieceAudioFormat(rawValue: "ogg-vorbis")
  /// FLAC (lossless compression). This package neither reads nor writes FLAC.
  public static let flac = PieceAudioFormat(rawValue: "flac")
  /// AAC in an M4A file (lossy compression).
  public static let aac = PieceAudioFormat(rawValue: "aac")

  /// The media type of the format, or nil if the media type is unknown.
  public var mediaType: MediaType? {
    switch self {
    case .wav: try? MediaType("audio/wav")
    case .oggVorbis: try? MediaType("audio/ogg")
    case .flac: try? MediaType("audio/flac")
    case .aac: try? MediaType("audio/mp4")
    default: nil
    }
  }

  /// The file name extension of the format, or an empty text if the extension is unknown.
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
  /// The name of the audio format.
  public var description: String { rawValue }
}
