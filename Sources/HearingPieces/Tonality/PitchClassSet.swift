/// A set of pitch classes.
///
///     let triad: PitchClassSet = [0, 4, 7]     // C, E, G
///     triad.contains(.init(4))                 // true
///
/// A set has no root. A ``Tonality`` has a root.
public struct PitchClassSet: OptionSet, Sendable, Hashable {
  /// Bit k represents the pitch class k semitones above C. The upper four bits are 0.
  public let rawValue: UInt16

  /// Creates the set of the pitch classes whose bits are set. Only the lowest twelve bits are used.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue & 0xFFF
  }

  /// Creates a set with one pitch class.
  public init(_ pitchClass: PitchClass) {
    self.init(rawValue: 1 << UInt16(pitchClass.semitones))
  }

  /// Creates a set from twelve Booleans in the order C, C♯, … B. True means that the pitch class is
  /// in the set.
  ///
  /// - Parameter pitchClasses: Twelve values.
  public init(_ pitchClasses: [Bool]) {
    precondition(pitchClasses.count == 12, "\(pitchClasses.count) pitch classes, not 12")
    self.init(rawValue: pitchClasses.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
  }

  /// Whether the pitch class is in the set.
  public func contains(_ pitchClass: PitchClass) -> Bool {
    contains(PitchClassSet(pitchClass))
  }

  /// The same set, `interval` semitones higher. A negative interval transposes downwards.
  public func transposed(by interval: Int) -> PitchClassSet {
    PitchClass.allCases.filter { contains($0) }.reduce(into: []) {
      $0.insert(PitchClassSet($1.transposed(by: interval)))
    }
  }

  /// The major scale on `root`, which has seven pitch classes.
  public static func majorScale(_ root: PitchClass) -> PitchClassSet {
    scale(root, steps: [0, 2, 4, 5, 7, 9, 11])
  }

  /// The natural minor scale on `root`. The natural minor scale is equal to the major scale that is
  /// three semitones higher.
  public static func minorScale(_ root: PitchClass) -> PitchClassSet {
    scale(root, steps: [0, 2, 3, 5, 7, 8, 10])
  }

  private static func scale(_ root: PitchClass, steps: [Int]) -> PitchClassSet {
    steps.reduce(into: []) { $0.insert(PitchClassSet(root.transposed(by: $1))) }
  }
}

extension PitchClassSet: ExpressibleByIntegerLiteral {
  /// Creates a set with one pitch class, given as the number of semitones above C, 0…11. With this
  /// initializer, `[0, 4, 7]` can be written for a set.
  public init(integerLiteral value: Int) {
    self.init(PitchClass(value))
  }
}
