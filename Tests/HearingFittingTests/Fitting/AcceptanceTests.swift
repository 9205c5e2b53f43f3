import XCTest

@testable import HearingFitting

/// Tests the limits of the default preset for every listener in ``AcceptanceSet``. The results are
/// calculated from the gains. Some limits need rendered sound. They are tested in
/// `Benchmarks/benefit`.
final class AcceptanceTests: XCTestCase {
  private let bands = Array(PrescriptionBands.centers.enumerated())
  private let speech = PrescriptionBands.speechLevels

  private func forEveryListener(
    _ body: (_ name: String, _ audiogram: Audiogram, _ ear: EarPreset) throws -> Void
  ) throws {
    for (name, audiogram) in AcceptanceSet.audiograms {
      try body(name, audiogram, AcceptanceSet.ear(audiogram))
    }
  }

  func test_bandsWithNearlyNormalHearing_getAtMost5dB_andAtMost1dBForLoudSound() throws {
    try forEveryListener { name, audiogram, ear in
      for (band, frequency) in bands where audiogram.threshold(at: frequency) <= 20 {
        // The gain is tested at two levels: 65 dB SPL, and the level in this band of speech with an
        // overall level of 65 dB SPL.
        for level in [65, speech[band]] {
          XCTAssertLessThanOrEqual(
            ear.gain(at: frequency, inputLevel: level), 5.001, "\(name), \(frequency) Hz")
        }
        for level in stride(from: 80.0, through: 120, by: 5) {
          for level in [level, speech[band] + level - 65] {
            XCTAssertLessThanOrEqual(
              ear.gain(at: frequency, inputLevel: level), 1, "\(name), \(frequency) Hz")
          }
        }
      }
    }
  }

  func test_mildLoss_getsAtMost3dBForLoudSound() throws {
    let ear = try AcceptanceSet.ear(.n2)
    XCTAssertLessThanOrEqual(ear.gain(at: 1000, inputLevel: 90), 3)
    XCTAssertLessThanOrEqual(ear.gain(at: 1000, inputLevel: speech[4] + 25), 3)
    XCTAssertGreaterThan(ear.gain(at: 1000, inputLevel: speech[4]), 8)
  }

  func test_gain_neverRisesWithLevelAboveTheKnee_andNeverFallsWithHigherThresholds() throws {
    try forEveryListener { name, _, ear in
      for (band, frequency) in bands {
        for level in stride(from: speech[band] - 5, to: 119, by: 1) {
          XCTAssertGreaterThanOrEqual(
            ear.gain(at: frequency, inputLevel: level) + 1e-6,
            ear.gain(at: frequency, inputLevel: level + 1), "\(name), \(frequency) Hz")
        }
      }
    }
    var before = 0.0
    for threshold in stride(from: 0.0, through: 60, by: 1) {
      let ear = try AcceptanceSet.ear(Audiogram([250: threshold, 8000: threshold]))
      let gain = ear.gain(at: 2000, inputLevel: speech[6])
      XCTAssertGreaterThanOrEqual(gain, before - 1e-6, "\(threshold) dB HL")
      before = gain
    }
  }

  func test_amplifiedNoiseOfAQuietRoom_staysSoftOrCloseToTheThreshold() throws {
    try forEveryListener { name, audiogram, ear in
      let (pink, white) = (
        ThirdOctaveSound.noise(30).amplified(by: ear),
        ThirdOctaveSound.noise(30, isWhite: true).amplified(by: ear)
      )
      let isSoft = pink.overall <= 57 && white.overall <= 60
      let aboveThreshold = [pink, white].flatMap { sound in
        zip(ThirdOctaveSound.centers, sound.levels).map { center, level in
          level - audiogram.threshold(at: center)
            - LevelPlane.freeField.referenceThreshold(at: center)
        }
      }
      XCTAssertTrue(
        isSoft || aboveThreshold.allSatisfy { $0 <= 10 },
        "\(name): pink \(pink.overall), white \(white.overall), "
          + "\(aboveThreshold.max() ?? 0) dB above the threshold")
    }
  }

  func test_amplifiedNoiseOf50dBSPL_isAtMost2dBAboveAmplifiedSpeechOf65dBSPL() throws {
    try forEveryListener { name, _, ear in
      let noise = ThirdOctaveSound.noise(50).amplified(by: ear).overall
      let speech = ThirdOctaveSound.speech(65).amplified(by: ear).overall
      XCTAssertLessThanOrEqual(noise - speech, ["S1", "S2"].contains(name) ? 2 : 0, name)
    }
  }

  func test_amplifiedSpeechOf65dBSPL_isAtMost4dBAboveTheLouderOfTwoPublishedRules() throws {
    try forEveryListener { name, audiogram, ear in
      let sound = ThirdOctaveSound.speech(65)
      let published = [PrescriptionRule.nalR, .camfitCompressive].map {
        sound.amplified(by: $0, audiogram).overall
      }
      XCTAssertLessThanOrEqual(
        sound.amplified(by: ear).overall, (published.max() ?? 0) + 4, name)
    }
  }

  /// Amplified speech has its maximum third-octave level at or below 4 kHz. A band above 4 kHz may
  /// exceed this level only if it is at most 10 dB above the listener's threshold.
  func test_amplifiedSpeech_hasNoSpectralPeakAbove4kHz_unlessNearTheThreshold() throws {
    try forEveryListener { name, audiogram, ear in
      let sound = ThirdOctaveSound.speech(65).amplified(by: ear)
      let maximum =
        zip(ThirdOctaveSound.centers, sound.levels).filter { $0.0 <= 4000 }
        .map(\.1).max() ?? 0
      for (center, level) in zip(ThirdOctaveSound.centers, sound.levels) where center > 4000 {
        let threshold =
          audiogram.threshold(at: center) + LevelPlane.freeField.referenceThreshold(at: center)
        XCTAssertLessThanOrEqual(level, max(maximum, threshold + 10), "\(name), \(center) Hz")
      }
    }
  }

  func test_gain_isAtMost55dB_andCompressesAtMost3To1() throws {
    try forEveryListener { name, _, ear in
      XCTAssertLessThanOrEqual(ear.gains.joined().max() ?? 0, 55)
      for (band, frequency) in bands {
        for level in stride(from: speech[band] - 5, to: 119, by: 1) {
          let change =
            ear.gain(at: frequency, inputLevel: level + 1)
            - ear.gain(at: frequency, inputLevel: level)
          XCTAssertGreaterThanOrEqual(change, -2.0 / 3 - 1e-3, "\(name), \(frequency) Hz")
        }
      }
    }
  }

  func test_maximumOutput_risesWithTheThresholds_andStays5dBBelowDiscomfort() throws {
    try forEveryListener { name, audiogram, ear in
      let outputs = try XCTUnwrap(ear.maximumOutputs)
      for (band, frequency) in bands {
        XCTAssertLessThanOrEqual(
          outputs[band], audiogram.discomfortLevel(at: frequency) - 5 + 1e-6, name)
        XCTAssertLessThanOrEqual(outputs[band], ear.maximumOutput, name)
      }
      let (level, frequency) = ear.largestCouplerOutput
      XCTAssertLessThan(level, 117.05, "\(name), \(frequency) Hz")
      let linear = try AcceptanceSet.ear(audiogram, techLevel: 2)
      XCTAssertLessThanOrEqual(linear.maximumOutput, 111, name)
    }
    let normal = try AcceptanceSet.ear(Audiogram([250: 0, 8000: 0]))
    // The maximum output in every band is 95 dB HL, which is 93.7 dB SPL at 2 kHz. The output
    // ceiling is the mean of four bands plus 6 dB.
    XCTAssertEqual(try XCTUnwrap(normal.maximumOutputs)[6], 93.7, accuracy: 1e-6)
    XCTAssertEqual(normal.maximumOutput, 95 + (4.4 + 2.4 - 1.3 - 5.4) / 4 + 6, accuracy: 1e-6)
    var before = 0.0
    for threshold in stride(from: 0.0, through: 120, by: 5) {
      let ear = try AcceptanceSet.ear(Audiogram([250: threshold, 8000: threshold]))
      XCTAssertGreaterThanOrEqual(ear.maximumOutput, before)
      before = ear.maximumOutput
    }
    XCTAssertEqual(before, 117)
  }

  func test_measuredDiscomfortLevels_replaceTheEstimateInTheMaximumOutputs() throws {
    let discomfort = try Audiogram([500: 90, 2000: 85])
    let (own, usual) = (
      try AcceptanceSet.ear(.n3, discomfort: discomfort), try AcceptanceSet.ear(.n3)
    )
    let (outputs, estimated) = (
      try XCTUnwrap(own.maximumOutputs), try XCTUnwrap(usual.maximumOutputs)
    )
    // At 2 kHz, 85 dB HL equals 83.7 dB SPL. The maximum output is 5 dB lower.
    XCTAssertEqual(outputs[6], 78.7, accuracy: 1e-6)
    XCTAssertLessThan(own.maximumOutput, usual.maximumOutput)
    XCTAssertEqual(own.gains, usual.gains)
    // Discomfort was not measured at all frequencies. At the other frequencies, the lower of two
    // limits applies: the limit from the measured levels, or the estimated limit.
    XCTAssertTrue(zip(outputs, estimated).allSatisfy { $0 <= $1 + 1e-6 })
    let high = try AcceptanceSet.ear(.n3, discomfort: Audiogram([500: 120, 2000: 120]))
    let raised = try XCTUnwrap(high.maximumOutputs)
    XCTAssertGreaterThan(raised[4], estimated[4])
    XCTAssertEqual(raised[8], estimated[8], accuracy: 1e-6)
  }
}
