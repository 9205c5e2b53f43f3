extension FittingLimits {
  /// At and above this output level in dB SPL the compression ratio is not limited, because the
  /// maximum output applies there.
  private static let ratioLimitOutput = 100.0

  /// Gain curves of an ear within the limits, and what the limits changed.
  struct LimitedCurves {
    var curves: [PiecewiseLine]
    var changes: [EarPreset.LimitedGain] = []
    /// In dB SPL for each band; nil: not limited.
    var maximumOutputs: [Double]?
  }

  /// Applies the limits to the gain curves in the ``PrescriptionBands``.
  func applied(
    to curves: [PiecewiseLine], audiogram: Audiogram, maximumOutput: Double
  ) -> LimitedCurves {
    var limited = LimitedCurves(curves: curves)
    if let maximumRatio {
      limited.change(.ratio) { ratioLimited($0, in: $1, maximumRatio: maximumRatio) }
    }
    if let maximumGain {
      limited.change(.gain) { curve, _ in
        curve.minimum(PiecewiseLine(x: [0], y: [maximumGain]))
      }
    }
    if holdsUnmeasuredGain {
      let measured = limited.curves
      limited.change(.unmeasured) { curve, band in
        guard let nearest = Self.nearestMeasuredBand(to: band, audiogram: audiogram) else {
          return curve
        }
        let shift =
          PrescriptionBands.speechLevels[band] - PrescriptionBands.speechLevels[nearest]
        return curve.minimum(measured[nearest].shifted(by: shift))
      }
    }
    if let expansionSpeechLevel {
      limited.change(.expansion) { curve, band in
        let knee =
          PrescriptionBands.speechLevels[band] + expansionSpeechLevel - SpeechSpectrum.overallLevel
        return curve.expanding(below: knee, slope: expansionSlope)
      }
    }
    if limitsOutputPerBand {
      limited.maximumOutputs = PrescriptionBands.centers.map {
        min(DiscomfortLevel.level(for: audiogram, at: $0), maximumOutput).roundedToMillionth
      }
    }
    return limited
  }

  /// The curve with its slope limited, anchored at the level of average speech.
  ///
  /// At an output of 100 dB SPL and above, the gain is at most that of the rule as published,
  /// regardless of the ratio.
  private func ratioLimited(
    _ curve: PiecewiseLine, in band: Int, maximumRatio: Double
  ) -> PiecewiseLine {
    let anchor = PrescriptionBands.speechLevels[band]
    let steepest = 1 / maximumRatio - 1
    let x = Set(curve.x + [anchor]).sorted()
    let y = x.map(curve.value)
    var limited = y
    let start = x.firstIndex(of: anchor) ?? 0
    func change(_ index: Int) -> Double {
      max(y[index + 1] - y[index], steepest * (x[index + 1] - x[index]))
    }
    for index in stride(from: start - 1, through: 0, by: -1) {
      limited[index] = limited[index + 1] - change(index)
    }
    for index in x.indices.dropFirst(start + 1) {
      limited[index] = limited[index - 1] + change(index - 1)
    }
    let range = LevelDependentEquation.presetLevelRange
    let rest = PiecewiseLine(
      x: [range.lowerBound, range.upperBound],
      y: [range.lowerBound, range.upperBound].map { $0 - Self.ratioLimitOutput })
    let cap = curve.scaled(by: -1).minimum(rest).scaled(by: -1)
    return PiecewiseLine(x: x, y: limited).minimum(cap).minimum(
      PiecewiseLine(x: [0], y: [EarPreset.gainRange.upperBound]))
  }

  /// The measured band whose gain is the upper limit for a band outside the measured frequencies;
  /// nil if the band is measured or no band is.
  private static func nearestMeasuredBand(to band: Int, audiogram: Audiogram) -> Int? {
    let centers = PrescriptionBands.centers
    let measured = centers.indices.filter { audiogram.measuredRange.contains(centers[$0]) }
    guard let first = measured.first, let last = measured.last, !measured.contains(band) else {
      return nil
    }
    return band < first ? first : last
  }
}

extension FittingLimits.LimitedCurves {
  /// Replaces every curve that changes, and records the bands whose gain changed by more than
  /// 0.05 dB.
  fileprivate mutating func change(
    _ limit: EarPreset.LimitedGain.Limit, by body: (PiecewiseLine, Int) -> PiecewiseLine
  ) {
    for band in curves.indices {
      let (before, after) = (curves[band], body(curves[band], band))
      let range = LevelDependentEquation.presetLevelRange
      let change = Set(before.x + after.x).filter(range.contains)
        .map { after.value(at: $0) - before.value(at: $0) }
        .max { abs($0) < abs($1) }
      guard let change, abs(change) > 1e-9 else { continue }
      curves[band] = after
      guard abs(change) > 0.05 else { continue }
      changes.append(
        EarPreset.LimitedGain(
          frequency: PrescriptionBands.centers[band], limit: limit,
          change: change.roundedToMillionth))
    }
  }
}
