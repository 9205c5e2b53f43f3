import Foundation

/// The cases of the corpus for the processor.
enum ProcessorCases {
  private static let rates: [Double] = [8_000, 16_000, 32_000, 44_100, 48_000, 96_000, 192_000]

  static var all: [ProcessorCase] {
    grid + blockSizes + limiters + automation + toggles + broken + recovery + anything
  }

  /// Every layout, sample rate and number of channels, with linear and with compressing gains.
  private static var grid: [ProcessorCase] {
    var cases: [ProcessorCase] = []
    for (name, layout) in layouts {
      for rate in rates {
        for channels in 1...8 {
          for chain in [SettingsPlan.Chain.linear, .compressing] {
            cases.append(
              ProcessorCase(
                name: "grid/\(name)/\(Int(rate))/\(channels)/\(chain)",
                plan: .init(sampleRate: rate, channelCount: channels, layout: layout),
                chain: chain, entry: .both, changeInterval: 0.08, changes: [.gains]))
          }
        }
      }
    }
    return cases
  }

  /// Every block size, with all kinds of changes.
  private static var blockSizes: [ProcessorCase] {
    let sizes = [
      1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 160,
      240, 255, 256, 257, 441, 480, 512, 1_000, 1_024, 2_048, 4_096, 8_192,
    ]
    var cases: [ProcessorCase] = []
    for size in sizes {
      for chain in [SettingsPlan.Chain.linear, .compressing] {
        for limiter in [limiterPlans[0], limiterPlans[5]] {
          for entry in [ProcessorCase.Entry.planar, .interleaved] {
            cases.append(
              ProcessorCase(
                name: "blocks/\(size)/\(chain)/\(limiter.name)/\(entry)",
                plan: .init(
                  sampleRate: 48_000, channelCount: 2, layout: .audiometric,
                  lookAhead: limiter.lookAhead, isLinked: limiter.isLinked),
                chain: chain, blocks: .fixed(size), seconds: 0.5, entry: entry,
                changeInterval: 0.05))
          }
        }
      }
    }
    return cases
  }

  /// Every kind of limiter with loud sound, followed by quiet sound until the limiter has
  /// recovered.
  private static var limiters: [ProcessorCase] {
    var cases: [ProcessorCase] = []
    for limiter in limiterPlans {
      for rate in [8_000.0, 44_100, 96_000] {
        for channels in [1, 2, 3, 5, 8] {
          for chain in [SettingsPlan.Chain.linear, .compressing] {
            cases.append(
              ProcessorCase(
                name: "limiter/\(limiter.name)/\(Int(rate))/\(channels)/\(chain)",
                plan: .init(
                  sampleRate: rate, channelCount: channels, layout: .octave,
                  lookAhead: limiter.lookAhead, isLinked: limiter.isLinked),
                chain: chain, seconds: 2.5, entry: .both, programme: .bursts, ceiling: 85,
                changeInterval: channels == 5 ? 0.2 : nil, changes: [.ceiling, .enabled]))
          }
        }
      }
    }
    return cases
  }

  /// New settings before every block.
  private static var automation: [ProcessorCase] {
    var cases: [ProcessorCase] = []
    for size in [16, 50, 64, 256, 1_024, 2_048] {
      for chain in SettingsPlan.Chain.allCases {
        for change in [SettingsPlan.Change.gains, .intensity, .ceiling, .linking] {
          cases.append(
            ProcessorCase(
              name: "automation/\(size)/\(chain)/\(change)",
              plan: .init(sampleRate: 48_000, channelCount: 2, layout: .audiometric),
              chain: chain, blocks: .fixed(size), seconds: 0.4, programme: .speech,
              changeInterval: Double(size) / 48_000, changes: [change]))
        }
      }
    }
    return cases
  }

  /// Processing is switched on and off and ceilings change in quick succession, with and without
  /// look-ahead.
  private static var toggles: [ProcessorCase] {
    var cases: [ProcessorCase] = []
    for limiter in limiterPlans {
      for chain in SettingsPlan.Chain.allCases {
        for interval in [0.002, 0.008, 0.03] {
          for entry in [ProcessorCase.Entry.planar, .interleaved] {
            cases.append(
              ProcessorCase(
                name: "toggles/\(limiter.name)/\(chain)/\(interval)/\(entry)",
                plan: .init(
                  sampleRate: 32_000, channelCount: 3, layout: .audiometric,
                  lookAhead: limiter.lookAhead, isLinked: limiter.isLinked),
                chain: chain, blocks: .mixed(1_024), seconds: 0.4, entry: entry, ceiling: 80,
                changeInterval: interval, changes: [.enabled, .enabled, .ceiling, .gains]))
          }
        }
      }
    }
    return cases
  }

  /// Invalid and extreme samples.
  private static var broken: [ProcessorCase] {
    var cases: [ProcessorCase] = []
    for limiter in limiterPlans {
      for chain in SettingsPlan.Chain.allCases {
        for channels in [1, 2, 3, 8] {
          cases.append(
            ProcessorCase(
              name: "broken/\(limiter.name)/\(chain)/\(channels)",
              plan: .init(
                sampleRate: 16_000, channelCount: channels, layout: .audiometric,
                lookAhead: limiter.lookAhead, isLinked: limiter.isLinked),
              chain: chain, blocks: .mixed(512), seconds: 0.6, entry: .both,
              changeInterval: 0.1, changes: [.enabled, .gains, .linking], breakInterval: 0.02))
        }
      }
    }
    return cases
  }

  /// Sound is followed by a long silence without changes of settings. During the silence, filters
  /// ring out, and limiters and levels recover.
  private static var recovery: [ProcessorCase] {
    var cases: [ProcessorCase] = []
    for (name, layout) in layouts {
      for rate in rates {
        for chain in SettingsPlan.Chain.allCases {
          cases.append(
            ProcessorCase(
              name: "recovery/\(name)/\(Int(rate))/\(chain)",
              plan: .init(sampleRate: rate, channelCount: 2, layout: layout), chain: chain,
              blocks: .mixed(4_096), seconds: 3, programme: .bursts, ceiling: 90, resets: true,
              isCommonSound: chain == .linear))
        }
      }
    }
    return cases
  }

  /// Cases in which all properties are random.
  private static var anything: [ProcessorCase] {
    (0..<1_500).map { number in
      var generator = SeededGenerator(name: "anything \(number)")
      let rate = generator.pick(rates)
      let channels = generator.integer(1...8)
      let limiter = generator.pick(limiterPlans)
      let (layoutName, layout) =
        generator.chance(0.3) ? generator.pick(layouts) : randomLayout(&generator, rate)
      let chain = generator.pick(SettingsPlan.Chain.allCases)
      let size = generator.pick([1, 16, 64, 300, 1_024, 8_192])
      return ProcessorCase(
        name:
          "anything/\(number)/\(Int(rate))/\(channels)/\(layoutName)/\(chain)/\(limiter.name)/\(size)",
        plan: .init(
          sampleRate: rate, channelCount: channels, layout: layout, lookAhead: limiter.lookAhead,
          isLinked: limiter.isLinked),
        chain: chain, blocks: .mixed(size), seconds: generator.logarithmic(0.05, 0.8),
        entry: generator.pick(ProcessorCase.Entry.allCases),
        programme: generator.chance(0.8) ? .everything : .bursts,
        ceiling: generator.number(70, 130), changeInterval: generator.logarithmic(0.003, 0.3),
        breakInterval: generator.chance(0.2) ? generator.logarithmic(0.01, 0.2) : nil,
        resets: generator.chance(0.3), isCommonSound: generator.chance(0.2))
    }
  }

  private static let layouts: [(String, ProcessorUnderTest.Layout)] = [
    ("audiometric", .audiometric), ("octave", .octave), ("thirdOctave", .thirdOctave),
    ("bands1", .custom([1_000])), ("bands4", .custom([400, 900, 1_800, 3_300])),
    ("bands32", .custom((0..<32).map { 110 * pow(2, 4.8 * Double($0) / 31) })),
  ]

  private static func randomLayout(
    _ generator: inout SeededGenerator, _ rate: Double
  ) -> (String, ProcessorUnderTest.Layout) {
    let count = generator.integer(1...32)
    let low = generator.logarithmic(40, 400)
    let high = generator.number(0.2, 0.44) * min(rate, 44_100)
    let centers = (0..<count).map {
      low * pow(high / low, (Double($0) + generator.number(0, 0.5)) / Double(count))
    }
    return ("random\(count)", .custom(centers))
  }

  private struct LimiterPlan {
    var name: String
    var lookAhead = 0.0
    var isLinked = false
  }

  private static let limiterPlans = [
    LimiterPlan(name: "plain"), LimiterPlan(name: "linked", isLinked: true),
    LimiterPlan(name: "look0.2ms", lookAhead: 0.000_2),
    LimiterPlan(name: "look2ms", lookAhead: 0.002),
    LimiterPlan(name: "look10ms", lookAhead: 0.01),
    LimiterPlan(name: "look2ms-linked", lookAhead: 0.002, isLinked: true),
    LimiterPlan(name: "look10ms-linked", lookAhead: 0.01, isLinked: true),
  ]
}
