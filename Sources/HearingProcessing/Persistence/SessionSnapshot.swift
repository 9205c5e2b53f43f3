internal import Foundation

/// The values of a session as they are kept for the next.
///
/// As JSON, version 1:
///
///     {"format": "hearing-session", "intensity": 0.5, "isEnabled": true, "preset": {…}, "version": 1}
///
/// `preset` is absent if there is none, otherwise as `Preset` documents it.
struct SessionSnapshot: Equatable, Sendable {
  var isEnabled = false
  var intensity: Float = 1
  var preset: Preset?

  static let version = 1
  private static let format = "hearing-session"

  /// Why data is no snapshot.
  enum Unreadable: Error {
    case malformed(String)
    case newer(Int)
  }

  init(isEnabled: Bool = false, intensity: Float = 1, preset: Preset? = nil) {
    self.isEnabled = isEnabled
    self.intensity = intensity
    self.preset = preset
  }

  init(json: Data) throws(Unreadable) {
    do {
      let head = try JSONDecoder().decode(Head.self, from: json)
      guard head.format == Self.format else {
        throw Unreadable.malformed("its format is another")
      }
      guard head.version <= Self.version else { throw Unreadable.newer(head.version) }
      guard head.version > 0 else {
        throw Unreadable.malformed("its version is \(head.version)")
      }
      let body = try JSONDecoder().decode(Body.self, from: json)
      guard body.intensity.isFinite, (0...1).contains(body.intensity) else {
        throw Unreadable.malformed("its intensity is \(body.intensity)")
      }
      self.init(isEnabled: body.isEnabled, intensity: body.intensity, preset: body.preset)
    } catch let error as Unreadable {
      throw error
    } catch {
      throw .malformed("\(error)".split(whereSeparator: \.isNewline).joined(separator: " "))
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(
      Body(
        format: Self.format, version: Self.version, isEnabled: isEnabled, intensity: intensity,
        preset: preset))
  }

  private struct Head: Decodable {
    let format: String
    let version: Int
  }

  private struct Body: Codable {
    let format: String
    let version: Int
    let isEnabled: Bool
    let intensity: Float
    let preset: Preset?
  }
}
