internal import HearingFitting

/// The tonality of a piece: its pitch classes and its root.
///
///     let tonality = Tonality.majorScale(4)
///     tonality.displayName                        // "E"
///     Tonality.minorScale(9).displayName          // "C": the same tones as C major
///
/// The tonality is metadata. This package does not detect the tonality of audio.
public enum Tonality: Sendable, Hashable {
  /// The tonality is unknown.
  case unknown
  /// The piece has no tonality, for example because it consists only of drums.
  case atonal
  /// The piece has a set of pitch classes, such as `[0, 4, 7]`, and a root. The root need not be in
  /// the set. `Set(pitchClasses:)` creates a set of pitch classes from twelve Booleans.
  case tonal(Set<PitchClass>, root: PitchClass)

  /// The major scale on `root`. An integer root is the number of semitones above C. For example,
  /// `majorScale(4)` is E major.
  public static func majorScale(_ root: PitchClass) -> Tonality {
    .tonal(Set(scale: [0, 2, 4, 5, 7, 9, 11], on: root), root: root)
  }

  /// The natural minor scale on `root`. An integer root is the number of semitones above C. For
  /// example, `minorScale(9)` is A minor.
  public static func minorScale(_ root: PitchClass) -> Tonality {
    .tonal(Set(scale: [0, 2, 3, 5, 7, 8, 10], on: root), root: root)
  }

  /// The tonality of the piece after a transposition by `interval` semitones. A negative `interval`
  /// transposes downwards. ``unknown`` and ``atonal`` do not change.
  public func transposed(by interval: Int) -> Tonality {
    switch self {
    case .unknown, .atonal: self
    case .tonal(let pitchClasses, let root):
      .tonal(
        Set(pitchClasses.map { $0.transposed(by: interval) }), root: root.transposed(by: interval))
    }
  }

  /// The number of semitones from the root of this tonality to the root of another tonality. The
  /// result is −5…6, or nil if one of the tonalities is not tonal.
  ///
  ///     let key = Tonality.majorScale(0)
  ///     song.interval(to: key).map { song.transposed(by: $0) }
  public func interval(to other: Tonality) -> Int? {
    guard case .tonal(_, let root) = self, case .tonal(_, let otherRoot) = other else { return nil }
    return root.interval(to: otherRoot)
  }

  /// The name of the tonality, for the user interface. The name is the root of the major scale that
  /// has the same pitch classes as the tonality. The name does not depend on the root of the
  /// tonality. For example, the name is "C" for C major and for A minor. If no major scale has the
  /// pitch classes of the tonality, the name is "Exotic". For ``atonal`` and ``unknown``, the name
  /// is "Atonal" or "Unknown".
  public var displayName: String {
    switch self {
    case .unknown: "Unknown"
    case .atonal: "Atonal"
    case .tonal(let pitchClasses, _):
      PitchClass.allCases.first { Self.majorScale($0) == .tonal(pitchClasses, root: $0) }?.name
        ?? "Exotic"
    }
  }
}

extension Tonality: CustomStringConvertible {
  /// The display name of the tonality.
  public var description: String { displayName }
}

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

  /// Decodes a tonality from a JSON object.
  ///
  /// The object is `{"kind": "unknown"}`, `{"kind": "atonal"}` or
  /// `{"kind": "tonal", "pitchClasses": […], "root": 4}`. `pitchClasses` contains twelve Booleans,
  /// from C upwards, and `root` is 0…11.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let text = try container.value(String.self, at: .kind)
    guard let kind = Kind(rawValue: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription:
          "\(text.inQuotationMarks) is not one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
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
      self = .tonal(Set(pitchClasses: flags), root: root)
    }
  }

  /// Encodes the tonality in the schema of ``init(from:)``.
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

extension Set<PitchClass> {
  /// Creates a set from twelve Booleans in the order C, D♭, … B. Each Boolean says whether the set
  /// contains the pitch class.
  ///
  /// - Parameter pitchClasses: Exactly twelve Booleans.
  public init(pitchClasses: [Bool]) {
    precondition(
      pitchClasses.count == PitchClass.allCases.count,
      "\(pitchClasses.count) pitch classes, not \(PitchClass.allCases.count)")
    self.init(zip(PitchClass.allCases, pitchClasses).filter { $0.1 }.map { $0.0 })
  }

  /// Creates a set of pitch classes. For each number in `steps`, the set contains the pitch class
  /// that is this number of semitones above `root`.
  fileprivate init(scale steps: [Int], on root: PitchClass) {
    self.init(steps.map { root.transposed(by: $0) })
  }
}
