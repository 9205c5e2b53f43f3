#if canImport(HealthKit)
  public import HealthKit

  extension HearingProfile {
    /// Creates a profile from an audiogram sample of HealthKit.
    ///
    ///     let profile = try HearingProfile(sample)
    ///
    /// Each sensitivity point contains a threshold for every measured ear. Since iOS 18.1, a test
    /// also records whether the other ear was masked. A test may also contain a clamping range,
    /// which is a lower and an upper bound for the threshold. The threshold is limited to the
    /// clamping range. If the threshold is at or beyond a limit of the clamping range, the flag
    /// ``Audiogram/Point/isClamped`` is set. Before iOS 18.1, only the sensitivity of each ear is
    /// read. Bone conduction is ignored. The audiogram of an ear without values is nil.
    ///
    /// The app needs the HealthKit entitlement, the key `NSHealthShareUsageDescription` in the
    /// `Info.plist` of the app, and the user's permission to read
    /// `HKObjectType.audiogramSampleType()`. Without the user's permission, a query returns no
    /// samples.
    ///
    /// - Throws: ``Audiogram/Invalid`` if a threshold or a frequency is out of range.
    public init(_ sample: HKAudiogramSample) throws(Audiogram.Invalid) {
      var points: [Ear: [Audiogram.Point]] = [:]
      for point in sample.sensitivityPoints {
        for ear in Ear.allCases {
          if let point = Self.point(point, ear) { points[ear, default: []].append(point) }
        }
      }
      self.init(
        left: try points[.left].map(Audiogram.init(importing:)),
        right: try points[.right].map(Audiogram.init(importing:)), measuredAt: sample.startDate)
    }

    private static func point(
      _ point: HKAudiogramSensitivityPoint, _ ear: Ear
    ) -> Audiogram.Point? {
      let frequency = point.frequency.doubleValue(for: .hertz())
      if #available(iOS 18.1, macOS 15.1, watchOS 11.1, visionOS 2.1, *) {
        let side: HKAudiogramSensitivityTestSide = ear == .left ? .left : .right
        guard let test = point.tests.first(where: { $0.side == side && $0.type == .air }) else {
          return nil
        }
        let threshold = test.sensitivity.doubleValue(for: .decibelHearingLevel())
        let lower = test.clampingRange?.lowerBound?.doubleValue(for: .decibelHearingLevel())
        let upper = test.clampingRange?.upperBound?.doubleValue(for: .decibelHearingLevel())
        let range = (lower ?? -.infinity)...max(lower ?? -.infinity, upper ?? .infinity)
        return Audiogram.Point(
          frequency: frequency, threshold: threshold, isMasked: test.masked
        ).limited(to: range)
      }
      let sensitivity = ear == .left ? point.leftEarSensitivity : point.rightEarSensitivity
      return sensitivity.map {
        Audiogram.Point(
          frequency: frequency, threshold: $0.doubleValue(for: .decibelHearingLevel()))
      }
    }
  }
#endif
