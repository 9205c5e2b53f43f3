/// Estimates how much faster the render clock is than the capture clock.
///
/// Its input is the number of samples written minus those captured. Late threads change it only for
/// a moment; its minimum in each second follows the clocks. The slope is a linear regression over
/// those minima that forgets with a time constant of a minute.
struct ClockDrift {
  /// Samples written for each one captured, minus 1: −0.0005…0.0005.
  private(set) var slope = 0.0
  /// Whether the slope has been measured.
  var isKnown: Bool { seconds >= 4 }
  /// The minimum number of samples written beyond the reader's need in the last 8 s; nil in the
  /// first second.
  private(set) var minimumLead: Double?

  private let window: Int
  private var count = 0
  private var minimumDifference = Double.infinity
  private var windowMinimumLead = Double.infinity
  private var leads = SIMD8<Double>(repeating: .infinity)
  private var leadIndex = 0
  /// Sums of the regression: weight, time, time², value, time × value; times are relative to now.
  private var sums = (0.0, 0.0, 0.0, 0.0, 0.0)
  private var seconds = 0
  private var first: Double?

  /// - Parameter sampleRate: Captured samples a second.
  init(sampleRate: Double) { window = Int(sampleRate) }

  /// Adds a block that was captured.
  ///
  /// - Parameters:
  ///   - count: Samples captured in the block.
  ///   - difference: Samples written minus samples captured.
  ///   - lead: Samples written beyond those that the reader needed.
  mutating func add(count: Int, difference: Int, lead: Double) {
    minimumDifference = min(minimumDifference, Double(difference))
    windowMinimumLead = min(windowMinimumLead, lead)
    self.count += count
    guard self.count >= window else { return }
    finishWindow()
    self.count = 0
    minimumDifference = .infinity
    windowMinimumLead = .infinity
  }

  private mutating func finishWindow() {
    leads[leadIndex & 7] = windowMinimumLead
    leadIndex += 1
    minimumLead = leads.min()
    // Values relative to the first keep the sums small.
    let origin = first ?? minimumDifference
    first = origin
    let value = minimumDifference - origin
    // One second later, all times are smaller by 1.
    let (w, t, tt, v, tv) = sums
    let kept = (w, t - w, tt - 2 * t + w, v, tv - v)
    let forgetting = 0.983
    sums = (
      kept.0 * forgetting + 1, kept.1 * forgetting, kept.2 * forgetting,
      kept.3 * forgetting + value, kept.4 * forgetting
    )
    seconds += 1
    guard seconds >= 4 else { return }
    let spread = sums.0 * sums.2 - sums.1 * sums.1
    guard spread > 1e-9 else { return }
    let estimate = (sums.0 * sums.4 - sums.1 * sums.3) / spread / Double(window)
    slope = min(max(estimate, -0.0005), 0.0005)
  }
}
