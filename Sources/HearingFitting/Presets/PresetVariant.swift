/// A preset as prescribed, or a richer or softer one to choose instead.
public enum PresetVariant: String, Sendable, Hashable, CaseIterable, Codable {
  /// All gains × 1.25.
  case up
  /// Gains as prescribed.
  case `default`
  /// All gains × 0.75.
  case down

  /// What gains in dB are multiplied by before the limits apply.
  public var gainFactor: Double {
    switch self {
    case .up: 1.25
    case .default: 1
    case .down: 0.75
    }
  }
}
