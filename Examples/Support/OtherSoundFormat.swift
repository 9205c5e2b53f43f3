import Foundation

/// Sound formats that these programs cannot read or write. For these formats, the error message
/// names the format and a command that converts the file.
public enum OtherSoundFormat {
  private static let extensions = [
    "mp3": "MP3", "m4a": "AAC", "aac": "AAC", "mp4": "AAC", "flac": "FLAC", "ogg": "Ogg Vorbis",
    "opus": "Opus", "aif": "AIFF", "aiff": "AIFF",
  ]

  /// Detects the format from the file's first bytes; nil if the format is unknown.
  public static func ofFile(at path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 12), head.count == 12 else { return nil }
    let bytes = [UInt8](head)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    switch (text(0..<4), text(4..<8)) {
    case ("fLaC", _): return "FLAC"
    case ("OggS", _): return "Ogg Vorbis or Opus"
    case ("FORM", _): return "AIFF"
    case (_, "ftyp"): return "AAC or another format in an MP4 file"
    case (let start, _) where start.hasPrefix("ID3"): return "MP3"
    default: return bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 ? "MP3" : nil
    }
  }

  /// The format that belongs to the extension of a path; nil for any other extension.
  static func named(by path: String) -> String? {
    extensions[URL(fileURLWithPath: path).pathExtension.lowercased()]
  }

  /// Throws an error if the output path has the extension of another format, because the programs
  /// write only WAV.
  public static func checkOutput(_ path: String, option: String) throws(UsageError) {
    guard let format = named(by: path) else { return }
    throw .invalidValue(
      option: option, reason: "\(path.quoted) is named like \(format); only WAV is written")
  }

  /// The command that converts a file to WAV.
  public static func conversion(of path: String) -> String {
    let output = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent + ".wav"
    return "ffmpeg -i \(path.quoted) \(output.quoted)"
  }
}
