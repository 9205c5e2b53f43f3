#if hasFeature(Embedded)
  /// Replaces the standard library's `Codable`, which is not available in Embedded Swift. The
  /// protocol has no requirements.
  protocol Codable {}

  /// A point in time. Replaces Foundation's `Date` in Embedded Swift.
  public struct Date: Sendable, Hashable {
    /// Seconds since the beginning of 1970, UTC.
    public let timeIntervalSince1970: Double

    /// Creates a point in time from the seconds since the beginning of 1970, UTC.
    public init(timeIntervalSince1970 seconds: Double) { timeIntervalSince1970 = seconds }
  }
#endif
