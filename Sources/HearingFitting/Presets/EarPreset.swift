/// The processing of one ear: insertion gain over frequency and input level, attack and release
/// times, and the maximum output.
///
///     let ear = try EarPreset(frequencies: [500, 2000], inputLevels: [40, 80],
///                             gains: [[10, 4], [30, 12]])
///     ear.gain(at: 1000, inputLevel: 60)     // 14: in the middle of all four
///     ear.curve(at: 1000).points             // for a processor's band at 1 kHz
///
/// The gain is interpolated linearly on the logarithm of frequency and on input level, and held
/// outside the first and the last of each. A linear preset has exactly one input level, which has no
/// effect.
///
/// A value of this type is always valid. It stores and transports settings; a processor reads a
/// ``Curve`` for each of its bands.
public struct EarPreset: Sendable, Equatable {
  /// Frequencies in Hz, strictly rising, within ``frequencyRange``.
  public let frequencies: [Double]
  /// Input levels in dB SPL in the band, strictly rising, within ``inputLevelRange``; exactly one
  /// for a linear preset.
  public let inputLevels: [Double]
  /// Insertion gain in dB, `gains[frequency][level]`, within ``gainRange``.
  public let gains: [[Double]]
  /// Attack time in seconds for each frequency, within ``timeRange``: the time constant of falling
  /// gain.
  public let attackTimes: [Double]
  /// Release time in seconds for each frequency, within ``timeRange``: the time constant of rising
  /// gain.
  public let releaseTimes: [Double]
  /// The maximum output in dB SPL, above 0 and at most ``maximumOutputLimit(isLevelDependent:)``.
  public let maximumOutput: Double

  /// Identifies the content; see ``Preset/id``.
  let digest: ContentDigest

  /// A preset for one ear.
  ///
  /// - Parameters:
  ///   - frequencies: In Hz, strictly rising; at least one.
  ///   - inputLevels: In dB SPL in the band, strictly rising; one for a linear preset.
  ///   - gains: In dB: a row for each frequency, in it a gain for each input level.
  ///   - attackTimes: In seconds, one for each frequency; nil: ``defaultAttackTime`` everywhere.
  ///   - releaseTimes: In seconds, one for each frequency; nil: ``defaultReleaseTime`` everywhere.
  ///   - maximumOutput: In dB SPL.
  /// - Throws: ``Invalid``, which names the place.
  public init(
    frequencies: [Double], inputLevels: [Double], gains: [[Double]],
    attackTimes: [Double]? = nil, releaseTimes: [Double]? = nil,
    maximumOutput: Double = defaultMaximumOutput
  ) throws(Invalid) {
    let attack = attackTimes ?? frequencies.map { _ in Self.defaultAttackTime }
    let release = releaseTimes ?? frequencies.map { _ in Self.defaultReleaseTime }
    try Self.validate(frequencies: frequencies, inputLevels: inputLevels, gains: gains)
    try Self.validate(attackTimes: attack, releaseTimes: release, count: frequencies.count)
    try Self.validate(maximumOutput: maximumOutput, isLevelDependent: inputLevels.count > 1)
    self.frequencies = frequencies
    self.inputLevels = inputLevels
    self.gains = gains
    self.attackTimes = attack
    self.releaseTimes = release
    self.maximumOutput = maximumOutput
    var digest = ContentDigest()
    digest.add(frequencies)
    digest.add(inputLevels)
    for row in gains { digest.add(row) }
    digest.add(attack)
    digest.add(release)
    digest.add(maximumOutput)
    self.digest = digest
  }

  /// A linear preset for one ear: one gain in dB for each frequency in Hz, the same at every level.
  ///
  /// - Throws: ``Invalid``, which names the place.
  public init(
    frequencies: [Double], gains: [Double], maximumOutput: Double = defaultMaximumOutput
  ) throws(Invalid) {
    try self.init(
      frequencies: frequencies, inputLevels: [Self.linearInputLevel], gains: gains.map { [$0] },
      maximumOutput: maximumOutput)
  }

  /// Whether the gain depends on the input level.
  public var isLevelDependent: Bool { inputLevels.count > 1 }

  /// The insertion gain in dB at a frequency above 0 Hz and a level in the band in dB SPL, which may
  /// be infinite (digital silence) but not NaN.
  public func gain(at frequency: Double, inputLevel: Double) -> Double {
    blend(at: frequency) { PiecewiseLine(x: inputLevels, y: gains[$0]).value(at: inputLevel) }
  }

  /// Interpolates a value at `frequency` from those at the nearest ``frequencies``: linear on log
  /// frequency, held outside them.
  func blend(at frequency: Double, of value: (_ index: Int) -> Double) -> Double {
    precondition(frequency > 0, "a frequency of \(frequency) Hz")
    var low = 0
    var high = frequencies.count
    while low < high {
      let middle = (low + high) / 2
      if frequencies[middle] < frequency { low = middle + 1 } else { high = middle }
    }
    guard low < frequencies.count else { return value(frequencies.count - 1) }
    guard low > 0, frequencies[low] != frequency else { return value(low) }
    let before = Elementary.binaryLogarithm(frequencies[low - 1])
    let width = Elementary.binaryLogarithm(frequencies[low]) - before
    // Adjacent floating-point numbers may have the same logarithm.
    guard width > 0 else { return value(low) }
    let share = (Elementary.binaryLogarithm(frequency) - before) / width
    let (from, to) = (value(low - 1), value(low))
    return from + share * (to - from)
  }
}
