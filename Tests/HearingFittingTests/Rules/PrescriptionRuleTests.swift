import Foundation
import XCTest

@testable import HearingFitting

final class PrescriptionRuleTests: XCTestCase {
  /// For each rule: the column with its reference gains, and the frequencies for which a comparison
  /// is possible. The reference implements NAL-RP differently: it interpolates the constant at 750
  /// Hz, and it reduces the gain above 6 kHz.
  private static let columns: [(rule: PrescriptionRule, column: String, frequencies: [Double])] = {
    let all: [Double] = [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
    let withoutDifferences: [Double] = [250, 500, 1000, 1500, 2000, 3000, 4000, 6000]
    return [
      (.halfGain, "half_gain", all), (.pogo, "pogo", all), (.pogoII, "pogo_ii", all),
      (.nalR, "nal_r_1986", all), (.nalRP, "nal_rp_openmha", withoutDifferences),
      (.fig6, "fig6", all), (.camfitLinear, "camfit_linear_openmha", all),
      (.camfitCompressive, "camfit_compr_openmha", all),
    ]
  }()

  func test_insertionGain_agreesWithIndependentReferenceValues() throws {
    let reference = try ReferencePrescriptions.load()
    var compared = 0
    for (rule, column, frequencies) in Self.columns {
      var worst = 0.0
      for (name, listener) in reference.audiograms {
        let audiogram = try XCTUnwrap(Audiogram.standard(named: name))
        for (key, gains) in listener.gains {
          let parts = key.split(separator: "@")
          guard parts[0] == column else { continue }
          let level = parts.count > 1 ? try XCTUnwrap(Double(parts[1])) : 65
          for (frequency, expected) in zip(reference.frequencies, gains)
          where frequencies.contains(frequency) {
            let gain = rule.insertionGain(for: audiogram, at: frequency, inputLevel: level)
            worst = max(worst, abs(gain - expected))
            XCTAssertEqual(gain, expected, accuracy: 0.05, "\(rule) \(name) \(frequency) @\(level)")
            compared += 1
          }
        }
      }
      print("\(rule): largest difference from the reference \(worst) dB")
    }
    XCTAssertEqual(compared, 5 * (5 * 11 + 8 + 3 * 11 + 6 * 11))
  }

  func test_initName_findsEveryRuleAndRejectsOtherNames() {
    XCTAssertEqual(
      PrescriptionRule.all.map(\.name),
      [
        "half-gain", "pogo", "pogo-ii", "nal-r", "nal-rp", "fig6", "camfit-linear",
        "camfit-compressive", "comfortable-speech", "comfortable-music",
      ])
    for rule in PrescriptionRule.all { XCTAssertEqual(PrescriptionRule(name: rule.name), rule) }
    for name in ["", "NAL-R", "nal-nl2", "nal-r "] { XCTAssertNil(PrescriptionRule(name: name)) }
  }

  func test_codable_encodesTheName_andRejectsUnknownNames() throws {
    let data = try JSONEncoder().encode([PrescriptionRule.fig6])
    XCTAssertEqual(String(decoding: data, as: UTF8.self), #"["fig6"]"#)
    XCTAssertEqual(try JSONDecoder().decode([PrescriptionRule].self, from: data), [.fig6])
    XCTAssertThrowsError(
      try JSONDecoder().decode([PrescriptionRule].self, from: Data(#"["dsl"]"#.utf8)))
  }

  func test_isLevelDependentAndLevelReference_ofEveryRule_areAsPublished() {
    for rule in PrescriptionRule.all {
      let dependent: Set<PrescriptionRule> = [
        .fig6, .camfitCompressive, .comfortableSpeech, .comfortableMusic,
      ]
      XCTAssertEqual(rule.isLevelDependent, dependent.contains(rule), rule.name)
      XCTAssertEqual(rule.levelReference, rule == .fig6 ? .overall : .band, rule.name)
    }
  }

  func test_linearRules_ignoreTheInputLevel() {
    for rule in PrescriptionRule.all where !rule.isLevelDependent {
      XCTAssertEqual(
        rule.insertionGain(for: .n3, at: 1000, inputLevel: -.infinity),
        rule.insertionGain(for: .n3, at: 1000, inputLevel: 100))
    }
  }

  func test_insertionGain_risesWithLossAtOneFrequency_andIsNeverNegative() throws {
    let seed = SeededGeneratorSeed.fresh(#function)
    var generator = seed.generator
    let frequencies: [Double] = [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
    for _ in 0..<200 {
      var points = frequencies.map {
        Audiogram.Point(frequency: $0, threshold: .random(in: -10...110, using: &generator))
      }
      let softer = try Audiogram(points: points)
      let index = Int.random(in: points.indices, using: &generator)
      points[index].threshold += .random(in: 0...10, using: &generator)
      let worse = try Audiogram(points: points)
      let level = Double.random(in: 0...110, using: &generator)
      for rule in PrescriptionRule.all {
        for frequency in frequencies {
          let before = rule.insertionGain(for: softer, at: frequency, inputLevel: level)
          let after = rule.insertionGain(for: worse, at: frequency, inputLevel: level)
          XCTAssertGreaterThanOrEqual(before, 0, "\(rule) at \(frequency)")
          // For some rules, a greater hearing loss can reduce the gain. In NAL-RP, a greater loss
          // at 2 kHz reduces the gain at high frequencies. In CAMFIT compressive, a greater loss
          // increases the compression ratio, which reduces the gain for loud sounds. The
          // comfortable rules combine these two rules. In addition, the comfortable rules reduce
          // the gain if the loss is above 90 dB HL.
          let exceptions: Set<PrescriptionRule> = [
            .nalRP, .camfitCompressive, .comfortableSpeech, .comfortableMusic,
          ]
          if exceptions.contains(rule) { continue }
          XCTAssertGreaterThanOrEqual(after, before - 1e-9, "\(rule) at \(frequency)")
        }
      }
    }
  }

  func test_camfitCompressive_gainForSoftSpeech_risesWithHearingLoss() throws {
    for band in PrescriptionBands.centers.indices {
      let level = PrescriptionBands.speechLevels[band] - 38
      let gains = try stride(from: -10.0, through: 110, by: 5).map { loss in
        PrescriptionRule.camfitCompressive.insertionGain(
          for: try Audiogram([1000: loss]), at: PrescriptionBands.centers[band], inputLevel: level)
      }
      XCTAssertEqual(gains, gains.sorted())
    }
  }

  func test_camfitCompressive_makesSoftSpeechJustAudible_andEqualsLinearForAverageSpeech() {
    func gain(_ rule: PrescriptionRule, _ audiogram: Audiogram, _ band: Int, _ level: Double)
      -> Double
    {
      rule.insertionGain(
        for: audiogram, at: PrescriptionBands.centers[band], inputLevel: level)
    }
    var reached = 0
    for (name, audiogram) in Audiogram.standards.map({ ($0.name, $0.audiogram) }) {
      for (band, frequency) in PrescriptionBands.centers.enumerated() {
        let average = PrescriptionBands.speechLevels[band]
        let soft = average - 38
        let audible =
          audiogram.threshold(at: frequency)
          + LevelPlane.freeField.referenceThreshold(at: frequency) - soft
        XCTAssertEqual(
          gain(.camfitCompressive, audiogram, band, soft), min(max(0, audible), 100 - soft),
          accuracy: 1e-9, "\(name) \(frequency)")
        let linear = gain(.camfitLinear, audiogram, band, average)
        let outputRange = 38 + linear - audible
        guard (13...38).contains(outputRange), linear > 0 else { continue }
        reached += 1
        XCTAssertEqual(
          gain(.camfitCompressive, audiogram, band, average), linear, accuracy: 1e-9,
          "\(name) \(frequency)")
      }
    }
    XCTAssertGreaterThan(reached, 20)
  }

  func test_nalRP_correctionForSevereLoss_isAsPublished() throws {
    // For a flat loss, the gain of NAL-RP minus the gain of NAL-R is 0.2 (A − 60) + T. A is the
    // mean threshold, and T is the published correction for the threshold at 2 kHz.
    let published: [(loss: Double, at: [Double])] = [
      (90, [0, 0, 0, 0, 0, 0, 0, 0, 0]), (95, [4, 3, 1, 0, -1, -2, -2, -2, -2]),
      (97.5, [5, 3.5, 1.3, 0, -1.5, -2.5, -2.5, -2.5, -2.5]),
      (100, [6, 4, 1.6, 0, -2, -3, -3, -3, -3]), (105, [8, 5, 2.2, 0, -3, -5, -5, -5, -5]),
      (110, [11, 7, 2.8, 0, -3, -6, -6, -6, -6]), (115, [13, 8, 3.4, 0, -4, -8, -8, -8, -8]),
      (120, [15, 9, 4, 0, -5, -9, -9, -9, -9]),
    ]
    let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]
    for (loss, table) in published {
      let audiogram = try Audiogram([1000: loss])
      for (frequency, expected) in zip(frequencies, table) {
        let extra =
          PrescriptionRule.nalRP.insertionGain(for: audiogram, at: frequency, inputLevel: 65)
          - PrescriptionRule.nalR.insertionGain(for: audiogram, at: frequency, inputLevel: 65)
        XCTAssertEqual(extra, 0.2 * (loss - 60) + expected, accuracy: 1e-9, "\(loss) \(frequency)")
      }
    }
  }

  func test_nalRP_withoutSevereLoss_equalsNALR() {
    for audiogram in [Audiogram.n1, .n2, .n3, .n4, .s1] {
      for frequency in [125.0, 700, 3000, 12_000] {
        XCTAssertEqual(
          PrescriptionRule.nalRP.insertionGain(for: audiogram, at: frequency, inputLevel: 65),
          PrescriptionRule.nalR.insertionGain(for: audiogram, at: frequency, inputLevel: 65))
      }
    }
  }

  func test_camfitLinear_ofThresholdsOf0dB_isZero() throws {
    let zeros = try Audiogram([250: 0, 2000: 0])
    let nearly = try Audiogram([250: 0, 2000: 1])
    let rule = PrescriptionRule.camfitLinear
    XCTAssertEqual(rule.insertionGain(for: zeros, at: 8000, inputLevel: 65), 0)
    XCTAssertEqual(rule.insertionGain(for: nearly, at: 8000, inputLevel: 65), 1.48, accuracy: 1e-9)
  }

  func test_fig6_isLinearBetweenItsLevelsAndConstantOutside() {
    func gain(_ level: Double) -> Double {
      PrescriptionRule.fig6.insertionGain(for: .n4, at: 1000, inputLevel: level)
    }
    XCTAssertEqual(gain(52.5), (gain(40) + gain(65)) / 2, accuracy: 1e-12)
    XCTAssertEqual(gain(80), (gain(65) + gain(95)) / 2, accuracy: 1e-12)
    XCTAssertEqual(gain(-.infinity), gain(40))
    XCTAssertEqual(gain(.infinity), gain(95))
  }

  func test_insertionGain_noResponse_usesTheTestedLevel() throws {
    let point = Audiogram.Point(frequency: 1000, threshold: 110, isNoResponse: true)
    let noResponse = try Audiogram(points: [point])
    XCTAssertEqual(
      PrescriptionRule.nalRP.insertionGain(for: noResponse, at: 1000, inputLevel: 65),
      PrescriptionRule.nalRP.insertionGain(
        for: try Audiogram([1000: 110]), at: 1000, inputLevel: 65))
  }

  func test_insertionGain_outside125To8000Hz_isConstant() {
    for rule in PrescriptionRule.all {
      func gain(_ frequency: Double) -> Double {
        rule.insertionGain(for: .n3, at: frequency, inputLevel: 60)
      }
      XCTAssertEqual(gain(20), gain(125), accuracy: 1e-12, rule.name)
      XCTAssertEqual(gain(20_000), gain(8000), accuracy: 1e-12, rule.name)
    }
  }
}
