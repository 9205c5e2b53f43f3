/// The correction of a headphone's frequency response: up to ten sections and a preamp gain.
///
///     let correction = try HeadphoneCorrection(sections: [
///       .init(.lowShelf, frequency: 105, gain: 5.5, quality: 0.7),
///       .init(.peak, frequency: 2_900, gain: -3.1, quality: 1.8),
///     ])
///     settings.headphone = correction
///
/// The gains for a listener are intended for a headphone with a flat frequency response. The
/// headphone correction is therefore applied before the gains for the listener. The filter formulas
/// are from the Audio EQ Cookbook. The files `ParametricEQ.txt` of the project AutoEq use the same
/// formulas. Do not use a headphone correction to compensate for a hearing loss. A headphone
/// correction does not depend on the level, and is the same in both ears.
public struct HeadphoneCorrection: Sendable, Equatable {
  /// The gain in dB before the sections, −40…20.
  public let preampGain: Double

  /// The sections, at most ten.
  public let sections: [Section]

  /// A filter section.
  public struct Section: Sendable, Equatable {
    /// The shape of a section.
    public enum Kind: String, Sendable, CaseIterable {
      /// A bell around the section's frequency.
      case peak
      /// A shelf that changes the frequencies below the section's frequency.
      case lowShelf
      /// A shelf that changes the frequencies above the section's frequency.
      case highShelf
    }

    /// The shape of the section.
    public var kind: Kind
    /// The frequency in Hz, 10…40,000: the centre of a peak, or the middle of a shelf's slope.
    public var frequency: Double
    /// The gain in dB, −40…40.
    public var gain: Double
    /// The quality factor Q, 0.05…50. A shelf with a quality of 0.7 has no overshoot.
    public var quality: Double

    /// Creates a filter section. The initializer of ``HeadphoneCorrection`` checks the values of
    /// the section.
    public init(_ kind: Kind, frequency: Double, gain: Double, quality: Double) {
      self.kind = kind
      self.frequency = frequency
      self.gain = gain
      self.quality = quality
    }
  }

  /// Creates a correction of a headphone's frequency response.
  ///
  /// - Parameters:
  ///   - sections: at most ten sections.
  ///   - preampGain: the gain in dB before the sections, −40…20. If `preampGain` is nil, the preamp
  ///     gain is the negative of the sections' maximum total gain, limited to −40…0 dB. The maximum
  ///     is computed for frequencies from 10 Hz to 22 kHz, at the sample rates 48 kHz and 192 kHz.
  ///     At lower sample rates, the response differs, by up to 12 dB at 8 kHz. Its peak can then be
  ///     up to 6 dB higher. See ``response(at:sampleRate:)``.
  /// - Throws: an ``Invalid`` error that contains the invalid value. An error in a section also
  ///   contains the index of the section.
  public init(sections: [Section], preampGain: Double? = nil) throws(Invalid) {
    try (0...Self.greatestSectionCount).check(sections.count, Invalid.tooManySections)
    for (index, section) in sections.enumerated() {
      try (10...40_000).check(section.frequency) {
        Invalid.frequencyOutOfRange(section: index, frequency: $0)
      }
      try (-40...40).check(section.gain) { Invalid.gainOutOfRange(section: index, gain: $0) }
      try (0.05...50).check(section.quality) {
        Invalid.qualityOutOfRange(section: index, quality: $0)
      }
    }
    if let preampGain { try (-40...20).check(preampGain, Invalid.preampGainOutOfRange) }
    self.sections = sections
    self.preampGain = preampGain ?? max(-40, -max(0, Self.peak(of: sections)))
  }

  /// The gain in dB at `frequency` Hz, including the preamp gain. A section is ignored if its
  /// frequency is too high for the sample rate `sampleRate` in Hz.
  public func response(at frequency: Double, sampleRate: Double = 48_000) -> Double {
    preampGain + Self.response(of: sections, at: frequency, sampleRate: sampleRate)
  }

  /// The maximum number of sections.
  public static let greatestSectionCount = 10

  /// The total gain in dB of the sections at `frequency` Hz, without the preamp gain.
  static func response(
    of sections: [Section], at frequency: Double, sampleRate: Double
  ) -> Double {
    let warped = CMath.tangent(.pi * min(frequency, 0.4999 * sampleRate) / sampleRate)
    return sections.filter { $0.isAvailable(at: sampleRate) }.reduce(0) {
      $0 + $1.gain(atRatio: warped / CMath.tangent(.pi * $1.frequency / sampleRate))
    }
  }

  /// The maximum of the sections' total gain in dB, from 10 Hz to 22 kHz. Sections with high
  /// frequencies have an effect only at high sample rates. Therefore the maximum is computed for
  /// two sample rates.
  private static func peak(of sections: [Section]) -> Double {
    // The gain of a narrow section may have its maximum between two frequencies of the grid.
    // Therefore the frequencies of all sections below 22 kHz are added.
    let grid = (0...800).map { 10 * CMath.power(2_200, Double($0) / 800) }
    let frequencies = grid + sections.map { $0.frequency }.filter { $0 < 22_000 }
    return frequencies.flatMap { frequency in
      [48_000, 192_000].map { response(of: sections, at: frequency, sampleRate: $0) }
    }.max() ?? 0
  }

  /// The reason why a correction is invalid.
  public enum Invalid: Error, Sendable, Equatable {
    /// There are more than ten sections.
    case tooManySections(Int)
    /// A frequency in Hz is not within 10…40,000.
    case frequencyOutOfRange(section: Int, frequency: Double)
    /// A gain in dB is not within −40…40.
    case gainOutOfRange(section: Int, gain: Double)
    /// A quality is not within 0.05…50.
    case qualityOutOfRange(section: Int, quality: Double)
    /// The preamp gain in dB is not within −40…20.
    case preampGainOutOfRange(Double)
  }
}

extension HeadphoneCorrection.Invalid: CustomStringConvertible {
  /// A description of the error in one line.
  public var description: String {
    switch self {
    case .tooManySections(let count): "\(count) sections; at most 10 are possible"
    case .frequencyOutOfRange(let section, let frequency):
      "section \(section + 1): a frequency must be 10…40000 Hz, not \(frequency)"
    case .gainOutOfRange(let section, let gain):
      "section \(section + 1): a gain must be −40…40 dB, not \(gain)"
    case .qualityOutOfRange(let section, let quality):
      "section \(section + 1): a quality must be 0.05…50, not \(quality)"
    case .preampGainOutOfRange(let gain): "a preamp gain must be −40…20 dB, not \(gain)"
    }
  }
}

extension HeadphoneCorrection.Section {
  /// Whether the section's frequency is below 0.49 times the sample rate. A section with a
  /// frequency of 0.49 times the sample rate or more has no effect.
  func isAvailable(at sampleRate: Double) -> Bool { frequency < 0.49 * sampleRate }

  /// The gain in dB at a frequency f.
  ///
  /// - Parameter ratio: tan(π f / rate) / tan(π f0 / rate). The frequency of the section is f0.
  package func gain(atRatio ratio: Double) -> Double {
    let root = CMath.power(10, gain / 40)
    let (over, under): (Double, Double) =
      switch kind {
      case .peak: SectionResponse.bell(ratio: ratio, quality: quality, amplitude: root * root)
      case .lowShelf: SectionResponse.lowShelf(ratio: ratio, quality: quality, root: root)
      // The response of a high shelf at the ratio r equals the response of a low shelf at the ratio
      // 1 / r.
      case .highShelf: SectionResponse.lowShelf(ratio: 1 / ratio, quality: quality, root: root)
      }
    return CMath.decibels(power: over / under)
  }
}
