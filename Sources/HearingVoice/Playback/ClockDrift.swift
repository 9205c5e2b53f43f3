/// Estimates how much faster the audio clock of the render thread is than the audio clock of the
/// capture thread.
///
/// The render thread writes samples, and the capture thread captures samples. The input is a
/// difference: the number of written samples minus the number of captured samples. If a thread is
/// late, the difference changes for a short time. Therefore the drift is computed from the minimum
/// difference in each second, by a linear regression. The weight of a minimum decays with a time
/// constant of one minute. An uncertain result is moved towards 0.
///
/// If a thread loses samples, the difference jumps. Such a jump is not drift. If three consecutive
/// minima confirm the jump, the jump is subtracted from all later differences.
struct ClockDrift {
  /// The number of written samples per captured sample, minus 1. The range is −0.0005…0.0005.
  private(set) var slope = 0.0
  /// Whether the slope has been measured. The first measurement is complete after 4 s.
  var isKnown: Bool { seconds >= 4 }
  /// The minimum lead in the last 8 s, in samples, or nil in the first second. The lead is the
  /// number of written samples that the reader does not need yet.
  private(set) var minimumLead: Double?

  private let window: Int
  private var count = 0
  private var minimumDifference = Double.infinity
  private var windowMinimumLead = Double.infinity
  private var leads = SIMD8<Double>(repeating: .infinity)
  private var leadIndex = 0
  /// The sums of `w`, `w·t`, `w·t²`, `w·v`, `w·t·v` and `w·v²` over all minima, for the regression.
  /// Each minimum has a weight w, a time t and a value v. The time of the latest minimum is 0.
  private var sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
  private var seconds = 0
  private var first: Double?
  /// The last large deviation of a minimum from the regression, in samples. The property `changes`
  /// is the number of consecutive minima with almost this deviation.
  private var lastChange = 0.0
  private var changes = 0
  /// The mean deviation of the minima from the regression over about 20 s, in samples. A large
  /// deviation also increases this mean. A larger mean then allows larger deviations. Therefore the
  /// drift can be measured even if the timing of the threads is irregular.
  private var noise = 0.0

  /// The target for ``minimumLead``, in seconds.
  static let lead = 0.002
  /// A deviation counts as a jump if the deviation is larger than the sum of this time in seconds
  /// and four times the mean deviation.
  private static let minimumStep = 0.006
  /// The standard deviation of the drift between typical devices: 60 ppm. If the uncertainty of the
  /// regression is large compared with this value, ``slope`` is close to 0.
  private static let typicalSlope = 0.000_06

  /// - Parameter sampleRate: The number of captured samples per second.
  init(sampleRate: Double) { window = Int(sampleRate) }

  /// Adds a captured block. Returns the number of written samples that the reader must skip.
  ///
  /// - Parameters:
  ///   - count: The number of samples in the block.
  ///   - difference: The number of written samples minus the number of captured samples.
  ///   - lead: The number of written samples that the reader does not need yet.
  mutating func add(count: Int, difference: Int64, lead: Double) -> Double {
    minimumDifference = min(minimumDifference, Double(difference))
    windowMinimumLead = min(windowMinimumLead, lead)
    self.count += count
    guard self.count >= window else { return 0 }
    defer { (self.count, minimumDifference, windowMinimumLead) = (0, .infinity, .infinity) }
    return finishWindow()
  }

  private mutating func finishWindow() -> Double {
    leads[leadIndex & 7] = windowMinimumLead
    leadIndex += 1
    minimumLead = leads.min()
    // All minima are stored relative to the first minimum. Therefore the sums stay small.
    let origin = first ?? minimumDifference
    first = origin
    var value = minimumDifference - origin
    // Each minimum has a time in seconds. The latest minimum has the time 0. Before a new minimum
    // is added, 1 is subtracted from the times of all earlier minima.
    let (w, t, tt, v, tv, vv) = sums
    let kept = 0.983
    sums = (w * kept, (t - w) * kept, (tt - 2 * t + w) * kept, v * kept, (tv - v) * kept, vv * kept)
    seconds += 1
    var skip = 0.0
    let change = value - (sums.3 - slope * Double(window) * sums.1) / max(sums.0, 1e-9)
    let limit = Self.minimumStep * Double(window) + 4 * noise
    noise += 0.05 * (min(abs(change), limit) - noise)
    if seconds > 1 && abs(change) > limit {
      changes = abs(change - lastChange) < 0.001 * Double(window) + noise ? changes + 1 : 1
      lastChange = change
      guard changes == 3 else { return 0 }
      first = origin + change
      value -= change
      skip = max(0, min(change, windowMinimumLead - Self.lead * Double(window)))
      leads = SIMD8(repeating: windowMinimumLead - skip)
      minimumLead = leads[0]
    }
    changes = 0
    sums.0 += 1
    sums.3 += value
    sums.5 += value * value
    let spread = sums.0 * sums.2 - sums.1 * sums.1
    guard seconds >= 4, spread > 1e-9 else { return skip }
    // The minima vary at random if the timing of the threads is irregular, or if the two threads
    // use different block lengths. The constant `variance` is the variance of the slope divided by
    // the variance of typical drifts.
    let common = sums.0 * sums.4 - sums.1 * sums.3
    let rest = sums.0 * sums.5 - sums.3 * sums.3 - common * common / spread
    let typical = Self.typicalSlope * Double(window)
    let variance = max(rest, 0) / max(sums.0 - 2, 1) / spread / (typical * typical)
    slope = min(max(common / spread / Double(window) / (1 + variance), -0.0005), 0.0005)
    return skip
  }
}
