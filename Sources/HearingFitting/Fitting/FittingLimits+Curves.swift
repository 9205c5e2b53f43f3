extension FittingLimits {
  /// The output level in dB SPL up to which the maximum compression ratio applies. The maximum
  /// output limits higher output levels.
  private static let ratioLimitOutput = 100.0

  /// The gain curves of one ear after the limits have been applied, and a list of the gains that
  /// the limits changed.
  struct LimitedCurves {
    var curves: [PiecewiseLine]
    var changes: [EarPreset.LimitedGain] = []

    /// The minimum input level in dB SPL at which a change of gain is recorded. This minimum does
    /// not apply to the expansion: a change by the expansion is recorded at every input level. A
    /// change by any other limit is recorded only at input levels of 30 dB SPL or more. Below 30 dB
    /// SPL, the expansion makes the gain so small that no other limit changes the gain.
    private static let minimumRecordedLevel = 30.0

    /// Applies a limit to every curve. Records each band in which the limit changed the gain by
    /// more than 0.05 dB. For limits other than expansion, only input levels of
    /// ``minimumRecordedLevel`` or more count.
    mutating func change(
      _ limit: EarPreset.LimitedGain.Limit, by body: (PiecewiseLine, Int) -> PiecewiseLine
    ) {
      for band in curves.indices {
        let (before, after) = (curves[band], body(curves[band], band))
        let range = LevelDependentEquation.presetLevelRange
        func largestChange(in range: ClosedRange<Double>) -> Double {
          Set(before.x + after.x + [range.lowerBound]).filter(range.contains)
            .map { after.value(at: $0) - before.value(at: $0) }.max { abs($0) < abs($1) } ?? 0
        }
        guard abs(largestChange(in: range)) > 1e-9 else { continue }
        curves[band] = after
        let recorded = Self.minimumRecordedLevel...range.upperBound
        let change = largestChange(in: limit == .expansion ? range : recorded)
        guard abs(change) > 0.05 else { continue }
        changes.append(
          EarPreset.LimitedGain(
            frequency: PrescriptionBands.centers[band], limit: limit,
            change: change.roundedToMillionth))
      }
    }
  }

  /// In the band at 8 kHz, the expansion knee is this number of dB above the band's level for
  /// speech at an overall level of ``expansionSpeechLevel``. In each other band, the expansion knee
  /// equals the band's level for this speech.
  private static let topBandKneeRise = 13.0

  /// Applies the limits to the gain curves in the ``PrescriptionBands``. The curves contain the
  /// prescribed gains, multiplied by `factor`.
  func applied(to curves: [PiecewiseLine], audiogram: Audiogram, factor: Double) -> LimitedCurves {
    var limited = LimitedCurves(curves: curves)
    if let maximumRatio {
      limited.change(.ratio) { ratioLimited($0, in: $1, maximumRatio, factor: factor) }
    }
    if let maximumGain {
      limited.change(.gain) { curve, _ in curve.minimum(.constant(maximumGain)) }
    }
    if holdsUnmeasuredGain {
      let unlimited = limited.curves
      let centers = PrescriptionBands.centers
      let measured = centers.indices.filter { audiogram.measuredRange.contains(centers[$0]) }
      limited.change(.unmeasured) { curve, band in
        // `nearest` is the nearest band with a centre frequency in the measured range. If the
        // measured range contains no centre frequency, `nearest` equals `band`.
        let nearest = min(max(band, measured.first ?? band), measured.last ?? band)
        let shift = PrescriptionBands.speechLevels[band] - PrescriptionBands.speechLevels[nearest]
        let held = unlimited[nearest]
        return curve.minimum(PiecewiseLine(x: held.x.map { $0 + shift }, y: held.y))
      }
    }
    if let expansionSpeechLevel {
      limited.change(.expansion) { curve, band in
        let knee =
          PrescriptionBands.speechLevels[band] + expansionSpeechLevel - SpeechSpectrum.overallLevel
          + (band == PrescriptionBands.centers.count - 1 ? Self.topBandKneeRise : 0)
        return curve.expanding(below: knee, slope: expansionSlope)
      }
    }
    return limited
  }

  /// The maximum outputs for an ear in dB SPL. `ceiling` is the maximum output of the whole ear.
  /// `bands` contains a maximum output for each of the ``PrescriptionBands``, and is nil if only
  /// `ceiling` applies.
  ///
  /// - Parameters:
  ///   - audiogram: The thresholds of the ear.
  ///   - discomfort: Measured discomfort levels of the ear in dB HL; nil if not measured.
  ///   - maximumOutput: The maximum output of the system in dB SPL; nil if the system has no limit.
  ///   - isLevelDependent: Whether the gain depends on the level. If the gain does not depend on
  ///     the level, the bands have maximum outputs only if discomfort levels were measured.
  func outputLimits(
    for audiogram: Audiogram, discomfort: Audiogram?, maximumOutput: Double?,
    isLevelDependent: Bool
  ) -> (ceiling: Double, bands: [Double]?) {
    guard let discomfortMargin else {
      return (maximumOutput ?? EarPreset.defaultMaximumOutput, nil)
    }
    let legalLimit = EarPreset.maximumOutputLimit(isLevelDependent: isLevelDependent)
    let limit = min(maximumOutput ?? legalLimit, legalLimit)
    let centers = PrescriptionBands.centers
    let bands = centers.indices.map { band in
      let comfortable =
        audiogram.discomfortLevel(at: centers[band], measured: discomfort) - discomfortMargin
      return min(comfortable, Self.freeFieldLevel(ofCoupler: legalLimit, in: band))
    }
    // The ceiling depends on the mean maximum output of the bands at 500 Hz, 1, 2 and 4 kHz.
    let averaged = centers.indices.filter { Audiogram.averagedFrequencies.contains(centers[$0]) }
    let mean = averaged.map { bands[$0] }.mean
    let ceiling = min(mean + Self.peakAllowance, limit).roundedToMillionth
    let limitsBands = isLevelDependent || discomfort != nil
    return (ceiling, limitsBands ? bands.map { min($0, ceiling).roundedToMillionth } : nil)
  }

  /// Converts a level in the coupler to the corresponding free-field level. Returns the minimum of
  /// the free-field levels over all frequencies of the band. In both directions, a band extends
  /// over 60 % of the distance in octaves to the centre of the neighbouring band. A band extends
  /// over at least a third of an octave in both directions. The maximum output is interpolated
  /// between two centres. Therefore a band that extended over only 50 % of the distance would have
  /// too high a maximum output at 160 Hz.
  private static func freeFieldLevel(ofCoupler level: Double, in band: Int) -> Double {
    let centers = PrescriptionBands.centers
    /// The distance from the centre of `band` to the edge towards the band `neighbor`, in twelfths
    /// of an octave.
    func steps(towards neighbor: Int) -> Int {
      guard centers.indices.contains(neighbor) else { return 4 }
      let distance = abs(CMath.binaryLogarithm(centers[neighbor] / centers[band]))
      return Int(max(12 * distance * 0.6, 4).rounded())
    }
    return (-steps(towards: band - 1)...steps(towards: band + 1)).map { step in
      LevelPlane.coupler.level(
        level, at: centers[band] * CMath.binaryPower(Double(step) / 12), in: .freeField)
    }.min() ?? level
  }

  /// Limits the slope of a gain curve so that the compression ratio is at most `maximumRatio`. The
  /// gain for average speech does not change.
  ///
  /// At output levels above 100 dB SPL, the gain is not higher than the gain of the rule. Therefore
  /// the compression ratio may exceed `maximumRatio` at output levels above 100 dB SPL.
  ///
  /// If `factor` is above 1, the steepest permitted slope above the level of average speech is
  /// multiplied by `factor`. Without this multiplication, the gain for loud sounds would increase
  /// by more than `factor`.
  private func ratioLimited(
    _ curve: PiecewiseLine, in band: Int, _ maximumRatio: Double, factor: Double
  ) -> PiecewiseLine {
    let anchor = PrescriptionBands.speechLevels[band]
    let steepest = 1 / maximumRatio - 1
    let x = Set(curve.x + [anchor]).sorted()
    let y = x.map(curve.value)
    var limited = y
    let start = x.firstIndex(of: anchor) ?? 0
    func change(_ index: Int, _ steepest: Double) -> Double {
      max(y[index + 1] - y[index], steepest * (x[index + 1] - x[index]))
    }
    for index in stride(from: start - 1, through: 0, by: -1) {
      limited[index] = limited[index + 1] - change(index, steepest)
    }
    for index in x.indices.dropFirst(start + 1) {
      limited[index] = limited[index - 1] + change(index - 1, steepest * max(factor, 1))
    }
    let range = LevelDependentEquation.presetLevelRange
    let ends = [range.lowerBound, range.upperBound]
    let levelAboveLimit = PiecewiseLine(x: ends, y: ends.map { $0 - Self.ratioLimitOutput })
    let cap = curve.scaled(by: -1).minimum(levelAboveLimit).scaled(by: -1)
    return PiecewiseLine(x: x, y: limited).minimum(cap)
      .minimum(.constant(EarPreset.gainRange.upperBound))
  }
}
