public import Foundation
public import HearingFitting

extension DigitsInNoiseTest {
  private static let format = DocumentFormat(name: "hearing-digits-test", version: 1)

  /// Reads a stored test with all its answers.
  ///
  /// - Throws: `UnreadableDocument` if the bytes are not a valid test.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(DigitsInNoiseTest.self, from: data)
  }

  /// The test as JSON. An app should store the JSON document atomically after every answer.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }

  private enum Key: String, CodingKey {
    case triplets, answers
  }

  /// Reads and validates a stored test.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    try Self.format.check(decoder)
    let container = try decoder.container(keyedBy: Key.self)
    let triplets = try container.value([[Int]].self, at: .triplets)
    let answers = try container.value([[Int]].self, at: .answers)
    let isValid =
      triplets.count == Self.tripletCount && answers.count <= triplets.count
      && (triplets + answers).allSatisfy { $0.count == 3 && $0.allSatisfy((0...9).contains) }
    guard isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: .triplets, in: container,
        debugDescription: "not \(Self.tripletCount) triplets of digits and at most as many answers")
    }
    self.init(triplets: triplets, answers: answers)
  }

  /// Writes the triplets and the answers.
  public func encode(to encoder: any Encoder) throws {
    try Self.format.write(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(triplets, forKey: .triplets)
    try container.encode(answers, forKey: .answers)
  }
}
