internal import Foundation
internal import HearingFitting

/// A preset from a server, with the validators (`ETag`, `Last-Modified`) of a conditional request.
struct CachedPreset: Codable, Equatable, Sendable {
  var preset: Preset
  var entityTag: String?
  var lastModified: String?
  /// When the server has sent it, or said that it has not changed.
  var confirmed: Date
}

/// The cached preset of one URL and cache key: one file, written atomically.
///
/// As JSON, version 1: `format` ("hearing-cached-preset"), `version`, `url`, `key` and `entry`.
struct PresetCache: Sendable {
  private let url: URL
  private let key: String
  private let directory: URL
  private static let format = "hearing-cached-preset"
  private static let version = 1
  /// In bytes; no file that this type writes is larger.
  private static let maximumSize = 16 << 20

  private struct Document: Codable {
    var format: String
    var version: Int
    var url: String
    var key: String
    var entry: CachedPreset
  }

  init(url: URL, key: String, directory: URL) {
    self.url = url
    self.key = key
    self.directory = directory
  }

  /// The file of the cache key: no key leads to a file outside the folder.
  var file: URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let name = key.addingPercentEncoding(withAllowedCharacters: allowed) ?? "preset"
    return directory.appendingPathComponent("\(name).hearing-preset.json", isDirectory: false)
  }

  /// The preset cached for this URL and key; nil: none, or it is unreadable.
  func read() -> CachedPreset? {
    guard let data = try? Data(contentsOf: file), data.count <= Self.maximumSize,
      let document = try? JSONDecoder().decode(Document.self, from: data),
      document.format == Self.format, document.version == Self.version,
      document.url == url.absoluteString, document.key == key
    else { return nil }
    return document.entry
  }

  /// Removes the entry.
  ///
  /// - Returns: The error if a file remains.
  func clear() -> (any Error)? {
    do {
      try FileManager.default.removeItem(at: file)
      return nil
    } catch CocoaError.fileNoSuchFile {
      return nil
    } catch {
      return error
    }
  }

  /// Replaces the previous entry.
  ///
  /// - Returns: The error if writing failed; the previous entry then remains.
  func write(_ entry: CachedPreset) -> (any Error)? {
    let document = Document(
      format: Self.format, version: Self.version, url: url.absoluteString, key: key, entry: entry)
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try JSONEncoder().encode(document).write(to: file, options: .atomic)
      return nil
    } catch {
      return error
    }
  }
}
