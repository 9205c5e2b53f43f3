/// What is known of the tones that a piece is made of.
///
///     let tonality = Tonality.majorScale(4)
///     tonality.displayName                        // "E"
///     Tonality.minorScale(9).displayName          // "C": the same tones as C major
///
/// It describes; nothing here finds out the tonality of a sound.
public enum Tonality: Sendable, Hashable {
  /// Nothing is known.
  case unknown
  /// The piece has no tonality, say drums alone.
  case atonal
  /// The pitch classes in use and the root, which need not be among them.
  case tonal(PitchClassSet, root: PitchClass)

  /// The major scale on `root`, in semitones above C: `majorScale(4)` is E major.
  public static func majorScale(_ root: PitchClass) -> Tonality {
    .tonal(.majorScale(root), root: root)
  }

  /// The natural minor scale on `root`, in semitones above C: `minorScale(9)` is A minor.
  public static func minorScale(_ root: PitchClass) -> Tonality {
    .tonal(.minorScale(root), root: root)
  }

  /// What to show to people: the name of the major scale that has these pitch classes, whatever the
  /// root ("C" for C major and for A minor), "Exotic" if there is none, "Atonal" or "Unknown".
  public var displayName: String {
    switch self {
    case .unknown: "Unknown"
    case .atonal: "Atonal"
    case .tonal(let pitchClasses, _):
      PitchClass.allCases.first { .majorScale($0) == pitchClasses }?.name ?? "Exotic"
    }
  }
}

extension Tonality: CustomStringConvertible {
  /// The display name.
  public var description: String { displayName }
}
