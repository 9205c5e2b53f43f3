import Foundation

/// Sound formats that these programs cannot read or write. For these formats, the error message
/// names the format and a command that converts the file.
public enum OtherSoundFormat {
  private static let extensions = [
    "wav": "WAV", "wave": "WAV", "mp3": "MP3", "m4a": "AAC", "m4b": "AAC", "aac": "AAC",
    "mp4": "AAC", "flac": "FLAC", "ogg": "Ogg Vorbis", "oga": "Ogg Vorbis", "opus": "Opus",
    "aif": "AIFF", "aiff": "AIFF", "aifc": "AIFF", "wma": "WMA", "caf": "CAF",
  ]

  /// Detects the format from the file's first bytes; nil if the format is unknown.
  public static func ofFile(at path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: 12), data.count == 12 else { return nil }
    let head = [UInt8](data)
    return marked(head) ?? MPEGFrame(head[...])?.format
  }

  /// The name of a file's sound format, for example WAV; nil if the format is unknown.
  static func nameOfSound(at path: String) -> String? {
    let head = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 12) } ?? Data()
    let isWAV =
      [Data("RIFF".utf8), Data("RF64".utf8)].contains(head.prefix(4))
      && head.suffix(4) == Data("WAVE".utf8)
    return isWAV ? "WAV" : ofFile(at: path)
  }

  /// Detects the format of a stream from its first bytes; nil if the format is unknown.
  ///
  /// Raw PCM can by chance contain bytes that look like the header of an MPEG frame. Therefore a
  /// stream counts as MPEG only if a second frame header follows the first frame.
  static func ofStream(_ head: [UInt8]) -> String? {
    if let format = marked(head) { return format }
    guard let frame = MPEGFrame(head[...]), head.count > frame.byteCount,
      let next = MPEGFrame(head[frame.byteCount...]), next.format == frame.format
    else { return nil }
    return frame.format
  }

  /// The format that the first bytes of a file name; nil if they name no format.
  private static func marked(_ head: [UInt8]) -> String? {
    func text(_ range: Range<Int>) -> String {
      head.count < range.upperBound ? "" : String(decoding: head[range], as: UTF8.self)
    }
    switch (text(0..<4), text(4..<8)) {
    case ("fLaC", _): return "FLAC"
    case ("OggS", _): return "Ogg Vorbis or Opus"
    case ("FORM", _): return "AIFF"
    case (_, "ftyp"): return "AAC or another format in an MP4 file"
    case (let start, _) where start.hasPrefix("ID3"): return "MP3"
    default: return nil
    }
  }

  /// The format that belongs to the extension of a path, such as "MP3" or "WAV"; nil for any other
  /// extension.
  public static func named(by path: String) -> String? {
    extensions[URL(fileURLWithPath: path).pathExtension.lowercased()]
  }

  /// Throws an error if the output path is "-" or has the extension of a format other than WAV. The
  /// programs write only WAV, and they would use "-" as the name of a file.
  public static func checkOutput(_ path: String, option: String) throws(UsageError) {
    guard path != "-" else {
      throw .invalidValue(
        option: option, reason: "\"-\" is not written; /dev/stdout is the standard output")
    }
    guard let format = named(by: path), format != "WAV" else { return }
    throw .invalidValue(
      option: option, reason: "\(path.quoted) is named like \(format); only WAV is written")
  }

  /// The command that converts a file to WAV. The output has another name than the input, because
  /// `ffmpeg` does not overwrite its input.
  public static func conversion(of path: String) -> String {
    let file = URL(fileURLWithPath: path)
    let suffix = file.pathExtension.lowercased() == "wav" ? "-converted" : ""
    let output = file.deletingPathExtension().lastPathComponent + suffix + ".wav"
    return "ffmpeg -i \(path.quoted) \(output.quoted)"
  }
}

/// The header of one frame of MP3, or of AAC in an ADTS stream.
private struct MPEGFrame {
  /// The name of the format.
  let format: String
  /// The length of the frame, including its header.
  let byteCount: Int

  /// The bit rates of Layer III in kbit/s for the bit rate indexes 1 to 14. The first list is for
  /// MPEG-1, the second list for MPEG-2 and MPEG-2.5.
  private static let bitRates = [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
  private static let sampleRates = [44_100, 48_000, 32_000]

  /// Reads the header at the start of `bytes`; nil if it is invalid.
  init?(_ bytes: ArraySlice<UInt8>) {
    let header = bytes.prefix(6).map(Int.init)
    // The first eleven bits of each frame are ones.
    guard header.count == 6, header[0] == 0xFF, header[1] >= 0xE0 else { return nil }
    if header[1] & 0xF6 == 0xF0 {
      format = "AAC"
      byteCount = (header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5
      guard header[2] >> 2 & 15 < 13, byteCount > 7 else { return nil }
      return
    }
    format = "MP3"
    let (version, layer) = (header[1] >> 3 & 3, header[1] >> 1 & 3)
    let (bitRate, sampleRate) = (header[2] >> 4, header[2] >> 2 & 3)
    guard version != 1, layer == 1, 1...14 ~= bitRate, sampleRate < 3 else { return nil }
    let isFirstVersion = version == 3
    let rate = Self.sampleRates[sampleRate] / (isFirstVersion ? 1 : version == 2 ? 2 : 4)
    let bytesPerKilobit = isFirstVersion ? 144_000 : 72_000
    let kilobits = Self.bitRates[isFirstVersion ? 0 : 1][bitRate - 1]
    byteCount = bytesPerKilobit * kilobits / rate + header[2] >> 1 & 1
  }
}
