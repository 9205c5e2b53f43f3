internal import HearingFitting

extension Tonality: Codable {
  private enum Key: String, CodingKey {
    case kind
    case pitchClasses
    case root
  }

  private enum Kind: String, CaseIterable {
    case unknown
    case atonal
    case tonal
  }

  /// Reads `{"kind": "unknown"}`, `{"kind": "atonal"}` or `{"kind": "tonal", "pitchClasses": […],
  /// "root": 4}` with twelve times true or false, from C upwards, and a root of 0…11.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let text = try container.value(String.self, at: .kind)
    guard let kind = Kind(rawValue: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription:
          "\(text.inQuotationMarks) is none of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    switch kind {
    case .unknown: self = .unknown
    case .atonal: self = .atonal
    case .tonal:
      let flags = try container.value([Bool].self, at: .pitchClasses)
      guard flags.count == PitchClass.allCases.count else {
        throw DecodingError.dataCorruptedError(
          forKey: .pitchClasses, in: container,
          debugDescription: "\(flags.count) pitch classes instead of \(PitchClass.allCases.count)")
      }
      let number = try container.value(Int.self, at: .root)
      guard let root = PitchClass(exactly: number) else {
        throw DecodingError.dataCorruptedError(
          forKey: .root, in: container, debugDescription: "a root of \(number) is outside 0 to 11")
      }
      var pitchClasses: PitchClassSet = []
      for (pitchClass, isUsed) in zip(PitchClass.allCases, flags) where isUsed {
        pitchClasses.insert(PitchClassSet(pitchClass))
      }
      self = .tonal(pitchClasses, root: root)
    }
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .unknown: try container.encode(Kind.unknown.rawValue, forKey: .kind)
    case .atonal: try container.encode(Kind.atonal.rawValue, forKey: .kind)
    case .tonal(let pitchClasses, let root):
      try container.encode(Kind.tonal.rawValue, forKey: .kind)
      try container.encode(
        PitchClass.allCases.map { pitchClasses.contains($0) }, forKey: .pitchClasses)
      try container.encode(root.semitones, forKey: .root)
    }
  }
}
