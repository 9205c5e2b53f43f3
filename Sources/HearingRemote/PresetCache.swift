internal import Foundation
internal import HearingFitting

/// A preset that was loaded from a server. The header fields `ETag` and `Last-Modified` of the
/// answer are stored with the preset. The next request sends these fields, so that the server need
/// not send an unchanged preset again.
struct CachedPreset: Codable, Equatable, Sendable {
  var preset: Preset
  var entityTag: String?
  var lastModified: String?
  /// The time at which the server sent the preset or last confirmed that the preset has not
  /// changed.
  var confirmed: Date
  /// Those header fields of the answer that are listed in ``CacheControl/fields``.
  var headers: [String: String] = [:]

  /// Whether the cached preset may be used without a confirmation by the server.
  func isUsable(at now: Date) -> Bool {
    guard let maximumAge = CacheControl(headers).maximumAge else { return true }
    let age = now.timeIntervalSince(confirmed)
    // The age of the preset is negative if the device's clock was set back.
    return age >= 0 && age < maximumAge
  }

  /// Stores the time and the header fields of a confirmation by the server. A stored field remains
  /// if the confirmation does not contain this field. The field `Age` is an exception: the stored
  /// field `Age` is always removed, and only the field `Age` of the confirmation is stored.
  mutating func update(with confirmation: HTTPExchange.Answer, at now: Date) {
    confirmed = now
    entityTag = confirmation.header("ETag") ?? entityTag
    lastModified = confirmation.header("Last-Modified") ?? lastModified
    // The stored field `Age` belongs to the previous answer of the server.
    headers["age"] = nil
    headers.merge(confirmation.cachingHeaders) { $1 }
  }
}

/// Stores the preset of one URL and one cache key in one file. The file is written atomically.
///
/// Version 1 of the JSON format has the keys `format` (value "hearing-cached-preset"), `version`,
/// `url`, `key` and `entry`.
struct PresetCache: Sendable {
  private let url: URL
  private let key: String
  private let directory: URL
  private static let format = "hearing-cached-preset"
  private static let version = 1
  /// The maximum size of the file in bytes: 16 MiB. `PresetCache` never writes a larger file.
  /// `read()` ignores larger files.
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

  /// The maximum length in bytes of the encoded cache key in the file name. File systems allow file
  /// names of at most 255 bytes.
  private static let maximumNameLength = 218

  /// The file for the URL and the cache key. For every cache key, even for `../a`, the file is
  /// inside the cache folder.
  ///
  /// For a long key, the file name contains only the start of the key, and a digest of the whole
  /// key. The file itself contains the whole key, and `read()` compares this key with `key`.
  var file: URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    var name = key.addingPercentEncoding(withAllowedCharacters: allowed) ?? "preset"
    if name.utf8.count > Self.maximumNameLength {
      var digest = ContentDigest()
      digest.add(key)
      name = "\(name.prefix(Self.maximumNameLength - 33))-\(digest.text)"
    }
    var digest = ContentDigest()
    digest.add(url.absoluteString)
    return directory.appendingPathComponent(
      "\(name)-\(digest.text.prefix(16)).hearing-preset.json", isDirectory: false)
  }

  /// Returns the preset that is cached for this URL and key. Returns nil if the file does not exist
  /// or is not valid.
  func read() -> CachedPreset? {
    guard let data = try? Data(contentsOf: file), data.count <= Self.maximumSize,
      let document = try? JSONDecoder().decode(Document.self, from: data),
      document.format == Self.format, document.version == Self.version,
      document.url == url.absoluteString, document.key == key
    else { return nil }
    return document.entry
  }

  /// Removes the file of the cached preset.
  ///
  /// - Returns: The error if the file could not be removed, or nil on success.
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

  /// Replaces the previously cached preset.
  ///
  /// - Returns: The error if writing failed, or nil on success. After an error, the previously
  ///   cached preset remains.
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
