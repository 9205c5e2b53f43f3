/// The settings for the processing of one ear. The settings are the insertion gain as a function of
/// frequency and input level, the attack and release times, and the maximum output.
///
///     let ear = try EarPreset(frequencies: [500, 2000], inputLevels: [40, 80],
///                             gains: [[10, 4], [30, 12]])
///     ear.gain(at: 1000, inputLevel: 60)     // 14: the mean of all four gains
///     ear.curve(at: 1000).points             // for a processor's band at 1 kHz
///
/// Between two input levels, the gain is interpolated linearly. Between two frequencies, the gain
/// is linear in the logarithm of frequency. Outside the range of the frequencies and outside the
/// range of the input levels, the gain is constant. A linear preset has exactly one input level,
/// and this level has no effect.
///
/// An ``EarPreset`` is always valid. An ``EarPreset`` contains only settings, and does not process
/// sound. A processor reads a ``Curve`` for each of the processor's bands.
public struct EarPreset: Sendable, Equatable {
  /// The frequencies in Hz, strictly rising, within ``frequencyRange``.
  public let frequencies: [Double]
  /// The input levels in dB SPL in the band, strictly rising, within ``inputLevelRange``. A linear
  /// preset has exactly one input level.
  public let inputLevels: [Double]
  /// The insertion gains in dB, within ``gainRange``. The first index is for the frequency, and the
  /// second index is for the input level.
  public internal(set) var gains: [[Double]]
  /// The attack time in seconds for each frequency, within ``timeRange``. The attack time is the
  /// time constant with which the gain falls.
  public let attackTimes: [Double]
  /// The release time in seconds for each frequency, within ``timeRange``. The release time is the
  /// time constant with which the gain rises.
  public let releaseTimes: [Double]
  /// The maximum output in dB SPL, above 0 and at most ``maximumOutputLimit(isLevelDependent:)``.
  public private(set) var maximumOutput: Double

  /// The maximum output of the band around each frequency, in dB SPL; nil if only ``maximumOutput``
  /// applies.
  public private(set) var maximumOutputs: [Double]?
  /// The gains that ``FittingLimits`` changed. This list has no effect on processing.
  public let limitedGains: [LimitedGain]
  /// The thresholds that the fitting assumed at frequencies at which the listener did not respond.
  /// This list has no effect on processing.
  public let assumedThresholds: [AssumedThreshold]

  /// A gain that a limit changed.
  public struct LimitedGain: Sendable, Equatable, Codable {
    /// A kind of limit on the gains.
    public enum Limit: String, Sendable, Hashable, CaseIterable, Codable {
      /// A limit on the gain outside the measured frequencies.
      case unmeasured
      /// A reduction of gain at input levels below the expansion knee.
      case expansion
      /// A limit on the compression ratio.
      case ratio
      /// The limit on the gain in dB: the maximum gain.
      case gain
    }

    /// The frequency of the changed gain in Hz.
    public let frequency: Double
    /// The kind of limit that changed the gain.
    public let limit: Limit
    /// The change of gain in dB, at the input level where the change is largest. For a limit other
    /// than expansion, the change is measured only at input levels of 30 dB SPL or more.
    public let change: Double
  }

  /// Creates a preset for one ear.
  ///
  /// - Parameters:
  ///   - frequencies: Frequencies in Hz, strictly rising; at least one.
  ///   - inputLevels: Input levels in dB SPL in the band, strictly rising; exactly one for a linear
  ///     preset.
  ///   - gains: Gains in dB: one row for each frequency, with one gain for each input level.
  ///   - attackTimes: Attack times in seconds, one for each frequency; nil for
  ///     ``defaultAttackTime``.
  ///   - releaseTimes: Release times in seconds, one for each frequency; nil for
  ///     ``defaultReleaseTime``.
  ///   - maximumOutput: The maximum output of the ear in dB SPL.
  ///   - maximumOutputs: Maximum outputs of the bands in dB SPL, one for each frequency; nil if
  ///     only `maximumOutput` applies.
  ///   - limitedGains: The gains that limits changed.
  ///   - assumedThresholds: The thresholds that were assumed at frequencies without a response.
  /// - Throws: ``Invalid``, which contains the invalid value.
  public init(
    frequencies: [Double], inputLevels: [Double], gains: [[Double]],
    attackTimes: [Double]? = nil, releaseTimes: [Double]? = nil,
    maximumOutput: Double = defaultMaximumOutput, maximumOutputs: [Double]? = nil,
    limitedGains: [LimitedGain] = [], assumedThresholds: [AssumedThreshold] = []
  ) throws(Invalid) {
    self.frequencies = frequencies
    self.inputLevels = inputLevels
    self.gains = gains
    self.attackTimes = attackTimes ?? frequencies.map { _ in Self.defaultAttackTime }
    self.releaseTimes = releaseTimes ?? frequencies.map { _ in Self.defaultReleaseTime }
    self.maximumOutput = maximumOutput
    self.maximumOutputs = maximumOutputs
    self.limitedGains = limitedGains
    self.assumedThresholds = assumedThresholds
    try validate()
  }

  /// Identifies the content of the preset; see ``Preset/id``.
  var digest: ContentDigest {
    var digest = ContentDigest()
    for row in [frequencies, inputLevels] + gains + [attackTimes, releaseTimes] { digest.add(row) }
    digest.add(maximumOutput)
    if let maximumOutputs { digest.add(maximumOutputs) }
    for gain in limitedGains {
      digest.add(gain.frequency)
      digest.add(gain.limit.rawValue)
      digest.add(gain.change)
    }
    for threshold in assumedThresholds {
      digest.add("assumed")
      digest.add([threshold.frequency, threshold.tested, threshold.assumed])
    }
    return digest
  }

  /// Creates a linear preset for one ear. The preset has one gain in dB for each frequency in Hz,
  /// and the gain is the same at every level.
  ///
  /// - Throws: ``Invalid``, which contains the invalid value.
  public init(
    frequencies: [Double], gains: [Double], maximumOutput: Double = defaultMaximumOutput
  ) throws(Invalid) {
    try self.init(
      frequencies: frequencies, inputLevels: [Self.linearInputLevel], gains: gains.map { [$0] },
      maximumOutput: maximumOutput)
  }

  /// Returns a copy of the preset with another maximum output in dB SPL. The new maximum output
  /// also limits the maximum outputs of the bands.
  ///
  /// - Throws: ``Invalid`` if the maximum output is out of range.
  public func replacingMaximumOutput(_ maximumOutput: Double) throws(Invalid) -> EarPreset {
    try Self.validate(maximumOutput: maximumOutput, isLevelDependent: isLevelDependent)
    var preset = self
    preset.maximumOutput = maximumOutput
    preset.maximumOutputs = maximumOutputs?.map { min($0, maximumOutput) }
    return preset
  }

  /// The maximum level in dB SPL that a steady tone can reach with this preset. The result is the
  /// lower of ``maximumOutput`` and the maximum output of the band, converted to `plane`. The
  /// frequency must be above 0 Hz.
  public func largestOutput(at frequency: Double, in plane: LevelPlane) -> Double {
    let band = maximumOutputs.map { outputs in blend(at: frequency) { outputs[$0] } }
    return LevelPlane.freeField.level(
      min(band ?? maximumOutput, maximumOutput), at: frequency, in: plane)
  }

  /// The maximum level in dB SPL that a steady tone from 99 Hz to 8 kHz can reach in a 2 cm³
  /// coupler, and the frequency of this tone in Hz. The level is computed for tones that are a 48th
  /// of an octave apart. One of the tones has a frequency of 4 kHz. If the maximum output is the
  /// same at all frequencies, the level in the coupler is highest at 4 kHz. The legal limit for the
  /// level (21 CFR 800.30) is ``maximumOutputLimit(isLevelDependent:)``.
  public var largestCouplerOutput: (level: Double, frequency: Double) {
    let tones = (-160...144).map { step in
      let frequency = 1000 * CMath.binaryPower(Double(step) / 48)
      return (level: largestOutput(at: frequency, in: .coupler), frequency: frequency)
    }
    return tones.max { $0.level < $1.level } ?? tones[0]
  }

  /// Whether the gain depends on the input level.
  public var isLevelDependent: Bool { inputLevels.count > 1 }

  /// The insertion gain in dB at a frequency above 0 Hz, for a level in the band in dB SPL. The
  /// level may be infinite, for example −∞ for digital silence, but must not be NaN.
  public func gain(at frequency: Double, inputLevel: Double) -> Double {
    blend(at: frequency) { PiecewiseLine(x: inputLevels, y: gains[$0]).value(at: inputLevel) }
  }

  /// The insertion gain in dB for a steady tone: the lower of two values. The first value is
  /// `intensity` (0 to 1) times ``gain(at:inputLevel:)``. The second value is
  /// ``largestOutput(at:in:)`` in a free field minus the input level. The second value is negative
  /// if the tone is louder than the maximum output.
  public func toneGain(at frequency: Double, inputLevel: Double, intensity: Double = 1) -> Double {
    min(
      intensity * gain(at: frequency, inputLevel: inputLevel),
      largestOutput(at: frequency, in: .freeField) - inputLevel)
  }

  /// Interpolates a value at `frequency` from the values at the nearest ``frequencies``. The
  /// interpolation is linear in the logarithm of frequency. Outside the frequencies of the preset,
  /// the result is constant.
  func blend(at frequency: Double, of value: (_ index: Int) -> Double) -> Double {
    precondition(frequency > 0, "a frequency of \(frequency) Hz")
    let upper = frequencies.firstIndex(notBelow: frequency)
    guard upper < frequencies.count else { return value(frequencies.count - 1) }
    guard upper > 0, frequencies[upper] != frequency else { return value(upper) }
    let before = CMath.binaryLogarithm(frequencies[upper - 1])
    let width = CMath.binaryLogarithm(frequencies[upper]) - before
    // Two adjacent floating-point numbers may have the same logarithm.
    guard width > 0 else { return value(upper) }
    let fraction = (CMath.binaryLogarithm(frequency) - before) / width
    let (from, to) = (value(upper - 1), value(upper))
    return from + fraction * (to - from)
  }
}
