/// The method that a test uses to find the thresholds.
public enum ToneTestMethod: Sendable, Hashable {
  /// The full ascending method of ISO 8253-1:2010. In an ascent, the level rises until the listener
  /// responds. The threshold is the level with three responses in at most five ascents. At eleven
  /// frequencies, this method needs about 210 tones per ear, and half an hour for both ears.
  case hughsonWestlake
  /// The shortened ascending method of ISO 8253-1:2010. The threshold is the level with two
  /// responses in at most three ascents. This method is the modified Hughson–Westlake procedure
  /// (Carhart & Jerger 1959). At eleven frequencies, this method needs about 130 tones per ear, and
  /// 20 minutes for both ears.
  case modifiedHughsonWestlake
  /// Estimates all thresholds together, and always chooses the tone with the maximum expected
  /// information. The search ends when the standard deviation of each threshold is at most
  /// `precision`. The valid range of `precision` is 2 to 15 dB. After the search for the second
  /// ear, the thresholds of the first ear are estimated again. In the second estimate of the first
  /// ear, a standard deviation may be up to 1.1 times `precision`. At ``standardPrecision``, the
  /// search needs about 32 tones per ear.
  case bayesian(precision: Double)

  /// The default precision of ``bayesian``: 6.4 dB. With the default precision, the mean error of a
  /// threshold is 3.3 dB for simulated listeners.
  public static let standardPrecision = 6.4
  /// The Bayesian method with ``standardPrecision``.
  public static let bayesian = ToneTestMethod.bayesian(precision: standardPrecision)

  /// The name of the method in files and on command lines.
  public var name: String {
    switch self {
    case .hughsonWestlake: "hughson-westlake"
    case .modifiedHughsonWestlake: "modified-hughson-westlake"
    case .bayesian: "bayesian"
    }
  }

  /// Whether the method chooses the tone with the maximum expected information.
  var choosesByInformation: Bool {
    if case .bayesian = self { return true }
    return false
  }
}

#if !hasFeature(Embedded)
  extension ToneTestMethod: Codable {
    private enum Key: String, CodingKey {
      case name, precision
    }

    /// Reads a method by its name.
    ///
    /// - Throws: `DecodingError` if the name is unknown.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let name = try container.decode(String.self, forKey: .name)
      switch name {
      case Self.hughsonWestlake.name: self = .hughsonWestlake
      case Self.modifiedHughsonWestlake.name: self = .modifiedHughsonWestlake
      case Self.bayesian.name:
        self = .bayesian(
          precision: try container.decodeIfPresent(Double.self, forKey: .precision)
            ?? Self.standardPrecision)
      default:
        throw DecodingError.dataCorruptedError(
          forKey: .name, in: container, debugDescription: "\"\(name.prefix(40))\" is no method")
      }
    }

    /// Writes the name of the method. For the Bayesian method, the function also writes the
    /// precision.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(name, forKey: .name)
      if case .bayesian(let precision) = self {
        try container.encode(precision, forKey: .precision)
      }
    }
  }
#endif
