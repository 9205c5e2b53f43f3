import HearingFitting

/// What an audiologist would read off a profile at a glance.
struct Findings: Sendable, Equatable {
  /// The frequencies in Hz of the pure-tone average.
  static let averageFrequencies: [Double] = [500, 1000, 2000, 4000]

  /// Between the ears, in dB: from here on a professional should look for the cause.
  private static let notableAsymmetry = 15.0

  let profile: HearingProfile

  init(_ profile: HearingProfile) {
    self.profile = profile
  }

  /// The mean threshold in dB HL at 0.5, 1, 2 and 4 kHz; nil: unknown ear.
  func pureToneAverage(of ear: Ear) -> Double? {
    profile[ear].map { audiogram in
      Self.averageFrequencies.map(audiogram.threshold(at:)).reduce(0, +)
        / Double(Self.averageFrequencies.count)
    }
  }

  /// The grade of the better ear, or of the only one known; nil: none is.
  var grade: GradeBand? {
    Ear.allCases.compactMap(pureToneAverage(of:)).min().map(GradeBand.init(meanThreshold:))
  }

  /// By how many dB the ears' averages differ; nil: an ear is unknown.
  var asymmetry: Double? {
    guard let left = pureToneAverage(of: .left), let right = pureToneAverage(of: .right) else {
      return nil
    }
    return abs(left - right)
  }

  var isAsymmetric: Bool { (asymmetry ?? 0) >= Self.notableAsymmetry }

  var isEstimate: Bool { profile.method == .estimate }

  var unknownEars: [Ear] { Ear.allCases.filter { profile[$0] == nil } }

  /// Ears that were not measured at all of the frequencies of the average.
  var incompleteEars: [Ear] {
    Ear.allCases.filter { ear in
      guard let points = profile[ear]?.points else { return false }
      return !Self.averageFrequencies.allSatisfy { frequency in
        points.contains { $0.frequency == frequency }
      }
    }
  }

  func hasPoint(where isNotable: (Audiogram.Point) -> Bool) -> Bool {
    Ear.allCases.contains { profile[$0]?.points.contains(where: isNotable) ?? false }
  }
}
