extension Audiogram {
  /// Why points do not make an audiogram.
  public enum Invalid: Error, Sendable, Equatable {
    /// There is no point at all.
    case noPoints
    /// There are more points than ``Audiogram/maximumPointCount``.
    case tooManyPoints(count: Int)
    /// A frequency in Hz is not finite or lies outside ``Audiogram/frequencyRange``; `index` counts
    /// the points as given, from 0.
    case frequencyOutOfRange(index: Int, frequency: Double)
    /// A threshold in dB HL is not finite or lies outside ``Audiogram/thresholdRange``.
    case thresholdOutOfRange(index: Int, frequency: Double, threshold: Double)
    /// A frequency in Hz stands more than once; `index` is the later of the two.
    case duplicateFrequency(index: Int, frequency: Double)

    /// The first thing wrong with `points`, in their order.
    static func first(in points: [Point]) -> Invalid? {
      guard !points.isEmpty else { return .noPoints }
      guard points.count <= Audiogram.maximumPointCount else {
        return .tooManyPoints(count: points.count)
      }
      var seen: Set<Double> = []
      for (index, point) in points.enumerated() {
        guard Audiogram.frequencyRange.contains(point.frequency) else {
          return .frequencyOutOfRange(index: index, frequency: point.frequency)
        }
        guard Audiogram.thresholdRange.contains(point.threshold) else {
          return .thresholdOutOfRange(
            index: index, frequency: point.frequency, threshold: point.threshold)
        }
        guard seen.insert(point.frequency).inserted else {
          return .duplicateFrequency(index: index, frequency: point.frequency)
        }
      }
      return nil
    }
  }
}

extension Audiogram.Invalid: CustomStringConvertible {
  /// One line that names the point and the value.
  public var description: String {
    switch self {
    case .noPoints, .tooManyPoints:
      reason
    case .frequencyOutOfRange(let index, _), .thresholdOutOfRange(let index, _, _),
      .duplicateFrequency(let index, _):
      "point \(index): \(reason)"
    }
  }

  /// The description without the index, for where the place is known better.
  var reason: String {
    switch self {
    case .noPoints:
      "an audiogram needs at least one point"
    case .tooManyPoints(let count):
      "\(count) points, but an audiogram has at most \(Audiogram.maximumPointCount)"
    case .frequencyOutOfRange(_, let frequency):
      "frequency \(frequency.plain) Hz is outside 100 to 20000 Hz"
    case .thresholdOutOfRange(_, let frequency, let threshold):
      "threshold \(threshold.plain) dB HL at \(frequency.plain) Hz is outside -10 to 120 dB HL"
    case .duplicateFrequency(_, let frequency):
      "\(frequency.plain) Hz stands more than once"
    }
  }
}
