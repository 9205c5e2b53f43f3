internal import Foundation
public import HearingDSP

extension HeadphoneCorrection {
  /// Computes the correction that changes the measured response of a headphone to a target
  /// response.
  ///
  ///     let fit = HeadphoneCorrection.fitted(to: response)
  ///     settings.headphone = fit.correction
  ///     print(fit.error, "dB RMS from 50 Hz to 10 kHz")
  ///
  /// The target gain at a frequency is the target response minus the measured response, in dB. A
  /// measured response has no absolute level. Therefore the mean target gain from 50 Hz to 10 kHz
  /// is subtracted from all target gains.
  ///
  /// The correction has a low shelf filter, a high shelf filter and peak filters. The function adds
  /// the peak filters one by one. Each new filter covers the frequency range with the largest
  /// remaining error. After each new filter, the function optimizes all filters together with the
  /// Levenberg–Marquardt method. A fit takes a few tenths of a second. Do not compute a fit on the
  /// render thread.
  ///
  /// - Parameters:
  ///   - measured: The response of the headphone.
  ///   - target: The desired response after the correction. The default is flat.
  ///   - sectionCount: The number of filter sections, 2…10.
  ///   - maximumBoost: The maximum gain in dB at frequencies up to 10 kHz, 0…40.
  ///   - maximumTrebleBoost: The maximum gain in dB at frequencies above 10 kHz, 0…40. Headphone
  ///     measurements are not reliable above 10 kHz. Therefore the default of `maximumTrebleBoost`
  ///     is lower than the default of `maximumBoost`.
  ///   - sampleRate: The sample rate for which the response of the sections is computed, at least
  ///     32,000 Hz.
  /// - Returns: The correction, and the RMS error in dB from 50 Hz to 10 kHz. If the peak of the
  ///   correction's response is above 0 dB, the preamp gain lowers this peak to 0 dB. The target
  ///   gains are limited to `maximumBoost` and `maximumTrebleBoost` before the error is computed.
  public static func fitted(
    to measured: FrequencyCurve, target: FrequencyCurve = .flat, sectionCount: Int = 10,
    maximumBoost: Double = 12, maximumTrebleBoost: Double = 6, sampleRate: Double = 48_000
  ) -> (correction: HeadphoneCorrection, error: Double) {
    precondition((2...greatestSectionCount).contains(sectionCount), "\(sectionCount) sections")
    precondition(
      (0...40).contains(maximumBoost) && (0...40).contains(maximumTrebleBoost), "boosts in dB")
    precondition(sampleRate >= 32_000, "a sample rate of \(sampleRate) Hz for a fit")
    let frequencies = SectionSearch.grid(pointsPerOctave: 24)
    let inner = frequencies.filter { (50...10_000).contains($0) }
    func targetGain(_ frequency: Double) -> Double {
      target.level(at: frequency) - measured.level(at: frequency)
    }
    let mean = inner.reduce(0) { $0 + targetGain($1) } / Double(inner.count)
    let search = SectionSearch(
      sectionCount, (maximumBoost, maximumTrebleBoost), sampleRate, frequencies,
      weight: { (50...10_000).contains($0) ? 1 : 0.1 },
      targetGain: {
        min(targetGain($0) - mean, $0 > 10_000 ? maximumTrebleBoost : maximumBoost)
      })
    return (.valid(search.sections, preampGain: nil), search.error)
  }

  /// Fits a correction to target gains, such as the gains of a graphic equaliser. The other
  /// parameters and the return value have the same meaning as in
  /// `fitted(to:target:sectionCount:maximumBoost:maximumTrebleBoost:sampleRate:)`.
  public static func fitted(
    gains: FrequencyCurve, sectionCount: Int = 10, maximumBoost: Double = 12,
    maximumTrebleBoost: Double = 6, sampleRate: Double = 48_000
  ) -> (correction: HeadphoneCorrection, error: Double) {
    fitted(
      to: .flat, target: gains, sectionCount: sectionCount, maximumBoost: maximumBoost,
      maximumTrebleBoost: maximumTrebleBoost, sampleRate: sampleRate)
  }

  /// Fits filter sections to the insertion gains of a preset. At each frequency, the preamp gain
  /// plus the gains of all sections approximates the insertion gain. The frequencies in `centers`
  /// are in Hz. At these frequencies, the error is at most 0.2 dB for common audiograms. At other
  /// frequencies, the error may be larger than 0.2 dB. If the gains change steeply with frequency,
  /// the error may also be larger than 0.2 dB at the frequencies in `centers`.
  ///
  /// All supported equalisers accept gains within ±30 dB. Therefore the gains of the sections are
  /// limited to this range.
  static func fitted(
    insertionGains: FrequencyCurve, preampGain: Double, exactAt centers: [Double]
  ) -> HeadphoneCorrection {
    let grid = SectionSearch.grid(pointsPerOctave: 12)
    let search = SectionSearch(
      centers.count, (30, 30), 48_000, (grid + centers).sorted(),
      weight: { centers.contains($0) ? 100 : 1 },
      targetGain: { insertionGains.level(at: $0) - preampGain })
    return .valid(search.sections, preampGain: preampGain)
  }

  /// Creates a correction from filter sections with valid frequencies, gains and quality factors.
  static func valid(_ sections: [Section], preampGain: Double?) -> HeadphoneCorrection {
    do {
      return try HeadphoneCorrection(sections: sections, preampGain: preampGain)
    } catch {
      preconditionFailure("the sections of a correction are out of range: \(error)")
    }
  }
}

/// Searches for filter sections that together approximate given target gains.
private struct SectionSearch {
  /// The maximum gains in dB of a section. `boost` limits sections with a frequency up to 10 kHz.
  /// `trebleBoost` limits sections with a frequency above 10 kHz.
  typealias Limits = (boost: Double, trebleBoost: Double)

  typealias Section = HeadphoneCorrection.Section

  /// The filter sections that the search has found.
  private(set) var sections: [Section] = []

  private let limits: Limits
  private let frequencies: [Double]
  private let sampleRate: Double
  /// The value tan(π · f / `sampleRate`) for each frequency f in `frequencies`.
  private let warpedFrequencies: [Double]
  private let weights: [Double]
  private let targetGains: [Double]

  /// Searches for `sectionCount` sections. There is a target gain and a weight for each of
  /// `frequencies` in Hz.
  ///
  /// Starts with two shelf filters, and adds peak filters one by one. Optimizes all sections after
  /// each new filter.
  init(
    _ sectionCount: Int, _ limits: Limits, _ sampleRate: Double, _ frequencies: [Double],
    weight: (Double) -> Double, targetGain: (Double) -> Double
  ) {
    self.limits = limits
    self.frequencies = frequencies
    self.sampleRate = sampleRate
    warpedFrequencies = frequencies.map { tan(.pi * $0 / sampleRate) }
    weights = frequencies.map(weight)
    targetGains = frequencies.map(targetGain)
    sections = [section(.lowShelf, 105, 0, 0.7), section(.highShelf, 8_000, 0, 0.7)]
    refine(rounds: 20)
    for _ in sections.count..<sectionCount {
      addBell()
      refine(rounds: 25)
    }
    refine(rounds: 200)
  }

  /// A grid of frequencies from 20 Hz to 16 kHz. The ratio of neighbouring frequencies is constant.
  static func grid(pointsPerOctave: Double) -> [Double] {
    (0...Int(pointsPerOctave * log2(16_000 / 20))).map { 20 * pow(2, Double($0) / pointsPerOctave) }
  }

  /// The RMS error in dB at those of `frequencies` that have weight 1. In a headphone fit, the
  /// frequencies from 50 Hz to 10 kHz have weight 1.
  var error: Double {
    let errors = residual(sections)
    let inner = errors.indices.filter { weights[$0] == 1 }
    return (inner.reduce(0) { $0 + errors[$1] * errors[$1] } / Double(inner.count)).squareRoot()
  }

  /// Adds a peak filter. The frequencies are divided into ranges. In a range, the errors at all
  /// frequencies have the same sign. The new filter covers the range with the largest weighted sum
  /// of absolute errors.
  private mutating func addBell() {
    let errors = residual(sections)
    let starts = errors.indices.filter { $0 == 0 || (errors[$0] > 0) != (errors[$0 - 1] > 0) }
    let ranges = zip(starts, starts.dropFirst() + [errors.count]).map { $0..<$1 }
    func sum(_ range: Range<Int>) -> Double {
      range.reduce(0) { $0 + abs(errors[$1]) * weights[$1] }
    }
    guard let range = ranges.max(by: { sum($0) < sum($1) }),
      let peak = range.max(by: { abs(errors[$0]) < abs(errors[$1]) })
    else { return }
    sections.append(section(.peak, frequencies[peak], errors[peak], 1.4))
  }

  /// The target gains minus the gains of `sections`, in dB.
  private func residual(_ sections: [Section]) -> [Double] {
    var errors = targetGains
    for section in sections {
      for (index, gain) in gains(of: section).enumerated() { errors[index] -= gain }
    }
    return errors
  }

  private func gains(of section: Section) -> [Double] {
    let warpedCenter = tan(.pi * section.frequency / sampleRate)
    return warpedFrequencies.map { section.gain(atRatio: $0 / warpedCenter) }
  }

  /// Creates a section. The frequency, the gain and the quality factor are clamped to the ranges of
  /// the search.
  private func section(
    _ kind: Section.Kind, _ frequency: Double, _ gain: Double, _ quality: Double
  ) -> Section {
    let frequency = min(max(frequency, 20), 15_000)
    let boost = frequency > 10_000 ? limits.trebleBoost : limits.boost
    let qualities = kind == .peak ? 0.2...6 : 0.4...1.2
    return Section(
      kind, frequency: frequency, gain: min(max(gain, -30), boost),
      quality: min(max(quality, qualities.lowerBound), qualities.upperBound))
  }

  /// The weighted inner product of two lists. Each list has one element for each of `frequencies`.
  private func weightedSum(_ one: [Double], _ other: [Double]) -> Double {
    weights.indices.reduce(0) { $0 + weights[$1] * one[$1] * other[$1] }
  }

  /// Optimizes the frequency, gain and quality factor of all sections together, with the
  /// Levenberg–Marquardt method.
  private mutating func refine(rounds: Int) {
    let size = 3 * sections.count
    var errors = residual(sections)
    var damping = 0.01
    for _ in 0..<rounds {
      let slopes = derivatives()
      let matrix = slopes.flatMap { row in slopes.map { weightedSum(row, $0) } }
      let vector = slopes.map { weightedSum($0, errors) }
      let cost = weightedSum(errors, errors)
      var newCost = Double.infinity
      while newCost >= cost {
        guard damping < 1e6 else { return }
        var damped = matrix
        for index in stride(from: 0, to: matrix.count, by: size + 1) {
          damped[index] += damping * (matrix[index] + 0.1)
        }
        let inverse = LinearSystem.inverse(damped, size: size)
        let steps = (0..<size).map { row in
          (0..<size).reduce(0) { $0 + inverse[row * size + $1] * vector[$1] }
        }
        let candidate = sections.enumerated().map { index, old in
          func limited(_ part: Int, _ limit: Double) -> Double {
            min(max(steps[3 * index + part], -limit), limit)
          }
          return section(
            old.kind, old.frequency * pow(2, limited(0, 1)), old.gain + limited(1, 6),
            old.quality * pow(2, limited(2, 1)))
        }
        let newErrors = residual(candidate)
        newCost = weightedSum(newErrors, newErrors)
        if newCost < cost { (sections, errors) = (candidate, newErrors) }
        damping = newCost < cost ? max(damping / 4, 1e-6) : damping * 5
      }
      if cost - newCost < 1e-7 * cost { return }
    }
  }

  /// The partial derivatives of the gains at all `frequencies`. For each section, the result has
  /// three rows: the derivatives with respect to log₂ of the section's frequency, to the section's
  /// gain, and to log₂ of the section's quality factor.
  private func derivatives() -> [[Double]] {
    let step = 0.001
    return sections.flatMap { section in
      let base = gains(of: section)
      var shifted = [section, section, section]
      shifted[0].frequency *= pow(2, step)
      shifted[1].gain += step
      shifted[2].quality *= pow(2, step)
      return shifted.map { zip(gains(of: $0), base).map { ($0 - $1) / step } }
    }
  }
}
