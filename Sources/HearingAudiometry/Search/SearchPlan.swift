import HearingFitting

/// The test settings that a search procedure needs.
struct SearchPlan: Sendable, Hashable {
  /// The test frequencies in Hz, in rising order.
  let frequencies: [Double]
  /// The maximum level in whole dB HL at each frequency.
  let limits: [Int]
  /// The ears, in the order of the test.
  let ears: [Ear]
  /// Whether masking noise may be played to the ear that is not tested.
  let isMaskingAvailable: Bool
  let masking: MaskingRule

  /// The minimum level of a tone in dB HL.
  static let softestLevel = -10
  /// The maximum level in dB HL of the first tone at a frequency.
  static let firstLevelLimit = 50
  /// The maximum increase of the level in dB from one tone to the next tone at the same ear and
  /// frequency.
  static let largestStep = 20

  /// The assumed thresholds in dB HL of an ear that is not tested; nil if the ear is tested. The
  /// ear that is not tested may have very good hearing. Therefore the assumed thresholds are very
  /// low.
  func assumedLowerBound(of ear: Ear) -> Double? {
    ears.contains(ear) ? nil : Double(Self.softestLevel)
  }

  /// The index of the frequency that is nearest to 1 kHz.
  var middleIndex: Int {
    let distances = frequencies.map { abs(CMath.binaryLogarithm($0 / 1000)) }
    return distances.indices.min { distances[$0] < distances[$1] } ?? 0
  }

  /// The indices of the frequencies in the order of ISO 8253-1. The order begins with 1 kHz and the
  /// higher frequencies in rising order. The lower frequencies follow in falling order.
  var clinicalOrder: [Int] {
    let middle = middleIndex
    return Array(middle..<frequencies.count) + Array((0..<middle).reversed())
  }
}

/// The level of the last tone at each ear and frequency. This level limits the level of the next
/// tone at the same ear and frequency.
struct LevelHistory: Sendable {
  private var last: [Ear: [Int: Int]] = [:]

  mutating func note(_ answer: ToneAnswer) {
    last[answer.ear, default: [:]][answer.index] = answer.level
  }

  /// The maximum level in dB HL of the next tone at an ear and a frequency.
  func cap(_ ear: Ear, _ index: Int, in plan: SearchPlan) -> Int {
    let reachable = last[ear]?[index].map { $0 + SearchPlan.largestStep }
    return min(plan.limits[index], reachable ?? SearchPlan.firstLevelLimit)
  }
}
