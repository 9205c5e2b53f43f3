/// A listening program: the kind of sound for which a preset is designed.
///
///     var fitting = Fitting.techLevel(3)
///     fitting.program = .music
///
/// Values other than the constants below are allowed and are stored unchanged.
public struct Program: RawRepresentable, Sendable, Hashable {
  /// The name in files, such as "music".
  public let rawValue: String

  /// A program by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Speech in everyday situations; the default.
  public static let speech = Program(rawValue: "speech")
  /// Music: nearly linear, with slow gain changes and the full bandwidth.
  public static let music = Program(rawValue: "music")

  /// The frequencies in Hz that a preset for music must cover: 250 Hz to 6 kHz.
  public static let musicBandwidth: ClosedRange<Double> = 250...6000
}
