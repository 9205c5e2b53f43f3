/// How the sound of a piece can be asked for.
///
///     let file = try await piece.mixStem(format: .wav)
///
/// The set is open, as services know formats of their own; what this package can write is
/// ``writable``.
public struct PieceAudioFormat: RawRepresentable, Sendable, Hashable {
  /// The format's name.
  public let rawValue: String

  /// A format by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// WAV, as the piece was dropped.
  public static let wav = PieceAudioFormat(rawValue: "wav")
  /// Ogg Vorbis: compressed, not written here.
  public static let oggVorbis = PieceAudioFormat(rawValue: "ogg-vorbis")
  /// FLAC: compressed without loss, not written here.
  public static let flac = PieceAudioFormat(rawValue: "flac")
  /// AAC: compressed, not written here.
  public static let aac = PieceAudioFormat(rawValue: "aac")

  /// The formats that a mix stem is delivered in.
  public static let writable: [PieceAudioFormat] = [.wav]
}
