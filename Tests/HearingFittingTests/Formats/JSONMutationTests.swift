import Foundation
import TestSupport
import XCTest

@testable import HearingFitting

/// Reads damaged documents. For each document, the reader must return a value, or throw a typed
/// error with a description of one line.
final class JSONMutationTests: XCTestCase {
  private static let mutator = DocumentMutator(words: [
    "1e308", "-1e308", "1e999", "1e-999", "NaN", "\"NaN\"", "null", "true", "-0", "{}", "[]",
    "\"\"",
    "99999999999999999999", "1.5", "-", "\\u0000", "\u{202E}", "[[[[", "left", "points", ",", "}",
    "0.1e", "\"isMasked\":1", "120.0000001", "2",
  ])

  private static var rounds: Int {
    #if DEBUG
      return 4000
    #else
      return 15_000
    #endif
  }

  func test_profile_fromDamagedJSON_isValidOrThrowsATypedError() throws {
    let profile = HearingProfile(
      left: try Audiogram(points: [
        .init(frequency: 250, threshold: 20, isMasked: true),
        .init(frequency: 4000, threshold: 110, isNoResponse: true),
      ]), right: try Audiogram([1000: 30]), measuredAt: Date(timeIntervalSince1970: 1.5),
      method: .selfTest)
    try mutate([profile.jsonData()], rounds: Self.rounds) { data in
      let read = try HearingProfile(json: data)
      XCTAssertEqual(try HearingProfile(json: read.jsonData()), read)
      for ear in Ear.allCases {
        guard let audiogram = read[ear] else { continue }
        XCTAssertTrue((-10...120).contains(audiogram.threshold(at: 1000)))
      }
      _ = try PrescriptionRule.nalRP.preset(for: read)
    }
  }

  func test_preset_fromDamagedJSON_isValidOrThrowsATypedError() throws {
    let presets = [
      Preset(
        left: try EarPreset(
          frequencies: [500, 2000], inputLevels: [40, 80], gains: [[10, 4], [30, 12]]),
        right: try EarPreset(frequencies: [1000], gains: [20]), rule: "fig6", ruleVersion: 1),
      Preset(left: nil, right: try EarPreset(frequencies: [500, 1000, 2000], gains: [0, 30, 60])),
    ]
    try mutate(presets.map { $0.jsonData() }, rounds: Self.rounds) { data in
      let read = try Preset(json: data)
      XCTAssertEqual(try Preset(json: read.jsonData()).id, read.id)
      for ear in Ear.allCases {
        guard let preset = read[ear] else { continue }
        XCTAssertTrue((0...60).contains(preset.gain(at: 700, inputLevel: 55)))
        XCTAssertFalse(preset.curve(at: 700).points.isEmpty)
      }
    }
  }

  private func mutate(
    _ originals: [Data], rounds: Int, test: String = #function, read: (Data) throws -> Void
  ) throws {
    let fresh = SeededGeneratorSeed.fresh(test)
    let seed = fresh.seed
    var generator = fresh.generator
    var (accepted, refused, placed) = (0, 0, 0)
    for _ in 0..<rounds {
      var bytes = Array(try XCTUnwrap(originals.randomElement(using: &generator)))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        Self.mutator.damage(&bytes, &generator)
      }
      do {
        try read(Data(bytes))
        accepted += 1
      } catch let error as UnreadableDocument {
        refused += 1
        if case .invalid = error { placed += 1 }
        let line = error.description
        XCTAssertFalse(line.isEmpty)
        XCTAssertLessThan(line.utf8.count, 2000)
        for scalar in line.unicodeScalars where scalar.value < 32 {
          XCTFail("control character in \(line.debugDescription)")
        }
      } catch {
        XCTFail("seed \(seed): \(error) for \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    print("\(test): \(accepted) read, \(refused) refused, \(placed) of them with a place")
    XCTAssertGreaterThan(accepted, rounds / 50)
    XCTAssertGreaterThan(placed, rounds / 50)
    XCTAssertGreaterThan(refused, rounds / 10)
  }
}
