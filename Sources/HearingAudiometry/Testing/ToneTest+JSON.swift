public import Foundation
public import HearingFitting

extension ToneTest {
  /// The name and the version of the JSON format.
  private static let format = DocumentFormat(name: "hearing-test", version: 1)

  /// Reads a stored test from JSON. The restored test has the same answers and the same next step
  /// as the test that ``jsonData()`` wrote.
  ///
  /// - Throws: `UnreadableDocument` if the bytes are not a valid test. Examples of invalid
  ///   documents are a later version, a truncated file, unsafe levels, and answers to tones of
  ///   another test.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(ToneTest.self, from: data)
  }

  /// The settings, the answers and the reasons for pauses of the test as JSON. An app should store
  /// the JSON document atomically after every answer, so that no answer is lost.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}

extension ToneTest: Codable {
  private enum Key: String, CodingKey {
    case settings, trials, disturbances, pauseReason, announcedEar
  }

  /// Reads and validates a stored test.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    try Self.format.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    do {
      try self.init(container.value(Settings.self, at: .settings))
    } catch let failure as HearingTestError {
      throw Self.corrupted(failure, at: container.codingPath + [Key.settings])
    }
    var list = try container.nestedUnkeyedContainer(forKey: .trials)
    while !list.isAtEnd {
      let index = list.currentIndex
      let path = list.codingPath
      let trial = try list.decode(Trial.self)
      do {
        try restore(trial, index: index)
      } catch {
        throw Self.corrupted(error, at: path)
      }
    }
    restored(
      disturbances: try container.optionalValue(Set<PauseReason>.self, at: .disturbances) ?? [],
      pauseReason: try container.optionalValue(PauseReason.self, at: .pauseReason),
      announcedEar: try container.optionalValue(Ear.self, at: .announcedEar))
  }

  /// Writes the settings, the answers, and the reasons for pauses.
  public func encode(to encoder: any Encoder) throws {
    try Self.format.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(settings, forKey: .settings)
    try container.encode(history, forKey: .trials)
    try container.encode(
      disturbances.sorted { $0.rawValue < $1.rawValue }, forKey: .disturbances)
    try container.encodeIfPresent(pauseReason, forKey: .pauseReason)
    if pauseReason != nil { try container.encode(announcedEar, forKey: .announcedEar) }
  }

  private static func corrupted(
    _ failure: HearingTestError, at path: [any CodingKey]
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: failure.description, underlyingError: failure))
  }
}
