#if hasFeature(Embedded)
  /// A moment, where there is no Foundation.
  public struct Date: Sendable, Hashable {
    /// Seconds since the beginning of 1970, UTC.
    public let timeIntervalSince1970: Double

    /// A moment in seconds since the beginning of 1970, UTC.
    public init(timeIntervalSince1970 seconds: Double) {
      timeIntervalSince1970 = seconds
    }
  }
#endif
