/// One of the twelve tones C to B, in any octave.
///
///     let root: PitchClass = 4     // E
///     root.name                    // "E"
///
/// Enharmonic tones, such as F♯ and G♭, are the same pitch class.
public struct PitchClass: Sendable, Hashable {
  /// The number of semitones above C, 0…11.
  public let semitones: Int

  /// Creates the pitch class that is `semitones` semitones above C, 0…11.
  public init(_ semitones: Int) {
    precondition(Self.range.contains(semitones), "pitch class \(semitones)")
    self.semitones = semitones
  }

  /// Creates the pitch class that is `semitones` semitones above C. If `semitones` is outside 0…11,
  /// the initializer returns nil.
  public init?(exactly semitones: Int) {
    guard Self.range.contains(semitones) else { return nil }
    self.semitones = semitones
  }

  /// The name of the tone. If a tone has two enharmonic names, the result is the name of the major
  /// key with fewer accidentals. F♯ major and G♭ major have the same number of accidentals. For
  /// this tone, the name is F♯.
  public var name: String { Self.names[semitones] }

  /// The pitch class that is `interval` semitones higher than this pitch class. A negative
  /// `interval` transposes downwards.
  public func transposed(by interval: Int) -> PitchClass {
    let sum = (semitones + interval % Self.names.count) % Self.names.count
    return PitchClass(sum < 0 ? sum + Self.names.count : sum)
  }

  /// The number of semitones from this pitch class to another pitch class, in the direction with
  /// fewer semitones. The result is −5…6. A negative result is an interval downwards.
  public func interval(to other: PitchClass) -> Int {
    let upwards = (other.semitones - semitones + Self.names.count) % Self.names.count
    return upwards > 6 ? upwards - Self.names.count : upwards
  }

  private static let names = ["C", "D♭", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]
  private static let range = 0...11
}

extension PitchClass: CaseIterable {
  /// All twelve pitch classes, from C upwards.
  public static let allCases: [PitchClass] = range.map { PitchClass($0) }
}

extension PitchClass: ExpressibleByIntegerLiteral {
  /// Creates a pitch class from the number of semitones above C, 0…11.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension PitchClass: CustomStringConvertible {
  /// The tone's name.
  public var description: String { name }
}
