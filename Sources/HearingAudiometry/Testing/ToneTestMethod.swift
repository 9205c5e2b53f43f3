/// The method by which a test searches for the thresholds.
public enum ToneTestMethod: Sendable, Hashable {
  /// The full ascending method of ISO 8253-1:2010: three responses at one level in at most five
  /// ascents. It needs about 210 tones per ear for eleven frequencies, and half an hour for two
  /// ears.
  case hughsonWestlake
  /// The shortened ascending method of ISO 8253-1:2010: two responses at one level in at most three
  /// ascents. This is the modified Hughson–Westlake procedure (Carhart & Jerger 1959). It needs
  /// about 130 tones per ear, and 20 minutes for two ears.
  case modifiedHughsonWestlake
  /// Estimates all thresholds jointly and always chooses the most informative tone. The search ends
  /// when the standard deviation of each threshold is at most `precision`, 2 to 15 dB. It needs
  /// about 32 tones per ear at ``standardPrecision``.
  case bayesian(precision: Double)

  /// The precision of ``bayesian``: 6.4 dB. The error is then 3.3 dB on average.
  public static let standardPrecision = 6.4
  /// The Bayesian method with ``standardPrecision``.
  public static let bayesian = ToneTestMethod.bayesian(precision: standardPrecision)

  /// The name in files and on command lines.
  public var name: String {
    switch self {
    case .hughsonWestlake: "hughson-westlake"
    case .modifiedHughsonWestlake: "modified-hughson-westlake"
    case .bayesian: "bayesian"
    }
  }

  /// Whether the method chooses the next tone by expected information.
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
    /// - Throws: `DecodingError` for an unknown name.
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

    /// Writes the name and, for the Bayesian method, the precision.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(name, forKey: .name)
      if case .bayesian(let precision) = self {
        try container.encode(precision, forKey: .precision)
      }
    }
  }
#endif
