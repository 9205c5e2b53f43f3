#if hasFeature(Embedded)
  /// Replaces the standard library's `Codable`, which is not available in Embedded Swift. The
  /// protocol has no requirements.
  protocol Codable {}

  /// A point in time. Replaces Foundation's `Date` in Embedded Swift.
  public struct Date: Sendable, Hashable {
    /// The number of seconds since the beginning of 1970 in UTC.
    public let timeIntervalSince1970: Double

    /// Creates a point in time from the number of seconds since the beginning of 1970 in UTC.
    public init(timeIntervalSince1970 seconds: Double) { timeIntervalSince1970 = seconds }
  }
#endif
