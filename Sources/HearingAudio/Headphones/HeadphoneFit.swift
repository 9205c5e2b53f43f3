internal import Foundation
public import HearingDSP

/// Finds the correction that brings a measured headphone to a target.
///
///     let fit = HeadphoneFit(measured: response)
///     settings.headphone = fit.correction
///     print(fit.error, "dB RMS from 50 Hz to 10 kHz")
///
/// A low shelf, a high shelf and bells are placed one after another where the remaining error is
/// greatest, or evenly over all octaves, and refined together by the method of Levenberg and
/// Marquardt; the better result counts. Levels are
/// compared without their mean from 50 Hz to 10 kHz: a measurement has no absolute level. Takes some
/// tenths of a second; not for the render thread.
public struct HeadphoneFit: Sendable {
  /// The sections, and a preamp gain that lowers the peak of the whole curve to 0 dB.
  public let correction: HeadphoneCorrection

  /// The RMS error in dB from 50 Hz to 10 kHz, against the wanted gains with their boosts limited.
  public let error: Double

  /// Limits of a fit.
  public struct Limits: Sendable, Equatable {
    /// How many sections are used, 2…10.
    public var sectionCount: Int
    /// The greatest boost in dB up to 10 kHz.
    public var boost: Double
    /// The greatest boost in dB above 10 kHz.
    public var trebleBoost: Double

    /// By default ten sections, 12 dB, and 6 dB above 10 kHz: measurements of headphones are not
    /// reliable there.
    public init(sectionCount: Int = 10, boost: Double = 12, trebleBoost: Double = 6) {
      precondition(
        (2...HeadphoneCorrection.greatestSectionCount).contains(sectionCount),
        "\(sectionCount) sections")
      precondition((0...40).contains(boost) && (0...40).contains(trebleBoost), "boosts in dB")
      self.sectionCount = sectionCount
      self.boost = boost
      self.trebleBoost = trebleBoost
    }
  }

  /// Fits to a measured response and the target it should have.
  ///
  /// - Parameters:
  ///   - measured: The response of the headphone.
  ///   - target: The response that it should have; default: flat.
  ///   - limits: The limits of the correction.
  ///   - sampleRate: For which the sections are exact, 32,000 Hz or more.
  public init(
    measured: FrequencyCurve, target: FrequencyCurve = .flat, limits: Limits = Limits(),
    sampleRate: Double = 48_000
  ) {
    self.init(limits: limits, sampleRate: sampleRate) {
      target.level(at: $0) - measured.level(at: $0)
    }
  }

  /// Fits to the gains that a correction should have, such as those of a graphic equaliser.
  public init(
    gains: FrequencyCurve, limits: Limits = Limits(), sampleRate: Double = 48_000
  ) {
    self.init(limits: limits, sampleRate: sampleRate) { gains.level(at: $0) }
  }

  private init(limits: Limits, sampleRate: Double, wanted: (Double) -> Double) {
    precondition(sampleRate >= 32_000, "a sample rate of \(sampleRate) Hz for a fit")
    var search = SectionSearch(limits: limits, sampleRate: sampleRate, wanted: wanted)
    search.run(sectionCount: limits.sectionCount)
    do {
      correction = try HeadphoneCorrection(sections: search.sections)
    } catch {
      preconditionFailure("a fit leaves the range of sections: \(error)")
    }
    error = search.error
  }
}

/// The search for the sections of a ``HeadphoneFit``.
private struct SectionSearch {
  private(set) var sections: [HeadphoneCorrection.Section] = []

  private let limits: HeadphoneFit.Limits
  private let sampleRate: Double
  private let frequencies: [Double]
  /// tan(π f / rate).
  private let places: [Double]
  private let weights: [Double]
  private let wanted: [Double]

  /// The grid: 24 points an octave from 20 Hz to 16 kHz. Points outside 50 Hz…10 kHz have a low
  /// weight.
  init(limits: HeadphoneFit.Limits, sampleRate: Double, wanted: (Double) -> Double) {
    self.limits = limits
    self.sampleRate = sampleRate
    let count = Int(24 * log2(16_000.0 / 20.0))
    let frequencies = (0...count).map { 20 * pow(2, Double($0) / 24) }
    self.frequencies = frequencies
    places = frequencies.map { tan(.pi * $0 / sampleRate) }
    weights = frequencies.map { (50...10_000).contains($0) ? 1 : 0.1 }
    let gains = frequencies.map(wanted)
    let inner = frequencies.indices.filter { (50...10_000).contains(frequencies[$0]) }
    let mean = inner.reduce(0) { $0 + gains[$1] } / Double(inner.count)
    self.wanted = frequencies.indices.map {
      min(gains[$0] - mean, frequencies[$0] > 10_000 ? limits.trebleBoost : limits.boost)
    }
  }

  /// The RMS error from 50 Hz to 10 kHz.
  var error: Double {
    let rest = residual(sections)
    let inner = rest.indices.filter { weights[$0] == 1 }
    return (inner.reduce(0) { $0 + rest[$1] * rest[$1] } / Double(inner.count)).squareRoot()
  }

  /// Searches from two starting points and keeps the better result.
  mutating func run(sectionCount: Int) {
    sections = shelves
    let bells = sectionCount - sections.count
    for index in 0..<bells {
      let octaves = (Double(index) + 0.5) / Double(bells) * log2(160)
      let place = 24 * (octaves + log2(60.0 / 20))
      let nearest = min(Int(place.rounded()), wanted.count - 1)
      sections.append(
        bounded(
          .init(
            .peak, frequency: frequencies[nearest], gain: wanted[nearest] / 2, quality: 1)))
    }
    refine(rounds: 200)
    let (spread, error) = (sections, error)
    runStepwise(sectionCount: sectionCount)
    if error < self.error { sections = spread }
  }

  private var shelves: [HeadphoneCorrection.Section] {
    [
      .init(.lowShelf, frequency: 105, gain: 0, quality: 0.7),
      .init(.highShelf, frequency: 8_000, gain: 0, quality: 0.7),
    ]
  }

  private mutating func runStepwise(sectionCount: Int) {
    sections = shelves
    refine(rounds: 20)
    while sections.count < sectionCount {
      addBell()
      refine(rounds: 25)
    }
    refine(rounds: 200)
  }

  /// Adds a bell in the range where the sum of the remaining errors of one sign is greatest.
  private mutating func addBell() {
    let rest = residual(sections)
    var best = (sum: -1.0, begin: 0, end: 0)
    var begin = 0
    while begin < rest.count {
      var end = begin
      var sum = 0.0
      while end < rest.count && (rest[end] > 0) == (rest[begin] > 0) {
        sum += abs(rest[end]) * weights[end]
        end += 1
      }
      if sum > best.sum { best = (sum, begin, end) }
      begin = end
    }
    var peak = best.begin
    for index in best.begin..<best.end where abs(rest[index]) > abs(rest[peak]) { peak = index }
    let octaves = max(0.2, Double(best.end - best.begin) / 24 * 0.6)
    let half = pow(2, octaves / 2)
    sections.append(
      bounded(
        .init(
          .peak, frequency: frequencies[peak], gain: rest[peak],
          quality: 1 / (half - 1 / half))))
  }

  /// The difference between the wanted gains and those of `sections`.
  private func residual(_ sections: [HeadphoneCorrection.Section]) -> [Double] {
    var rest = wanted
    for section in sections {
      for (index, gain) in gains(of: section).enumerated() { rest[index] -= gain }
    }
    return rest
  }

  private func gains(of section: HeadphoneCorrection.Section) -> [Double] {
    let own = tan(.pi * section.frequency / sampleRate)
    return places.map { section.gain(atRatio: $0 / own) }
  }

  /// Limits a section to the ranges allowed in a correction.
  private func bounded(
    _ section: HeadphoneCorrection.Section
  ) -> HeadphoneCorrection.Section {
    var result = section
    result.frequency = min(max(section.frequency, 20), 15_000)
    let boost = result.frequency > 10_000 ? limits.trebleBoost : limits.boost
    result.gain = min(max(section.gain, -30), boost)
    let qualities = section.kind == .peak ? 0.2...6 : 0.4...1.2
    result.quality = min(max(section.quality, qualities.lowerBound), qualities.upperBound)
    return result
  }

  private func moved(
    _ section: HeadphoneCorrection.Section, by step: (Double, Double, Double)
  ) -> HeadphoneCorrection.Section {
    var result = section
    result.frequency *= pow(2, step.0)
    result.gain += step.1
    result.quality *= pow(2, step.2)
    return bounded(result)
  }

  private func cost(_ rest: [Double]) -> Double {
    rest.indices.reduce(0) { $0 + weights[$1] * rest[$1] * rest[$1] }
  }

  /// Moves frequency, gain and quality of all sections together.
  private mutating func refine(rounds: Int) {
    let size = 3 * sections.count
    var rest = residual(sections)
    var least = cost(rest)
    var damping = 0.01
    for _ in 0..<rounds {
      let slopes = derivatives()
      var matrix = [Double](repeating: 0, count: size * size)
      var vector = [Double](repeating: 0, count: size)
      for row in 0..<size {
        for column in 0...row {
          var sum = 0.0
          for index in rest.indices {
            sum += weights[index] * slopes[row][index] * slopes[column][index]
          }
          matrix[row * size + column] = sum
          matrix[column * size + row] = sum
        }
        for index in rest.indices {
          vector[row] += weights[index] * slopes[row][index] * rest[index]
        }
      }
      var isBetter = false
      while damping < 1e6 && !isBetter {
        var damped = matrix
        for row in 0..<size {
          damped[row * size + row] += damping * (matrix[row * size + row] + 0.1)
        }
        let inverse = LinearSystem.inverse(damped, size: size)
        let steps = (0..<size).map { row in
          (0..<size).reduce(0) { $0 + inverse[row * size + $1] * vector[$1] }
        }
        let candidate = sections.indices.map { index in
          moved(
            sections[index],
            by: (
              min(max(steps[3 * index], -1), 1), min(max(steps[3 * index + 1], -6), 6),
              min(max(steps[3 * index + 2], -1), 1)
            ))
        }
        let newRest = residual(candidate)
        let newCost = cost(newRest)
        isBetter = newCost < least
        if isBetter {
          let progress = (least - newCost) / max(least, 1e-12)
          (sections, rest, least) = (candidate, newRest, newCost)
          damping = max(damping / 4, 1e-6)
          if progress < 1e-7 { return }
        } else {
          damping *= 5
        }
      }
      guard isBetter else { return }
    }
  }

  /// The change of the gains on the grid with log frequency, gain and log quality of each section.
  private func derivatives() -> [[Double]] {
    var result: [[Double]] = []
    let step = 0.001
    for section in sections {
      let base = gains(of: section)
      var near = section
      near.frequency *= pow(2, step)
      result.append(zip(gains(of: near), base).map { ($0 - $1) / step })
      near = section
      near.gain += step
      result.append(zip(gains(of: near), base).map { ($0 - $1) / step })
      near = section
      near.quality *= pow(2, step)
      result.append(zip(gains(of: near), base).map { ($0 - $1) / step })
    }
    return result
  }
}
