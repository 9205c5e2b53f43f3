extension Audiogram {
  /// One measured point: a threshold at a frequency, with what the audiometer said about it.
  ///
  ///     Audiogram.Point(frequency: 4000, threshold: 110, isNoResponse: true)
  ///
  /// A point by itself may hold any numbers; ``Audiogram`` checks them.
  public struct Point: Sendable, Equatable {
    /// Frequency in Hz.
    public var frequency: Double
    /// Threshold in dB HL; for a no-response point the highest level that was tested.
    public var threshold: Double
    /// Whether the other ear was masked while this point was measured.
    public var isMasked: Bool
    /// Whether the listener heard nothing up to and including ``threshold``.
    public var isNoResponse: Bool
    /// Whether ``threshold`` is the end of the permitted range and the value read lay beyond it.
    public var isClamped: Bool

    /// A point without flags unless told otherwise; frequency in Hz, threshold in dB HL.
    public init(
      frequency: Double, threshold: Double, isMasked: Bool = false, isNoResponse: Bool = false,
      isClamped: Bool = false
    ) {
      self.frequency = frequency
      self.threshold = threshold
      self.isMasked = isMasked
      self.isNoResponse = isNoResponse
      self.isClamped = isClamped
    }

    /// The point with its threshold brought into the permitted range and flagged, if it lies within
    /// what an import accepts; else the point as it is.
    func clamped() -> Point {
      guard Audiogram.importedThresholdRange.contains(threshold),
        !Audiogram.thresholdRange.contains(threshold)
      else { return self }
      var point = self
      point.threshold = threshold.limited(to: Audiogram.thresholdRange)
      point.isClamped = true
      return point
    }
  }
}
