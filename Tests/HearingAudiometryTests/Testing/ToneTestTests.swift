import Foundation
import HearingAudiometry
import HearingFitting
import TestSupport
import XCTest

final class ToneTestTests: XCTestCase {
  private let calibration = HeadphoneCalibration.uncalibrated(fullScaleLevel: 120)
  private let methods: [ToneTestMethod] = [.hughsonWestlake, .modifiedHughsonWestlake, .bayesian]
  private let few: [Double] = [500, 1000, 2000, 4000]

  /// The number of repetitions of a test with random input. Optimised builds use `long`, and debug
  /// builds use `short`.
  private func rounds(_ short: Int, _ long: Int) -> Int {
    #if DEBUG
      return short
    #else
      return long
    #endif
  }

  private func makeTest(
    _ method: ToneTestMethod, frequencies: [Double]? = nil, seed: UInt64 = 5, masks: Bool = true
  ) throws -> ToneTest {
    try ToneTest(
      method: method, frequencies: frequencies ?? few, calibration: calibration,
      isMaskingAvailable: masks, seed: seed)
  }

  /// Answers all presentations until the tone test ends. Returns these presentations.
  @discardableResult
  private func finish(
    _ test: inout ToneTest, _ answer: (Presentation) -> (ToneResponse, Duration?)
  ) throws -> [Presentation] {
    var presentations: [Presentation] = []
    while true {
      switch test.next {
      case .present(let presentation):
        presentations.append(presentation)
        let (response, delay) = answer(presentation)
        try test.answer(response, after: delay)
      case .pause: test.resume()
      case .finished: return presentations
      }
    }
  }

  private func flat(_ threshold: Double) throws -> Audiogram {
    try Audiogram([125: threshold, 8000: threshold])
  }

  // MARK: Safety

  func test_levels_forAnyAnswers_stayWithinTheLimit_andRiseByAtMost20dB() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for method in methods {
      for fraction in [0.0, 0.1, 0.5, 0.9, 1] {
        var test = try makeTest(method, seed: random.next())
        var last: [Ear: [Double: Double]] = [:]
        let presentations = try finish(&test) { _ in
          (Double.random(in: 0..<1, using: &random) < fraction ? .heard : .notHeard, nil)
        }
        for presentation in presentations where !presentation.isSilent {
          let limit = try XCTUnwrap(calibration.largestLevel(at: presentation.frequency))
          XCTAssertLessThanOrEqual(presentation.level, limit)
          XCTAssertLessThanOrEqual(presentation.maskingLevel ?? 0, limit)
          if let before = last[presentation.ear]?[presentation.frequency] {
            XCTAssertLessThanOrEqual(presentation.level, before + 20)
          } else {
            XCTAssertLessThanOrEqual(presentation.level, 50)
          }
          last[presentation.ear, default: [:]][presentation.frequency] = presentation.level
        }
      }
    }
  }

  func test_waitingTimes_areRandom_andNoShorterThanTheTone() throws {
    var test = try makeTest(.hughsonWestlake)
    let presentations = try finish(&test) {
      (!$0.isSilent && $0.level >= 30 ? .heard : .notHeard, nil)
    }
    for presentation in presentations {
      XCTAssertGreaterThanOrEqual(presentation.wait, presentation.tone.duration)
    }
    XCTAssertGreaterThan(Set(presentations.map(\.wait)).count, presentations.count / 2)
    let silent = presentations.count(where: \.isSilent)
    XCTAssertTrue((1...presentations.count / 5).contains(silent), "\(silent)")
  }

  // MARK: Results

  func test_result_ofAListenerWithoutErrors_isCloseToTheirThresholds() throws {
    for method in methods {
      var test = try makeTest(method)
      try finish(&test) { presentation in
        let threshold = presentation.ear == .left ? 35.0 : 20.0
        return (!presentation.isSilent && presentation.level >= threshold ? .heard : .notHeard, nil)
      }
      guard case .finished(let profile) = test.next else { return XCTFail("not finished") }
      for frequency in few {
        XCTAssertEqual(try XCTUnwrap(profile.left).threshold(at: frequency), 35, accuracy: 5.5)
        XCTAssertEqual(try XCTUnwrap(profile.right).threshold(at: frequency), 20, accuracy: 5.5)
      }
      XCTAssertTrue(test.reliability.isReliable)
      XCTAssertEqual(profile.method, .selfTest)
      let record = try XCTUnwrap(profile.record)
      XCTAssertEqual(record.procedure, method.name)
      XCTAssertEqual(record.notes, [.uncalibrated])
      XCTAssertEqual(record.thresholds.count, 8)
      XCTAssertFalse(record.repeats.isEmpty)
    }
  }

  func test_earWithoutResponseAtSafeLevels_isTestedWithMasking_andRecordedAsNoResponse() throws {
    for method in methods {
      var test = try makeTest(method)
      var listener = SimulatedListener(
        profile: HearingProfile(left: try flat(115), right: try flat(10)), spread: 2,
        falseAlarms: 0, lapses: 0, interauralAttenuation: 50, seed: 3)
      try finish(&test) { listener.respond(to: $0) }
      for estimate in test.estimate {
        XCTAssertEqual(estimate.isNoResponse, estimate.ear == .left, "\(method) \(estimate)")
        XCTAssertEqual(estimate.isMasked, estimate.ear == .left)
        XCTAssertFalse(estimate.needsMasking)
      }
    }
  }

  func test_worseEarTestedFirst_isMeasuredAgainWithMasking() throws {
    for method in methods {
      var test = try makeTest(method)
      // The right ear is deaf and is tested first. The left ear hears the tones of the right ear
      // (cross-hearing).
      var listener = SimulatedListener(
        profile: HearingProfile(left: try flat(5), right: try flat(115)), spread: 2,
        falseAlarms: 0, lapses: 0, interauralAttenuation: 50, seed: 4)
      var presentations: [Presentation] = []
      while true {
        if case .finished = test.next { break }
        // During the test, the profile contains no threshold that still needs a measurement with
        // masking.
        XCTAssertEqual(test.profile.record?.notes.contains(.maskingMissing), false, "\(method)")
        guard case .present(let presentation) = test.next else {
          test.resume()
          continue
        }
        presentations.append(presentation)
        let (response, delay) = listener.respond(to: presentation)
        try test.answer(response, after: delay)
      }
      XCTAssertTrue(presentations.contains { $0.ear == .right && $0.maskingLevel != nil })
      for estimate in test.estimate where estimate.ear == .right {
        XCTAssertTrue(estimate.isNoResponse, "\(method) \(estimate)")
      }
      let profile = test.profile
      XCTAssertTrue(try XCTUnwrap(profile.right).points.allSatisfy(\.isMasked))
      XCTAssertFalse(try XCTUnwrap(profile.record).notes.contains(.maskingMissing))
      // The repeated measurement without masking measured the other ear. Therefore the record does
      // not contain it.
      if method != .bayesian { XCTAssertEqual(profile.record?.repeats, [], "\(method)") }
    }
  }

  func test_lowInterauralAttenuation_neverNeedsMaskingNoiseAboveFullScale() throws {
    let calibration = try HeadphoneCalibration(
      name: "X", referenceThresholds: .hda200, fullScaleLevels: [1000: 90.5, 4000: 90],
      interauralAttenuation: 20)
    for method in methods {
      var test = try ToneTest(
        method: method, frequencies: calibration.frequencies, calibration: calibration,
        ears: [.left], seed: 5)
      var loudest: [Double: Presentation] = [:]
      for presentation in try finish(&test, { _ in (.notHeard, nil) }) {
        let level = presentation.maskingLevel ?? -100
        if level > loudest[presentation.frequency]?.maskingLevel ?? 60 {
          loudest[presentation.frequency] = presentation
        }
      }
      XCTAssertEqual(loudest.count, 2, "\(method)")
      for presentation in loudest.values {
        XCTAssertNoThrow(
          try PresentationSound(presentation, calibration: calibration, sampleRate: 48_000),
          "\(method)")
      }
    }
  }

  func test_withoutMasking_theRecordStatesThatMaskingIsMissing() throws {
    for method in methods {
      var test = try makeTest(method, masks: false)
      var listener = SimulatedListener(
        profile: HearingProfile(left: try flat(5), right: try flat(115)), spread: 2,
        falseAlarms: 0, lapses: 0, interauralAttenuation: 50, seed: 4)
      let presentations = try finish(&test) { listener.respond(to: $0) }
      XCTAssertTrue(presentations.allSatisfy { $0.maskingLevel == nil })
      XCTAssertTrue(try XCTUnwrap(test.profile.record).notes.contains(.maskingMissing))
    }
  }

  func test_deafEarTestedAlone_isTestedWithMasking_orTheRecordStatesThatMaskingIsMissing() throws {
    for method in methods {
      for masks in [true, false] {
        var test = try ToneTest(
          method: method, frequencies: few, calibration: calibration, ears: [.left],
          isMaskingAvailable: masks, seed: 5)
        var listener = SimulatedListener(
          profile: HearingProfile(left: try flat(115), right: try flat(0)), spread: 2,
          falseAlarms: 0, lapses: 0, interauralAttenuation: 50, seed: 4)
        try finish(&test) { listener.respond(to: $0) }
        let notes = try XCTUnwrap(test.profile.record).notes
        XCTAssertEqual(notes.contains(.maskingMissing), !masks, "\(method)")
        for estimate in test.estimate {
          XCTAssertEqual(estimate.isNoResponse, masks, "\(method) \(estimate)")
          XCTAssertEqual(estimate.isMasked, masks)
          XCTAssertEqual(estimate.needsMasking, !masks)
        }
      }
    }
  }

  func test_profileBeforeTheEnd_hasOnlyMeasuredThresholds_andIsNotedAsUnfinished() throws {
    for method in methods {
      var test = try makeTest(method)
      var measured = 0
      while true {
        if case .finished = test.next { break }
        let profile = test.profile
        XCTAssertEqual(profile.record?.notes.contains(.unfinished), true)
        XCTAssertEqual(profile.record?.isReliable, false)
        XCTAssertFalse(test.reliability.isReliable)
        measured = (profile.left?.points.count ?? 0) + (profile.right?.points.count ?? 0)
        XCTAssertEqual(profile.record?.thresholds.count, measured)
        if test.trials.count < 5 { XCTAssertLessThan(measured, 2, "\(method)") }
        if case .present(let tone) = test.next {
          try test.answer(!tone.isSilent && tone.level >= 30 ? .heard : .notHeard)
        } else {
          test.resume()
        }
      }
      XCTAssertGreaterThan(measured, 5)
      XCTAssertEqual(test.profile.record?.thresholds.count, 2 * few.count)
      XCTAssertEqual(test.profile.record?.notes, [.uncalibrated])
    }
  }

  func test_knownAge_ofAListenerWhoHearsBetterThanTypical_stillFindsTheThresholds() throws {
    let listener = try AgeRelatedHearing(age: 75, sex: .male)
    var test = try ToneTest(
      method: .bayesian, frequencies: few, calibration: calibration, listener: listener, seed: 1)
    try finish(&test) { (!$0.isSilent && $0.level >= 15 ? .heard : .notHeard, nil) }
    for estimate in test.estimate { XCTAssertEqual(estimate.threshold, 15, accuracy: 6) }
  }

  func test_ageOfTheListener_predictsHighFrequencyThresholds_afterOneToneAtALowFrequency() throws {
    let known = try AgeRelatedHearing(age: 75, sex: .male)
    let typical = known.audiogram.threshold(at: 4000)
    for (listener, isClose) in [(known, true), (nil, false)] {
      var test = try ToneTest(
        method: .bayesian, frequencies: few, calibration: calibration, listener: listener, seed: 1)
      guard case .present(let first) = test.next else { return XCTFail("no tone") }
      XCTAssertEqual(first.frequency, 1000)
      try test.answer(.heard)
      let estimate = try XCTUnwrap(
        test.estimate.first { $0.ear == first.ear && $0.frequency == 4000 })
      print("\(estimate.threshold) dB HL at 4 kHz; typical of the age: \(typical) dB HL")
      XCTAssertEqual(abs(estimate.threshold - typical) < 7, isClose)
      try finish(&test) {
        let threshold = known.audiogram.threshold(at: $0.frequency)
        return (!$0.isSilent && $0.level >= threshold ? .heard : .notHeard, nil)
      }
      for estimate in test.estimate {
        let threshold = known.audiogram.threshold(at: estimate.frequency)
        XCTAssertEqual(estimate.threshold, threshold, accuracy: 5)
      }
    }
  }

  // MARK: Reliability

  func test_pressesInSilence_areReportedAsFalseAlarms() throws {
    for method in methods {
      var test = try makeTest(method)
      var count = 0
      try finish(&test) { presentation in
        count += 1
        let isHeard = !presentation.isSilent && presentation.level >= 30
        return (ToneResponse(isHeard: isHeard, pressedInSilence: count.isMultiple(of: 4)), nil)
      }
      XCTAssertEqual(test.reliability.concerns, [.falseAlarms])
      XCTAssertFalse(try XCTUnwrap(test.profile.record).isReliable)
    }
  }

  func test_tooFastPress_countsAsAFalseAlarm_andTheToneIsRepeated() throws {
    var test = try makeTest(.hughsonWestlake)
    guard case .present(let first) = test.next else { return XCTFail("no tone") }
    try test.answer(.heard, after: .milliseconds(20))
    guard case .present(let second) = test.next else { return XCTFail("no tone") }
    XCTAssertEqual(first.level, second.level)
    XCTAssertEqual(first.frequency, second.frequency)
    XCTAssertEqual(test.reliability.falseAlarmCount, 1)
  }

  func test_pressAfterTheResponseWindow_isNotAResponse() throws {
    for delay in [Duration.seconds(4), .seconds(3600), .seconds(Int64.max)] {
      var (late, silent) = (try makeTest(.bayesian), try makeTest(.bayesian))
      try late.answer(.heard, after: delay)
      try silent.answer(.notHeard)
      XCTAssertTrue(late == silent, "\(delay)")
    }
    var test = try makeTest(.bayesian)
    try test.answer(.notHeard, after: .milliseconds(300))
    XCTAssertNil(try XCTUnwrap(test.trials.first).delay)
  }

  func test_listenerWhoAlwaysPresses_finishesTheTest_andFalseAlarmsAreReported() throws {
    for method in methods {
      var test = try makeTest(method, frequencies: ToneTest.standardFrequencies)
      try finish(&test) { _ in (ToneResponse(isHeard: true, pressedInSilence: true), nil) }
      XCTAssertTrue(test.reliability.concerns.contains(.falseAlarms))
    }
  }

  func test_listenerWhoNeverPresses_isReported_andHasNoResponseAtAnyFrequency() throws {
    for method in methods {
      var test = try makeTest(method)
      try finish(&test) { _ in (.notHeard, nil) }
      XCTAssertEqual(test.reliability.concerns, [.noResponses], "\(method)")
      XCTAssertEqual(test.reliability.repeats, [], "nothing was measured")
      XCTAssertEqual(test.profile.record?.repeats, [])
      XCTAssertTrue(test.estimate.allSatisfy(\.isNoResponse))
    }
  }

  func test_listenerWhoFallsAsleep_isReported() throws {
    for method in methods {
      for answered in [10, 25] {
        for seed in 1...5 as ClosedRange<UInt64> {
          var test = try makeTest(
            method, frequencies: ToneTest.standardFrequencies, seed: seed)
          var count = 0
          try finish(&test) { presentation in
            count += 1
            let isHeard = !presentation.isSilent && presentation.level >= 25
            return (isHeard && count <= answered ? .heard : .notHeard, nil)
          }
          XCTAssertFalse(test.reliability.isReliable, "\(method), \(answered) answers")
          XCTAssertFalse(try XCTUnwrap(test.profile.record).isReliable)
        }
      }
    }
  }

  func test_listenerWhoFallsAsleepInTheSecondEar_isReported() throws {
    for method in methods {
      for answered in [0, 12] {
        var test = try makeTest(method, frequencies: ToneTest.standardFrequencies)
        var count = 0
        try finish(&test) { presentation in
          if presentation.ear == .left { count += 1 }
          let isAsleep = count > answered
          let isHeard = !presentation.isSilent && presentation.level >= 25
          return (isHeard && !isAsleep ? .heard : .notHeard, nil)
        }
        XCTAssertFalse(test.reliability.isReliable, "\(method), \(answered) answers")
      }
    }
  }

  func test_listenerWhoSleepsDuringTheSecondEarOnly_isNotWokenByAPause_andIsReported() throws {
    for (method, pressesInSilence) in methods.flatMap({ [($0, false), ($0, true)] }) {
      var test = try makeTest(method, frequencies: ToneTest.standardFrequencies)
      var silences = 0
      var isAsleep = false
      var pauses = 0
      while true {
        switch test.next {
        case .present(let presentation):
          if presentation.ear == .left { isAsleep = true }
          if isAsleep && presentation.isSilent { silences += 1 }
          let isHeard =
            presentation.isSilent
            ? pressesInSilence && isAsleep && silences == 1 : presentation.level >= 25 && !isAsleep
          try test.answer(isHeard ? .heard : .notHeard)
          if test.trials.count.isMultiple(of: 10) {
            XCTAssertTrue(try ToneTest(json: test.jsonData()) == test)
          }
          continue
        case .pause:
          // After the announcement of the second ear, the listener falls asleep.
          isAsleep = false
          pauses += 1
          test.resume()
          continue
        case .finished: break
        }
        break
      }
      XCTAssertGreaterThan(silences, 0)
      XCTAssertEqual(pauses, 1, "\(method)")
      XCTAssertFalse(test.reliability.isReliable, "\(method)")
    }
  }

  func test_listenerWhoPressesRegardlessOfTheTones_isReported() throws {
    var random = SeededGenerator(seed: 99)
    let count = rounds(10, 100)
    for fraction in [0.2, 0.5, nil] {
      var (flagged, contradictory) = (0, 0)
      for _ in 0..<count {
        var test = try makeTest(
          .bayesian, frequencies: ToneTest.standardFrequencies, seed: random.next())
        var isHeard = false
        try finish(&test) { _ in
          isHeard = fraction.map { Double.random(in: 0..<1, using: &random) < $0 } ?? !isHeard
          return (isHeard ? .heard : .notHeard, nil)
        }
        let reliability = test.reliability
        if !reliability.isReliable { flagged += 1 }
        if reliability.concerns.contains(.contradictions) { contradictory += 1 }
      }
      XCTAssertGreaterThanOrEqual(flagged, count * 8 / 10, "\(fraction ?? .nan)")
      // Most of these listeners are also flagged because they press the button in trials without a
      // tone.
      XCTAssertGreaterThanOrEqual(contradictory, count * 6 / 10, "\(fraction ?? .nan)")
    }
  }

  func test_listenerWithThresholdsAtTheMinimumLevel_isNotReportedToIgnoreTheTones() throws {
    var flagged = 0
    for seed in 1...5 as ClosedRange<UInt64> {
      var test = try makeTest(.bayesian, frequencies: ToneTest.standardFrequencies, seed: seed)
      let ear = try flat(-10)
      var listener = SimulatedListener(
        profile: HearingProfile(left: ear, right: ear), falseAlarms: 0, lapses: 0, seed: seed)
      try finish(&test) { listener.respond(to: $0) }
      if test.reliability.concerns.contains(.contradictions) { flagged += 1 }
    }
    XCTAssertLessThanOrEqual(flagged, 1)
  }

  func test_listenerWhoHearsTonesAtOneFrequency_isRarelyReportedToIgnoreTheTones() throws {
    var flagged = 0
    for seed in 1...100 as ClosedRange<UInt64> {
      var test = try makeTest(.bayesian, frequencies: [1000], seed: seed)
      var listener = SimulatedListener(
        profile: HearingProfile(left: .n3, right: .n2), spread: 2, falseAlarms: 0, lapses: 0,
        seed: seed)
      try finish(&test) { listener.respond(to: $0) }
      if !test.reliability.isReliable { flagged += 1 }
    }
    XCTAssertLessThanOrEqual(flagged, 3)
  }

  func test_pressInACatchTrial_isFollowedByMoreCatchTrials() throws {
    var counts: [Int] = []
    for presses in [true, false] {
      var count = 0
      for seed in 1...20 as ClosedRange<UInt64> {
        var test = try makeTest(.bayesian, seed: seed)
        var following: Int?
        while following ?? 0 < 10, case .present(let presentation) = test.next {
          if let known = following {
            following = known + 1
            if presentation.isSilent { count += 1 }
          } else if presentation.isSilent {
            following = 0
          }
          let isHeard =
            presentation.isSilent ? presses && following == 0 : presentation.level >= 30
          try test.answer(isHeard ? .heard : .notHeard)
        }
      }
      counts.append(count)
    }
    XCTAssertGreaterThan(counts[0], 3 * counts[1], "\(counts)")
  }

  func test_listenersDeafInOneEarOrAtHighFrequencies_areRatedReliable() throws {
    let corner = try Audiogram([125: 50, 500: 55, 750: 110, 8000: 115])
    for method in methods {
      for (left, right) in [(try flat(118), try flat(10)), (corner, corner)] {
        var flagged = 0
        for seed in 1...5 as ClosedRange<UInt64> {
          var test = try makeTest(
            method, frequencies: ToneTest.standardFrequencies, seed: seed)
          var listener = SimulatedListener(
            profile: HearingProfile(left: left, right: right), falseAlarms: 0, lapses: 0,
            seed: seed)
          try finish(&test) { listener.respond(to: $0) }
          if !test.reliability.isReliable { flagged += 1 }
        }
        XCTAssertLessThanOrEqual(flagged, 1, "\(method)")
      }
    }
  }

  func test_pressesInCatchTrials_areReportedAsFalseAlarms() throws {
    for method in methods {
      var test = try makeTest(method, frequencies: ToneTest.standardFrequencies)
      try finish(&test) { ($0.isSilent || $0.level >= 30 ? .heard : .notHeard, nil) }
      XCTAssertEqual(test.reliability.concerns, [.falseAlarms], "\(method)")
    }
  }

  func test_fortyFrequencies_areAllMeasuredByTheFullAscendingMethod() throws {
    let frequencies = (0..<40).map { (125 * pow(64, Double($0) / 39)).rounded() }
    let levels = frequencies.map { ($0, 112.0) }
    let calibration = try HeadphoneCalibration(
      json: Data(
        ("{\"format\": \"hearing-calibration\", \"version\": 1, \"name\": \"X\", \"points\": ["
          + levels.map {
            "{\"frequency\": \($0.0), \"fullScaleLevel\": \($0.1), \"referenceThreshold\": 10}"
          }.joined(separator: ", ") + "]}").utf8))
    var test = try ToneTest(
      method: .hughsonWestlake, frequencies: frequencies, calibration: calibration, seed: 1)
    var listener = SimulatedListener(profile: HearingProfile(left: .n3, right: .n2), seed: 3)
    try finish(&test) { listener.respond(to: $0) }
    for ear in Ear.allCases {
      XCTAssertEqual(test.estimate.count { $0.ear == ear }, frequencies.count)
    }
    print("\(test.trials.count) answers")
    XCTAssertTrue(test.reliability.isReliable)
  }

  // MARK: Pauses

  func test_betweenEars_theTestPausesOnce() throws {
    var test = try makeTest(.modifiedHughsonWestlake)
    var ears: [Ear] = []
    var rests = 0
    while true {
      switch test.next {
      case .present(let presentation):
        if ears.last != presentation.ear { ears.append(presentation.ear) }
        try test.answer(presentation.level >= 20 ? .heard : .notHeard)
      case .pause:
        XCTAssertEqual(test.pauseReason, .otherEar)
        XCTAssertThrowsError(try test.answer(.heard)) {
          XCTAssertEqual($0 as? HearingTestError, .paused(.otherEar))
        }
        rests += 1
        test.resume()
      case .finished:
        XCTAssertEqual(ears, [.right, .left])
        XCTAssertEqual(rests, 1)
        return
      }
    }
  }

  func test_noisyRoom_pausesTheTest_andAQuietRoomResumesIt() throws {
    var test = try makeTest(.bayesian)
    let before = test.next
    let excess = test.note(ambientNoise: [500: 40], attenuation: .supraAural)
    XCTAssertEqual(excess, [500: 22])
    XCTAssertEqual(test.pauseReason, .ambientNoise)
    guard case .pause = test.next else { return XCTFail("no pause") }
    test.note(ambientNoise: [500: 10], attenuation: .supraAural)
    XCTAssertEqual(test.next, before)
    try finish(&test) { ($0.level >= 20 ? .heard : .notHeard, nil) }
    XCTAssertTrue(try XCTUnwrap(test.profile.record).notes.contains(.ambientNoise))
  }

  func test_calibrationChange_pausesTest_andIsNotedInRecord() throws {
    var test = try makeTest(.bayesian)
    test.noteCalibrationChange()
    XCTAssertThrowsError(try test.answer(.heard)) {
      XCTAssertEqual($0 as? HearingTestError, .paused(.calibrationChange))
    }
    let restored = try ToneTest(json: test.jsonData())
    XCTAssertTrue(restored == test)
    XCTAssertEqual(restored.pauseReason, .calibrationChange)
    test.resume()
    try finish(&test) { ($0.level >= 20 ? .heard : .notHeard, nil) }
    XCTAssertTrue(try XCTUnwrap(test.profile.record).notes.contains(.calibrationChange))
  }

  func test_pauseAfterACalibrationChange_continues_evenIfTheRoomBecomesQuiet() throws {
    var test = try makeTest(.bayesian)
    test.noteCalibrationChange()
    test.note(ambientNoise: [500: 60], attenuation: .supraAural)
    test.note(ambientNoise: [500: 0], attenuation: .supraAural)
    XCTAssertEqual(test.pauseReason, .calibrationChange)
    XCTAssertEqual(test.disturbances, [.calibrationChange, .ambientNoise])
    test.resume()
    XCTAssertNil(test.pauseReason)
  }

  func test_lowFrequencyHum_doesNotPauseATestThatBeginsAt500Hz() throws {
    var test = try makeTest(.bayesian)
    XCTAssertEqual(
      test.note(ambientNoise: [125: 45], attenuation: .supraAural), [:])
    XCTAssertNil(test.pauseReason)
  }

  // MARK: Bad input

  func test_invalidSettings_throwTypedErrors() {
    func error(
      _ method: ToneTestMethod = .bayesian, _ frequencies: [Double] = [1000],
      ears: [Ear] = [.left, .right]
    ) -> HearingTestError? {
      do {
        _ = try ToneTest(
          method: method, frequencies: frequencies, calibration: calibration, ears: ears)
        return nil
      } catch {
        return error
      }
    }
    XCTAssertEqual(error(.bayesian, [1000, 1100]), .unknownFrequency(1100))
    XCTAssertEqual(error(.bayesian, [1000, 1000]), .unknownFrequency(1000))
    let close = 1000.0000001
    let levels = [1000: 100.0, close: 100]
    XCTAssertThrowsError(
      try ToneTest(
        method: .bayesian, frequencies: [1000, close],
        calibration: HeadphoneCalibration(
          name: "X",
          referenceThresholds: ReferenceThresholds(name: "X", levels: [1000: 5, close: 5]),
          fullScaleLevels: levels))
    ) { XCTAssertEqual($0 as? HearingTestError, .unknownFrequency(close)) }
    XCTAssertEqual(error(.bayesian, []), .frequencyCount(0))
    XCTAssertEqual(error(ears: []), .ears)
    XCTAssertEqual(error(ears: [.left, .left]), .ears)
    XCTAssertEqual(error(.bayesian(precision: 1)), .precision(1))
    XCTAssertNotNil(error(.bayesian(precision: .nan)))
    XCTAssertNotNil(error(.bayesian, [.nan]))
    XCTAssertNil(error())
  }

  func test_answersAfterTheEnd_areRejected() throws {
    for method in methods {
      var test = try makeTest(method, frequencies: [1000])
      try finish(&test) { ($0.level >= 20 ? .heard : .notHeard, nil) }
      let copy = test
      XCTAssertThrowsError(try test.answer(.heard)) {
        XCTAssertEqual($0 as? HearingTestError, .alreadyFinished)
      }
      test.noteCalibrationChange()
      XCTAssertTrue(test == copy)
    }
  }

  // MARK: Unusual listeners

  func test_slowListener_getsMoreTime_andIsNotedInRecord() throws {
    var test = try makeTest(.bayesian)
    var listener = SimulatedListener(
      profile: HearingProfile(left: .n3, right: .n3), falseAlarms: 0, lapses: 0, delay: 1.9,
      delaySpread: 0.25, seed: 5)
    let presentations = try finish(&test) { listener.respond(to: $0) }
    XCTAssertTrue(test.reliability.isReliable, "\(test.reliability.concerns)")
    XCTAssertTrue(try XCTUnwrap(test.profile.record).notes.contains(.slowAnswers))
    XCTAssertGreaterThan(try XCTUnwrap(presentations.last).responseTail, 1.3)

    var quick = try makeTest(.bayesian)
    listener.delay = 0.4
    listener.delaySpread = 0.08
    let usual = try finish(&quick) { listener.respond(to: $0) }
    XCTAssertEqual(try XCTUnwrap(usual.first).responseTail, Presentation.longestTail)
    XCTAssertEqual(try XCTUnwrap(usual.last).responseTail, Presentation.shortestTail)
    XCTAssertFalse(try XCTUnwrap(quick.profile.record).notes.contains(.slowAnswers))
  }

  func test_missedTonesInTheFirstEar_areCorrectedByTheResultsOfTheSecondEar() throws {
    var errors: [Double] = []
    for seed in 0..<10 as Range<UInt64> {
      var test = try makeTest(.bayesian, frequencies: ToneTest.standardFrequencies, seed: seed)
      var listener = SimulatedListener(
        profile: HearingProfile(left: try flat(20), right: try flat(20)), falseAlarms: 0,
        lapses: 0, seed: seed)
      var missed = 0
      try finish(&test) { presentation in
        // In the first ear, the listener misses the first three audible tones at 8 kHz.
        if presentation.ear == .right, presentation.frequency == 8000, presentation.level >= 30,
          missed < 3
        {
          missed += 1
          return (.notHeard, nil)
        }
        return listener.respond(to: presentation)
      }
      let estimate = test.estimate.first { $0.ear == .right && $0.frequency == 8000 }
      errors.append(abs(try XCTUnwrap(estimate).threshold - 20))
    }
    // The results of the second ear correct the estimates of the first ear. Without this
    // correction, the mean error is 8.5 dB.
    let mean = errors.reduce(0, +) / Double(errors.count)
    XCTAssertLessThan(mean, 6, "\(errors)")
  }

  func test_inconsistentResponses_areReportedByRepeatedMeasurements() throws {
    var flagged = 0
    for seed in 0..<5 {
      var test = try makeTest(.bayesian)
      var listener = SimulatedListener(
        profile: HearingProfile(left: .n2, right: .n2), seed: UInt64(seed))
      try finish(&test) { presentation in
        // While the second ear is tested, the thresholds of both ears are 30 to 35 dB higher than
        // before.
        if presentation.ear == .left {
          listener.profile = HearingProfile(left: .n4, right: .n4)
        }
        return listener.respond(to: presentation)
      }
      if test.reliability.concerns.contains(.repeats) { flagged += 1 }
    }
    XCTAssertGreaterThanOrEqual(flagged, 4)
  }

  func test_pressesInSilenceNearOneFrequency_areReportedAsFalseAlarms() throws {
    var test = try makeTest(.bayesian, frequencies: ToneTest.standardFrequencies)
    var listener = SimulatedListener(
      profile: HearingProfile(left: .n2, right: .n2), falseAlarms: 0, lapses: 0, seed: 6)
    try finish(&test) { presentation in
      listener.falseAlarms = [3000, 4000, 6000].contains(presentation.frequency) ? 0.5 : 0
      return listener.respond(to: presentation)
    }
    XCTAssertTrue(test.reliability.concerns.contains(.falseAlarms))
  }

  // MARK: Storing

  func test_testRestoredAfterEachAnswer_equalsTheOriginal_andHasTheSameResult() throws {
    for method in methods {
      var test = try makeTest(method, frequencies: [1000, 4000])
      var listener = SimulatedListener(
        profile: HearingProfile(left: .n4, right: .n1), interauralAttenuation: 45, seed: 8)
      var isFinished = false
      while !isFinished {
        let data = test.jsonData()
        let restored = try ToneTest(json: data)
        XCTAssertTrue(restored == test, "after \(test.trials.count)")
        XCTAssertTrue(restored.jsonData() == data)
        if [0, 1, 8, 20].contains(test.trials.count) {
          var (continued, original) = (restored, test)
          var (one, other) = (listener, listener)
          let presentations = try finish(&continued) { one.respond(to: $0) }
          XCTAssertEqual(presentations, try finish(&original) { other.respond(to: $0) })
          XCTAssertEqual(continued.profile, original.profile)
          XCTAssertEqual(continued.reliability, original.reliability)
        }
        switch test.next {
        case .present(let presentation):
          let (response, delay) = listener.respond(to: presentation)
          try test.answer(response, after: delay)
        case .pause: test.resume()
        case .finished:
          XCTAssertEqual(restored.estimate, test.estimate)
          isFinished = true
        }
      }
      XCTAssertEqual(try ToneTest(json: test.jsonData()).profile, test.profile)
    }
  }

  func test_testStoredInACalibrationPause_announcesTheOtherEar_unlessItWasAnnouncedBefore() throws {
    for isAnnounced in [false, true] {
      var test = try makeTest(.bayesian)
      while test.pauseReason != .otherEar {
        guard case .present(let tone) = test.next else { return XCTFail("no tone") }
        try test.answer(!tone.isSilent && tone.level >= 30 ? .heard : .notHeard)
      }
      var other = test
      if isAnnounced { test.resume() }
      test.noteCalibrationChange()
      other.noteCalibrationChange()
      // The tests differ only if one of them has already announced the other ear.
      XCTAssertEqual(test == other, !isAnnounced)
      var restored = try ToneTest(json: test.jsonData())
      XCTAssertTrue(restored == test)
      test.resume()
      restored.resume()
      XCTAssertTrue(restored == test)
      XCTAssertEqual(restored.pauseReason, isAnnounced ? nil : .otherEar)
    }
  }

  func test_storedPresentation_withInvalidResponseTail_isRejected() throws {
    var test = try makeTest(.bayesian)
    try test.answer(.heard)
    let text = String(decoding: test.jsonData(), as: UTF8.self)
    XCTAssertTrue(text.contains("\"tail\" : 2"))
    for tail in ["1e300", "-5", "1e9", "61"] {
      let damaged = text.replacingOccurrences(of: "\"tail\" : 2", with: "\"tail\" : \(tail)")
      XCTAssertThrowsError(try ToneTest(json: Data(damaged.utf8)), tail) {
        XCTAssertTrue("\($0)".contains("response tail"), "\($0)")
      }
      let presentation = Data(
        """
        {"ear": "left", "frequency": 1000, "level": 40, "tone": "pulsed", "isSilent": false,
        "wait": 1.5, "tail": \(tail)}
        """.utf8)
      XCTAssertThrowsError(try JSONDecoder().decode(Presentation.self, from: presentation), tail) {
        guard case DecodingError.dataCorrupted(let context) = $0 else { return XCTFail("\($0)") }
        XCTAssertTrue(context.underlyingError is HearingTestError)
      }
    }
  }

  func test_storedTest_truncatedOrDamaged_throwsTypedError() throws {
    var test = try makeTest(.bayesian, frequencies: [1000])
    for _ in 0..<3 {
      if case .present(let presentation) = test.next {
        try test.answer(presentation.level >= 20 ? .heard : .notHeard)
      }
    }
    let data = test.jsonData()
    for length in stride(from: 0, to: data.count - 1, by: 37) {
      XCTAssertThrowsError(try ToneTest(json: data.prefix(length))) {
        XCTAssertTrue($0 is UnreadableDocument)
      }
    }
    let text = String(decoding: data, as: UTF8.self)
    for (old, new, reason) in [
      ("\"version\" : 1", "\"version\" : 2", "newer"),
      ("\"format\" : \"hearing-test\"", "\"format\" : \"hearing-preset\"", "hearing-preset"),
      ("\"level\" : 40", "\"level\" : 95", "safe range"),
      ("\"name\" : \"bayesian\"", "\"name\" : \"guess\"", "guess"),
      ("\"tone\" : \"pulsed\"", "\"tone\" : \"long\"", "pulsed"),
      ("\"precision\" : 6.4", "\"precision\" : 99", "precision"),
      ("\"ear\" : \"right\"", "\"ear\" : \"left\"", "does not belong"),
    ] {
      XCTAssertTrue(text.contains(old), old)
      let damaged = Data(text.replacingOccurrences(of: old, with: new).utf8)
      XCTAssertThrowsError(try ToneTest(json: damaged), new) {
        XCTAssertTrue("\($0)".contains(reason), "\(new): \($0)")
      }
    }
  }

  func test_catchTrials_areMoreFrequent_nearAFrequencyWithRepeatedPressesInSilence() throws {
    var (near, nearSilent, other, otherSilent) = (0, 0, 0, 0)
    for seed in 1...20 as ClosedRange<UInt64> {
      var test = try ToneTest(
        method: .bayesian, calibration: HeadphoneCalibration.uncalibrated(), seed: seed)
      var phantoms = 0
      for _ in 0..<60 {
        guard case .present(let presentation) = test.next else {
          test.resume()
          continue
        }
        let hasPhantom = presentation.frequency == 4000
        if phantoms >= 2, hasPhantom {
          near += 1
          nearSilent += presentation.isSilent ? 1 : 0
        } else {
          other += 1
          otherSilent += presentation.isSilent ? 1 : 0
        }
        if hasPhantom { phantoms += 1 }
        let isHeard = !presentation.isSilent && presentation.level >= 40
        try test.answer(ToneResponse(isHeard: isHeard, pressedInSilence: hasPhantom))
      }
    }
    let (often, seldom) = (Double(nearSilent) / Double(near), Double(otherSilent) / Double(other))
    XCTAssertGreaterThan(near, 40)
    XCTAssertGreaterThan(often, 0.25, "near: \(nearSilent) of \(near)")
    XCTAssertLessThan(seldom, 0.15, "elsewhere: \(otherSilent) of \(other)")
  }

  func test_tones_areWarbled_onRequest_andAfterRepeatedPressesInSilenceNearTheirFrequency() throws {
    var test = try ToneTest(
      method: .bayesian, calibration: HeadphoneCalibration.uncalibrated(), seed: 4)
    var warbled: Set<Double> = []
    var phantoms = 0
    for _ in 0..<60 {
      guard case .present(let presentation) = test.next else {
        test.resume()
        continue
      }
      if presentation.tone == .warbled {
        warbled.insert(presentation.frequency)
        XCTAssertGreaterThanOrEqual(phantoms, 2)
      }
      // The listener has a tinnitus near 4 kHz and presses the button before each tone at 4 kHz.
      let hasPhantom = presentation.frequency == 4000
      if hasPhantom { phantoms += 1 }
      let isHeard = !presentation.isSilent && presentation.level >= 40
      try test.answer(ToneResponse(isHeard: isHeard, pressedInSilence: hasPhantom))
    }
    XCTAssertTrue(warbled.contains(4000))
    XCTAssertTrue(warbled.isSubset(of: [3000, 4000, 6000]), "\(warbled)")
    let stored = try ToneTest(json: test.jsonData())
    XCTAssertEqual(stored.next, test.next)
    let asked = try ToneTest(
      method: .bayesian, calibration: HeadphoneCalibration.uncalibrated(), tone: .warbled, seed: 4)
    guard case .present(let first) = asked.next else { return XCTFail("no tone") }
    XCTAssertEqual(first.tone, .warbled)
    XCTAssertEqual(
      try JSONDecoder().decode(ToneShape.self, from: JSONEncoder().encode(ToneShape.warbled)),
      .warbled)
  }

  func test_storedTest_mutated_throwsTypedErrorOrContinuesSafely() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var test = try makeTest(.modifiedHughsonWestlake, frequencies: [1000])
    for _ in 0..<6 {
      if case .present(let presentation) = test.next {
        try test.answer(presentation.level >= 20 ? .heard : .notHeard, after: .milliseconds(300))
      }
    }
    let data = test.jsonData()
    let words = ["1e999", "-1", "null", "[]", "{}", "true", "85", "0", "\"left\"", "1e9", ","]
    var readCount = 0
    for _ in 0..<rounds(200, 3000) {
      var bytes = Array(data)
      let position = Int.random(in: 0..<bytes.count, using: &random)
      let length = Int.random(in: 0...8, using: &random)
      let word = words[Int.random(in: 0..<words.count, using: &random)]
      bytes.replaceSubrange(position..<min(position + length, bytes.count), with: word.utf8)
      do {
        var read = try ToneTest(json: Data(bytes))
        readCount += 1
        let limit = try XCTUnwrap(read.calibration.largestLevel(at: 1000))
        let rest = try finish(&read) { ($0.level >= 20 ? .heard : .notHeard, nil) }
        XCTAssertTrue(rest.allSatisfy { $0.level <= min(limit, 85) })
        XCTAssertTrue(read.trials.allSatisfy { $0.presentation.level <= min(limit, 85) })
      } catch {
        XCTAssertTrue(error is UnreadableDocument, "\(error)")
      }
    }
    print("\(readCount) were read")
  }

  func test_storedTestWithTooManyAnswers_isRejected() throws {
    var test = try makeTest(.modifiedHughsonWestlake, frequencies: [1000])
    guard case .present(let first) = test.next else { return XCTFail("no tone") }
    // Presses within the first 0.1 s are not scored. They must not end the search.
    while test.trials.count < ToneTest.maximumAnswerCount - 1 {
      try test.answer(.heard, after: .zero)
    }
    XCTAssertEqual(test.reliability.concerns, [.unfinished, .falseAlarms])
    var ended = test
    try ended.answer(.notHeard)
    guard case .finished = ended.next else { return XCTFail("the test continues") }
    XCTAssertEqual(ended.reliability.concerns, [.falseAlarms, .contradictions])
    let text = String(decoding: test.jsonData(), as: UTF8.self)
    XCTAssertNoThrow(try ToneTest(json: Data(text.utf8)))
    let end = try XCTUnwrap(text.range(of: "\"trials\" : ["))
    let trial = String(
      decoding: try JSONEncoder().encode(try XCTUnwrap(test.history.first)), as: UTF8.self)
    XCTAssertEqual(try XCTUnwrap(test.trials.first).presentation, first)
    let longer = text.replacingCharacters(
      in: end, with: "\"trials\" : [" + String(repeating: trial + ",", count: 2))
    XCTAssertThrowsError(try ToneTest(json: Data(longer.utf8))) {
      XCTAssertTrue("\($0)".contains("does not belong"), "\($0)")
    }
  }

  func test_storedAge_outsideStandardRange_isRejected() throws {
    let test = try ToneTest(
      method: .bayesian, frequencies: few, calibration: calibration,
      listener: AgeRelatedHearing(age: 75, sex: .male), seed: 1)
    let text = String(decoding: test.jsonData(), as: UTF8.self)
    XCTAssertTrue(text.contains("\"age\" : 75"))
    let damaged = text.replacingOccurrences(of: "\"age\" : 75", with: "\"age\" : 900")
    XCTAssertThrowsError(try ToneTest(json: Data(damaged.utf8))) {
      XCTAssertTrue("\($0)".contains("900"), "\($0)")
    }
  }

  func test_storedFrequencies_unsortedOrInvalid_areRejected() throws {
    let test = try makeTest(.bayesian, frequencies: [1000, 4000])
    let text = String(decoding: test.jsonData(), as: UTF8.self)
    let good = "\"frequencies\" : [\n      1000,\n      4000\n    ]"
    XCTAssertTrue(text.contains(good))
    for bad in ["[4000, 1000]", "[1000, 4000, 1000]", "[1000, 1000]", "[]", "[1234]"] {
      let damaged = text.replacingOccurrences(of: good, with: "\"frequencies\" : \(bad)")
      XCTAssertThrowsError(try ToneTest(json: Data(damaged.utf8)), bad) {
        XCTAssertTrue($0 is UnreadableDocument)
      }
    }
  }
}
