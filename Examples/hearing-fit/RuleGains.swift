import Foundation
import HearingFitting

/// The gains that a prescription rule computes, as JSON. A preset also contains limits and
/// expansion; these gains do not.
struct RuleGains: Encodable {
  /// One ear's gains.
  struct EarGains: Encodable {
    let frequencies: [Double]
    let inputLevels: [Double]
    /// The gains in dB. The first index is the input level, the second index is the frequency.
    let gains: [[Double]]
  }

  static let frequencies: [Double] = [
    250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]
  static let inputLevels: [Double] = [50, 65, 80]

  let rule: PrescriptionRule
  let profile: HearingProfile

  private enum Key: String, CodingKey {
    case rule
    case levelReference
    case left
    case right
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(rule, forKey: .rule)
    try container.encode(rule.levelReference, forKey: .levelReference)
    // If an ear is unknown, its field is written as null.
    try container.encode(gains(of: .left), forKey: .left)
    try container.encode(gains(of: .right), forKey: .right)
  }

  /// The gains of one ear; nil if the ear is unknown.
  func gains(of ear: Ear) -> EarGains? {
    profile[ear].map { audiogram in
      let gains = Self.inputLevels.map { level in
        Self.frequencies.map { frequency in
          let gain = rule.insertionGain(for: audiogram, at: frequency, inputLevel: level)
          return (gain * 1e6).rounded() / 1e6
        }
      }
      return EarGains(
        frequencies: Self.frequencies, inputLevels: Self.inputLevels, gains: gains)
    }
  }

  /// The JSON document on one line.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("JSON cannot represent the gains of \(rule.name): \(error)")
    }
  }
}
