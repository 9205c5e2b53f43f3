/// The method by which a test searches for the thresholds.
public enum ToneTestMethod: Sendable, Hashable {
  /// The ascending method of ISO 8253-1:2010 in full: three responses at one level of at most five
  /// ascents. About 210 tones for each ear at eleven frequencies, half an hour for two ears.
  case hughsonWestlake
  /// The ascending method of ISO 8253-1:2010, shortened: two responses of at most three ascents,
  /// which is the modified Hughson–Westlake procedure (Carhart & Jerger 1959). About 130 tones for
  /// each ear, 20 minutes for two ears.
  case modifiedHughsonWestlake
  /// Estimates all thresholds jointly and always chooses the most informative tone, until the
  /// standard deviation of each threshold is at most `precision` in dB, 2 to 15. About 30 tones for
  /// each ear at ``standardPrecision``.
  case bayesian(precision: Double)

  /// The precision of ``bayesian`` in dB: 6.4, at which the error is 3.3 dB on average.
  public static let standardPrecision = 6.4
  /// Joint estimation to the ``standardPrecision``.
  public static let bayesian = ToneTestMethod.bayesian(precision: standardPrecision)

  /// The name in files and on command lines.
  public var name: String {
    switch self {
    case .hughsonWestlake: "hughson-westlake"
    case .modifiedHughsonWestlake: "modified-hughson-westlake"
    case .bayesian: "bayesian"
    }
  }

  /// Whether the next tone is chosen by computed information.
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

    /// Writes the name, and the precision where there is one.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(name, forKey: .name)
      if case .bayesian(let precision) = self {
        try container.encode(precision, forKey: .precision)
      }
    }
  }
#endif
