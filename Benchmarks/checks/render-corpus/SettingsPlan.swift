/// Settings of a processor as plain numbers, with random changes of these settings.
struct SettingsPlan {
  struct Curve {
    /// The levels in dB SPL and their gains in dB. A single point is a fixed gain.
    var points: [(level: Double, gain: Double)]
    var attackTime = 0.005
    var releaseTime = 0.1
    var maximumOutput: Double?
  }

  /// Whether the gains are fixed, depend on the level, or both.
  enum Chain: String, CaseIterable {
    case linear, compressing, mixed
  }

  enum Change: CaseIterable {
    case gains, chain, enabled, intensity, ceiling, linking, maximumOutput, calibration
  }

  var curves: [[Curve]]
  var ceilings: [Double]
  var intensity = 1.0
  var isEnabled = true
  var channelLinking = 0.0
  var fullScale = 100.0

  init(
    _ chain: Chain, channelCount: Int, bandCount: Int, ceiling: Double = 105,
    _ generator: inout SeededGenerator
  ) {
    ceilings = Array(repeating: ceiling, count: channelCount)
    curves = Self.curves(chain, channelCount, bandCount, &generator)
  }

  mutating func make(_ change: Change, chain: Chain, _ generator: inout SeededGenerator) {
    let channelCount = curves.count
    switch change {
    case .gains:
      curves = Self.curves(chain, channelCount, curves[0].count, &generator)
    case .chain:
      let other = generator.pick(Chain.allCases)
      curves = Self.curves(other, channelCount, curves[0].count, &generator)
    case .enabled:
      isEnabled.toggle()
    case .intensity:
      intensity = generator.pick([0, 1, generator.number(0, 1)])
    case .ceiling:
      let common = generator.number(65, 130)
      let isCommon = generator.chance(0.5)
      for channel in ceilings.indices {
        ceilings[channel] = isCommon ? common : generator.number(65, 130)
      }
    case .linking:
      channelLinking = generator.pick([0, 1, generator.number(0, 1)])
    case .maximumOutput:
      for channel in curves.indices {
        for band in curves[channel].indices {
          curves[channel][band].maximumOutput =
            generator.chance(0.5) ? generator.number(50, 120) : nil
        }
      }
    case .calibration:
      fullScale = generator.number(80, 130)
    }
  }

  private static func curves(
    _ chain: Chain, _ channelCount: Int, _ bandCount: Int, _ generator: inout SeededGenerator
  ) -> [[Curve]] {
    var result: [[Curve]] = []
    let isCommon = generator.chance(0.3)
    for channel in 0..<channelCount {
      if isCommon, channel > 0 {
        result.append(result[0])
        continue
      }
      let compresses =
        switch chain {
        case .linear: false
        case .compressing: true
        case .mixed: generator.chance(0.5)
        }
      result.append(
        compresses ? compressing(bandCount, &generator) : linear(bandCount, &generator))
    }
    return result
  }

  private static func linear(_ bandCount: Int, _ generator: inout SeededGenerator) -> [Curve] {
    let kind = generator.integer(0...9)
    let (start, end) = (generator.number(-5, 20), generator.number(0, 40))
    return (0..<bandCount).map { band in
      let gain: Double =
        switch kind {
        case 0, 1: 0
        case 2: generator.number(-20, 20)
        case 3: generator.number(-80, 80)
        default: start + (end - start) * Double(band) / Double(bandCount)
        }
      return Curve(points: [(level: 0, gain: gain)])
    }
  }

  private static func compressing(
    _ bandCount: Int, _ generator: inout SeededGenerator
  ) -> [Curve] {
    let attack = generator.pick([0, 0.001, 0.005, generator.number(0, 0.05)])
    let release = generator.pick([0, 0.05, 0.1, generator.number(0, 1)])
    let isSteep = generator.chance(0.1)
    return (0..<bandCount).map { _ in
      var level = generator.number(0, 40)
      var gain = generator.number(10, 40)
      var points: [(level: Double, gain: Double)] = []
      for _ in 0..<generator.integer(2...6) {
        points.append((level, gain))
        level += generator.number(3, 30)
        gain += isSteep ? generator.number(-30, 20) : generator.number(-15, 2)
        gain = max(-80, min(80, gain))
      }
      let maximum = generator.chance(0.2) ? generator.number(60, 115) : nil
      return Curve(
        points: points, attackTime: attack, releaseTime: release, maximumOutput: maximum)
    }
  }
}
