import HearingFitting

/// The properties of a test that a procedure needs.
struct SearchPlan: Sendable, Hashable {
  /// The test frequencies in Hz, in rising order.
  let frequencies: [Double]
  /// The maximum level in whole dB HL at each frequency.
  let limits: [Int]
  /// The ears, in the order of the test.
  let ears: [Ear]
  /// Whether noise may be played to the other ear.
  let isMaskingAvailable: Bool
  let masking: MaskingRule

  /// The minimum level presented, in dB HL.
  static let softestLevel = -10
  /// The maximum level of the first tone at a frequency, in dB HL.
  static let firstLevelLimit = 50
  /// The maximum step up in dB from the previous tone at the same ear and frequency.
  static let largestStep = 20

  /// The index of 1 kHz among the frequencies, or of the nearest frequency.
  var middleIndex: Int {
    let distances = frequencies.map { abs(CMath.binaryLogarithm($0 / 1000)) }
    return distances.indices.min { distances[$0] < distances[$1] } ?? 0
  }

  /// The indices of the frequencies in the order of ISO 8253-1: upwards from 1 kHz, then downwards
  /// below 1 kHz.
  var clinicalOrder: [Int] {
    let middle = middleIndex
    return Array(middle..<frequencies.count) + Array((0..<middle).reversed())
  }
}

/// The last level at each ear and frequency, which limits the next level.
struct LevelHistory: Sendable {
  private var last: [Ear: [Int: Int]] = [:]

  mutating func note(_ answer: ToneAnswer) {
    last[answer.ear, default: [:]][answer.index] = answer.level
  }

  /// The maximum level allowed next, in dB HL.
  func cap(_ ear: Ear, _ index: Int, in plan: SearchPlan) -> Int {
    let reachable = last[ear]?[index].map { $0 + SearchPlan.largestStep }
    return min(plan.limits[index], reachable ?? SearchPlan.firstLevelLimit)
  }
}
