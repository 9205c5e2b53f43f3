/// Refuses a sound file where raw PCM is expected. Without this check, the bytes of the file would
/// be played as noise.
public struct RawStreamCheck: Sendable {
  /// The number of bytes at the start of the stream that are examined. Detecting MP3 needs two
  /// frames, which have at most 2,882 bytes.
  private static let limit = 4_096

  private var head: [UInt8] = []
  private let command: String

  /// Creates a check of standard input.
  ///
  /// - Parameters:
  ///   - program: The name of the program that reads the stream.
  ///   - format: The expected sample format with the name that `ffmpeg` uses, such as "s16le".
  ///   - sampleRate: The expected sample rate in Hz.
  ///   - channelCount: The expected number of channels.
  public init(program: String, format: String, sampleRate: Int, channelCount: Int) {
    command = "ffmpeg -i FILE -f \(format) -ar \(sampleRate) -ac \(channelCount) - | \(program) …"
  }

  /// Examines the next bytes of the stream. Bytes after the first 4,096 bytes are not examined.
  ///
  /// - Throws: ``CommandFailure/badData(input:reason:)`` if the stream is a sound file.
  public mutating func check(_ bytes: some Collection<UInt8>) throws(CommandFailure) {
    guard head.count < Self.limit else { return }
    head += bytes.prefix(Self.limit - head.count)
    let isWAV = ["RIFF", "RF64"].contains { head.starts(with: $0.utf8) }
    guard let format = isWAV ? "a WAV file" : OtherSoundFormat.ofStream(head) else { return }
    throw .badData(
      input: "standard input", reason: "it is \(format), not raw PCM; convert it: \(command)")
  }
}
