/// The format in which the sound of a piece is requested. Other values than those listed here are
/// possible.
///
///     let file = try await piece.mixStem(format: .wav)
///
/// This package writes ``writable``; a service may support other formats.
public struct PieceAudioFormat: RawRepresentable, Sendable, Hashable {
  /// The format's name.
  public let rawValue: String

  /// The format with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// WAV, as the piece was dropped.
  public static let wav = PieceAudioFormat(rawValue: "wav")
  /// Ogg Vorbis: compressed; not supported.
  public static let oggVorbis = PieceAudioFormat(rawValue: "ogg-vorbis")
  /// FLAC: lossless; not supported.
  public static let flac = PieceAudioFormat(rawValue: "flac")
  /// AAC: compressed; not supported.
  public static let aac = PieceAudioFormat(rawValue: "aac")

  /// The formats that are supported.
  public static let writable: [PieceAudioFormat] = [.wav]
}
