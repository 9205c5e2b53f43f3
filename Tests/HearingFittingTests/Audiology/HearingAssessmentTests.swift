import XCTest

@testable import HearingFitting

final class HearingAssessmentTests: XCTestCase {
  private func ear(_ a: Double, _ b: Double, _ c: Double, _ d: Double) throws -> Audiogram {
    try Audiogram([500: a, 1000: b, 2000: c, 4000: d])
  }

  func test_pureToneAverage_isTheMeanOfFourFrequencies() throws {
    // The averages are (35 + 40 + 50 + 60) / 4 dB HL and (20 + 25 + 55 + 95) / 4 dB HL.
    XCTAssertEqual(Audiogram.n3.pureToneAverage, 46.25)
    XCTAssertEqual(Audiogram.s2.pureToneAverage, 48.75)
    // The threshold at 2 kHz is missing. On the logarithmic frequency axis, 2 kHz is half-way
    // between 1 and 4 kHz, so the interpolated threshold is 40 dB HL. The average is (10 + 20 + 40
    // + 60) / 4.
    let gap = try Audiogram([500: 10, 1000: 20, 4000: 60])
    XCTAssertEqual(gap.pureToneAverage, 32.5)
    XCTAssertEqual(gap.missingAveragedFrequencies, [2000])
  }

  func test_pureToneAverage_frequencyOutsideTheMeasuredRange_isNil() throws {
    let short = try Audiogram([500: 10, 1000: 20, 2000: 30])
    XCTAssertNil(short.pureToneAverage)
    XCTAssertEqual(short.missingAveragedFrequencies, [4000])
    XCTAssertNil(try Audiogram([1000: 20, 8000: 30]).pureToneAverage)
  }

  func test_pureToneAverage_noResponse_countsAsTheTestedLevel_andIsListed() throws {
    let audiogram = try Audiogram(points: [
      .init(frequency: 500, threshold: 80), .init(frequency: 1000, threshold: 90),
      .init(frequency: 2000, threshold: 110, isNoResponse: true),
      .init(frequency: 4000, threshold: 120, isNoResponse: true),
      .init(frequency: 8000, threshold: 100, isNoResponse: true),
    ])
    XCTAssertEqual(audiogram.pureToneAverage, 100)
    XCTAssertEqual(audiogram.unansweredAveragedFrequencies, [2000, 4000])
  }

  func test_grade_isTheGradeOfTheBetterEar() throws {
    let assessment = HearingAssessment(of: HearingProfile(left: .n4, right: .n2))
    // The average of N4 is (55 + 55 + 65 + 75) / 4. The average of N2 is (20 + 25 + 35 + 45) / 4.
    XCTAssertEqual(assessment[.left], 62.5)
    XCTAssertEqual(assessment[.right], 31.25)
    XCTAssertEqual(assessment.betterEar, .right)
    XCTAssertEqual(assessment.grade, .mild)
    XCTAssertFalse(assessment.isUnilateral)
  }

  func test_grade_atEachLimit_changesToTheNextGrade() {
    let limits: [(Double, HearingGrade)] = [
      (-10, .normal), (19.99, .normal), (20, .mild), (34.99, .mild), (35, .moderate),
      (49.99, .moderate), (50, .moderatelySevere), (64.99, .moderatelySevere), (65, .severe),
      (79.99, .severe), (80, .profound), (94.99, .profound), (95, .complete), (120, .complete),
    ]
    for (average, grade) in limits {
      XCTAssertEqual(HearingGrade(pureToneAverage: average), grade, "\(average)")
    }
    for grade in HearingGrade.allCases.dropFirst() {
      XCTAssertEqual(HearingGrade(pureToneAverage: grade.minimumAverage), grade)
      XCTAssertLessThan(HearingGrade(pureToneAverage: grade.minimumAverage.nextDown), grade)
    }
    XCTAssertEqual(HearingGrade(pureToneAverage: HearingGrade.normal.minimumAverage), .normal)
    XCTAssertEqual(HearingGrade.allCases, HearingGrade.allCases.sorted())
    XCTAssertLessThan(HearingGrade.moderatelySevere, .severe)
  }

  func test_isUnilateral_isTrueOnlyForOneGoodAndOnePoorEar() throws {
    for (good, poor, isUnilateral) in [
      (19.0, 35.0, true), (20, 60, false), (10, 34, false), (0, 90, true),
    ] {
      let profile = HearingProfile(
        left: try ear(poor, poor, poor, poor), right: try ear(good, good, good, good))
      XCTAssertEqual(HearingAssessment(of: profile).isUnilateral, isUnilateral, "\(good) \(poor)")
    }
  }

  func test_symmetricCompleteProfile_hasNoFindings() throws {
    let profile = HearingProfile(left: try ear(20, 20, 20, 34), right: try ear(34, 20, 6, 20))
    let assessment = HearingAssessment(of: profile)
    XCTAssertEqual(assessment.findings, [])
    XCTAssertFalse(assessment.advisesProfessional)
    // The averages are (34 + 20 + 6 + 20) / 4 = 20 dB HL and 23.5 dB HL. The average of the better
    // ear is 20 dB HL.
    XCTAssertEqual(assessment.grade, .mild)
  }

  func test_asymmetry_of15dBOrMoreAtOneFrequency_isAFinding() throws {
    for frequency in [500.0, 1000, 2000, 3000, 4000] {
      for (difference, isAsymmetric) in [(14.9, false), (15, true), (-15, true), (-40, true)] {
        var points: [Double: Double] = [500: 30, 1000: 30, 2000: 30, 3000: 30, 4000: 30]
        let right = try Audiogram(points)
        points[frequency] = 30 + difference
        let assessment = HearingAssessment(
          of: HearingProfile(left: try Audiogram(points), right: right))
        XCTAssertEqual(
          assessment.findings,
          isAsymmetric
            ? [
              .asymmetry(
                frequency: frequency, difference: abs(difference),
                poorerEar: difference > 0 ? .left : .right)
            ] : [], "\(frequency) \(difference)")
        XCTAssertEqual(assessment.advisesProfessional, isAsymmetric)
      }
    }
  }

  func test_asymmetry_atExcludedOrUnmeasuredFrequencies_isNotAFinding() throws {
    let left = try Audiogram([250: 60, 500: 20, 1000: 20, 2000: 20, 4000: 20, 8000: 80])
    let right = try Audiogram([250: 10, 500: 20, 1000: 20, 2000: 20, 4000: 20, 8000: 20])
    XCTAssertEqual(HearingAssessment(of: HearingProfile(left: left, right: right)).findings, [])
    let short = try Audiogram([500: 20, 1000: 20])
    let steep = try Audiogram([500: 20, 1000: 20, 2000: 80, 4000: 80])
    XCTAssertEqual(
      HearingAssessment(of: HearingProfile(left: short, right: steep)).findings,
      [.missingFrequencies(.left, frequencies: [2000, 4000])])
  }

  func test_summary_hasOneSentenceForAnAsymmetry() throws {
    let left = try Audiogram([500: 20, 1000: 45, 2000: 50.5, 4000: 20])
    let right = try Audiogram([500: 20, 1000: 20, 2000: 20, 4000: 20])
    XCTAssertEqual(
      HearingAssessment(of: HearingProfile(left: left, right: right)).summary,
      [
        "the left ear is up to 30.5 dB poorer than the other (1000, 2000 Hz); see a professional"
      ])
    XCTAssertEqual(
      HearingAssessment(of: HearingProfile(left: try Audiogram([1000: 20]))).summary.count, 2,
      "missing frequencies, and an ear")
    XCTAssertEqual(HearingAssessment(of: HearingProfile(left: .n3, right: .n3)).summary, [])
  }

  func test_incompleteData_isAFinding() throws {
    let one = HearingAssessment(of: HearingProfile(left: .n3))
    XCTAssertEqual(one.findings, [.unknownEar(.right)])
    XCTAssertEqual(one.leftAverage, 46.25)
    XCTAssertNil(one.rightAverage)
    XCTAssertNil(one.grade)
    XCTAssertNil(one.betterEar)
    XCTAssertTrue(one.advisesProfessional)
    XCTAssertEqual(
      HearingAssessment(of: HearingProfile()).findings.map(\.description),
      ["the left ear was not measured", "the right ear was not measured"])
    XCTAssertEqual(
      HearingAssessment.Finding.asymmetry(frequency: 3000, difference: 22.5, poorerEar: .left)
        .description, "at 3000 Hz the left ear is 22.5 dB poorer than the other")
    XCTAssertEqual(
      HearingAssessment.Finding.missingFrequencies(.left, frequencies: [500, 4000]).description,
      "the left ear was not measured at 500, 4000 Hz")
  }

  private func silent(_ frequencies: [Double], at level: Double) throws -> Audiogram {
    try Audiogram(
      points: [500.0, 1000, 2000, 4000].map {
        .init(frequency: $0, threshold: level, isNoResponse: frequencies.contains($0))
      })
  }

  func test_noResponseAndProfoundLoss_areFindings() throws {
    let ear = try silent([2000, 4000], at: 60)
    let assessment = HearingAssessment(of: HearingProfile(left: ear, right: ear))
    XCTAssertEqual(
      assessment.findings,
      [
        .noResponse(.left, frequencies: [2000, 4000]),
        .noResponse(.right, frequencies: [2000, 4000]),
      ])
    XCTAssertEqual(
      assessment.summary.first,
      "the left ear did not respond at 2000, 4000 Hz; have hearing measured by a professional")
    let profound = HearingAssessment(of: HearingProfile(left: .n7, right: .n7))
    XCTAssertEqual(profound.findings, [.profoundLoss(.left), .profoundLoss(.right)])
    XCTAssertEqual(
      profound.findings.map(\.description).last,
      "the right ear has a profound or complete hearing loss")
  }

  func test_discomfortBelowTheThreshold_isAFinding() throws {
    let flat = try ear(60, 60, 60, 60)
    let profile = HearingProfile(
      left: flat, right: flat, leftDiscomfort: try Audiogram([500: 50, 1000: 60, 2000: 100]))
    let assessment = HearingAssessment(of: profile)
    XCTAssertEqual(assessment.findings, [.discomfortBelowThreshold(.left, frequencies: [500])])
    XCTAssertEqual(
      assessment.findings.first?.description,
      "the discomfort level of the left ear is below the threshold at 500 Hz")
    let notReached = try Audiogram(points: [
      .init(frequency: 500, threshold: 50, isNoResponse: true)
    ])
    XCTAssertEqual(
      HearingAssessment(of: HearingProfile(left: flat, right: flat, leftDiscomfort: notReached))
        .findings, [])
  }

  func test_asymmetry_withNoResponse_isReportedAsALowerBound_withOneDecimal() throws {
    let poorer = try Audiogram(points: [
      .init(frequency: 500, threshold: 20), .init(frequency: 2000, threshold: 20),
      .init(frequency: 4000, threshold: 110, isNoResponse: true),
    ])
    let better = try ear(20, 20, 20, 20)
    let profile = HearingProfile(left: better, right: poorer)
    let findings = HearingAssessment(of: profile).findings.map(\.description)
    XCTAssertTrue(
      findings.contains("at 3000 Hz the right ear is at least 52.6 dB poorer than the other"),
      "\(findings)")
    XCTAssertEqual(
      HearingAssessment(of: profile).summary.last,
      "the right ear is at least 90 dB poorer than the other (3000, 4000 Hz); see a "
        + "professional")
  }

  func test_pureToneAverageText_agreesWithTheGrade_andMarksALowerBound() throws {
    XCTAssertEqual(try ear(34, 35, 35, 35).pureToneAverageText, "34.8 dB HL")
    XCTAssertEqual(try ear(34.9, 35, 35, 35).pureToneAverageText, "34.9 dB HL")
    XCTAssertEqual(try ear(35, 35, 35, 35).pureToneAverageText, "35 dB HL")
    XCTAssertEqual(try silent([4000], at: 90).pureToneAverageText, "at least 90 dB HL")
    XCTAssertNil(try Audiogram([1000: 20]).pureToneAverageText)
  }
}
