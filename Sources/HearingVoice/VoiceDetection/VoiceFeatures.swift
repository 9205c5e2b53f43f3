internal import HearingDSP
internal import HearingBuffers

/// Computes features that distinguish speech from other sounds, once per frame of 10 ms.
///
/// Each level is the logarithm to base 2 of a mean square. Therefore a level difference of 1 means
/// 3 dB.
struct VoiceFeatures: ~Copyable {
  /// The number of features.
  static let count = 53

  /// For each of the twelve bands, the index of its first spectral line. Element 12 is the index of
  /// the first line after the last band. The bands cover the range from 94 Hz to 3.75 kHz.
  private static var edges: SIMD16<Int32> {
    SIMD16(3, 6, 9, 12, 16, 20, 26, 33, 42, 54, 70, 92, 120, 0, 0, 0)
  }

  /// The features in the order of the network's inputs.
  let values = OwnedRow<Float>.filled(0, count: 56)

  /// The levels of the last five frames, one row per frame. Each row contains the levels of twelve
  /// bands, then the level below 2 kHz, and then the level above 2 kHz.
  private let levels = OwnedRow<Float>.filled(0, count: 16 * 5)
  private let spectrum = VoiceSpectrum()
  private var floors = BandFloors()
  private var pitch = PitchSearch()
  private var fine = FineStructure()
  private var newest = 0
  /// The logarithms to base 2 of the pitch periods in the last eight frames.
  private var periods = SIMD8<Float>.zero
  /// The peak levels of four groups of three bands. The peak levels fall by 3 dB per second.
  private var peaks = Float4.zero
  /// The levels of four groups of three bands, smoothed over about 1 s.
  private var means = Float4.zero
  private var isFirst = true

  mutating func reset() {
    values.fill(0)
    levels.fill(0)
    floors.reset()
    pitch.reset()
    fine.reset()
    (newest, periods, isFirst) = (0, .zero, true)
  }

  /// Whether the spectral lines below and above 1 kHz have been constant for 60 ms, as in a steady
  /// tone. The spectral lines of a voice nearly always move. In a test with ten minutes of music
  /// that is not in the training material, the detector wrongly reported the start of a voice 78
  /// times. With the condition `haveStandingLines`, there were no such reports. In speech at a
  /// signal-to-noise ratio of 10 dB, the condition removed 0.2 % of the frames with voice.
  var haveStandingLines: Bool { values[18] > 0.85 && values[19] > 0.75 }

  /// Computes the features of the newest frame.
  ///
  /// - Parameter history: The row that begins directly after the newest sample. The
  ///   ``VoiceAnalysis/historyLength`` samples before this row must be readable.
  mutating func update(endingAt history: Row<Float>) {
    let frame = history.from(-NarrowbandResampler.frameLength)
    spectrum.analyze(history.from(-VoiceSpectrum.windowLength))
    fine.add(spectrum.power.row)
    pitch.add(frame)
    newest = (newest + 1) % 5
    measure(frame)
    let now = levels.from(16 * newest)
    floors.add(now)
    excess(now)
    headroom(now)
    periodicity()
    persistence()
    change(now)
    // Feature 52 is 1 at the start, and decays to 0 while the smoothed features converge.
    values[52] = isFirst ? 1 : values[52] * 0.985
    isFirst = false
  }

  /// Measures the levels of the twelve bands, and the levels below and above 2 kHz.
  private mutating func measure(_ frame: Row<Float>) {
    let now = levels.from(16 * newest)
    var (sums, differences) = (Float4.zero, Float4.zero)
    for index in groupStarts(NarrowbandResampler.frameLength) {
      let sample = frame.float4(at: index)
      let before = frame.float4(at: index - 1)
      sums += (sample + before) * (sample + before)
      differences += (sample - before) * (sample - before)
    }
    now[12] = sums.sum() * (1 / 320) + 3e-10
    now[13] = differences.sum() * (1 / 320) + 3e-10
    let edges = Self.edges
    for band in 0..<12 {
      var sum: Float = 3e-10
      for line in Int(edges[band])..<Int(edges[band + 1]) { sum += spectrum.power[line] }
      now[band] = sum
    }
    (now[14], now[15]) = (1, 1)
    for index in groupStarts(16) { now.setFloat4(now.float4(at: index).binaryLogarithm, at: index) }
  }

  /// Computes these features:
  ///
  /// - 0…11: level of each band minus the noise floor of the band
  /// - 24, 25: level below and level above 2 kHz, each minus its noise floor
  /// - 26: mean of the features 0…11, smoothed with a time constant of about 40 ms
  /// - 27: mean of the features 0…11, smoothed with a time constant of about 400 ms
  /// - 31: smoothed magnitude of the difference between feature 27 and the mean of the features
  ///   0…11
  /// - 32: spectral tilt (mean level of the six lower bands minus mean level of the six upper
  ///   bands)
  private func excess(_ now: Row<Float>) {
    var sum = Float4.zero
    for vector in 0..<4 {
      let above = now.float4(at: 4 * vector) - floors.floors.float4(at: 4 * vector)
      let bounded = above.smaller(Float4(repeating: 12))
      if vector < 3 {
        values.setFloat4(bounded, at: 4 * vector)
        sum += bounded
      } else {
        (values[24], values[25]) = (bounded[0], bounded[1])
      }
    }
    let mean = sum.sum() * (1 / 12)
    approach(26, mean, 0.25)
    approach(27, mean, 0.025)
    approach(31, abs(mean - values[27]), 0.025)
    let low = now.float4(at: 0).sum() + now.float4(at: 4)[0] + now.float4(at: 4)[1]
    let high = now.float4(at: 8).sum() + now.float4(at: 4)[2] + now.float4(at: 4)[3]
    values[32] = (low - high) * (1 / 6)
  }

  /// Computes these features:
  ///
  /// - 36…39: peak level of each of the four band groups minus the level of the band group
  /// - 40: mean of the peak levels of the band groups minus the mean of the noise floors
  /// - 44…47: level of each of the four band groups, relative to its mean over about 1 s
  /// - 48, 49: mean of the features 36…39 without their upper limit, smoothed
  private mutating func headroom(_ now: Row<Float>) {
    var groups = Float4.zero
    var range: Float = 0
    for group in 0..<4 {
      let first = 3 * group
      groups[group] = (now[first] + now[first + 1] + now[first + 2]) * (1 / 3)
      range -= floors.floors[first] + floors.floors[first + 1] + floors.floors[first + 2]
    }
    if isFirst { (peaks, means) = (groups, groups) }
    peaks -= 0.01
    peaks = peaks.larger(groups)
    let below = peaks - groups
    values.setFloat4(below.smaller(Float4(repeating: 16)), at: 36)
    means += (groups - means) * 0.012
    values.setFloat4(groups - means, at: 44)
    approach(48, below.sum() * 0.25, 0.16)
    approach(49, below.sum() * 0.25, 0.05)
    values[40] = min(max(peaks.sum() * 0.25 + range * (1 / 12), 0), 20)
  }

  /// Computes these features:
  ///
  /// - 12: strength of the pitch (maximum correlation of the signal with the signal one period
  ///   earlier)
  /// - 13, 30, 50: feature 12, smoothed
  /// - 14, 15: change of the pitch period over one frame and over five frames
  /// - 35: feature 15, smoothed
  private mutating func periodicity() {
    values[12] = pitch.strength
    approach(13, pitch.strength, 0.2)
    values[14] = min(abs(pitch.period - periods[0]), 0.3)
    values[15] = min(abs(pitch.period - periods[4]), 0.3)
    for lane in stride(from: 7, to: 0, by: -1) { periods[lane] = periods[lane - 1] }
    periods[0] = pitch.period
    approach(30, pitch.strength, 0.025)
    approach(50, pitch.strength, 0.08)
    approach(35, values[15], 0.025)
  }

  /// Computes these features:
  ///
  /// - 16, 17: correlation of the fine structure below and above 1 kHz with the fine structure 20
  ///   ms earlier
  /// - 18, 19: correlation of the fine structure below and above 1 kHz with the fine structure 60
  ///   ms earlier
  /// - 20, 21: variance of the fine structure below and above 1 kHz
  /// - 29, 33, 34, 51: features 16…19 or sums of these features, smoothed
  private func persistence() {
    let (soon, late) = (fine.persistence(age: 2), fine.persistence(age: 6))
    values.setFloat4(Float4(lowHalf: soon, highHalf: late), at: 16)
    (values[20], values[21]) = (min(fine.depths[0], 16), min(fine.depths[1], 16))
    approach(51, soon.sum(), 0.1)
    approach(29, late.sum(), 0.025)
    approach(33, late[1], 0.1)
    approach(34, late.sum(), 0.006)
  }

  /// Computes these features:
  ///
  /// - 22, 23: mean rise and mean fall of the band levels within 20 ms
  /// - 28, 43: sum of the features 22 and 23, smoothed
  /// - 41, 42: mean rise and mean fall of the band levels within 40 ms
  private func change(_ now: Row<Float>) {
    (values[22], values[23]) = change(now, since: levels.from(16 * ((newest + 3) % 5)))
    approach(28, values[22] + values[23], 0.025)
    approach(43, values[22] + values[23], 0.1)
    (values[41], values[42]) = change(now, since: levels.from(16 * ((newest + 1) % 5)))
  }

  /// The mean rise and the mean fall of the band levels since an earlier frame.
  private func change(_ now: Row<Float>, since before: Row<Float>) -> (Float, Float) {
    var (rise, fall) = (Float4.zero, Float4.zero)
    for vector in 0..<3 {
      let step = now.float4(at: 4 * vector) - before.float4(at: 4 * vector)
      rise += step.larger(.zero)
      fall -= step.smaller(.zero)
    }
    return (min(rise.sum() * (1 / 12), 6), min(fall.sum() * (1 / 12), 6))
  }

  private func approach(_ index: Int, _ value: Float, _ fraction: Float) {
    values[index] += (value - values[index]) * fraction
  }
}
