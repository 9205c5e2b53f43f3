/// A listening program: the kind of sound for which a preset is designed.
///
///     var fitting = Fitting.techLevel(3)
///     fitting.program = .music
///
/// An app may use a program that is not predefined. The name of the program is stored unchanged.
public struct Program: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the program in files, such as "music".
  public let rawValue: String

  /// Creates a program from its name in files, such as "music".
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Speech in everyday situations: the default program.
  public static let speech = Program(rawValue: "speech")
  /// Music. A preset for music is nearly linear and changes the gain slowly. The frequencies of a
  /// preset for music should cover ``musicBandwidth``.
  public static let music = Program(rawValue: "music")

  /// The frequencies in Hz that a preset for music should cover: 250 Hz to 6 kHz.
  public static let musicBandwidth: ClosedRange<Double> = 250...6000
}
