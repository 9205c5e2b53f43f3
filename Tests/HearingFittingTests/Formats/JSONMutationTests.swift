import Foundation
import TestSupport
import XCTest

@testable import HearingFitting

/// Reads damaged documents: whatever comes must give a value or a typed error of one line.
final class JSONMutationTests: XCTestCase {
  private static let words = [
    "1e308", "-1e308", "1e999", "1e-999", "NaN", "\"NaN\"", "null", "true", "-0", "{}", "[]",
    "\"\"",
    "99999999999999999999", "1.5", "-", "\\u0000", "\u{202E}", "[[[[", "left", "points", ",", "}",
    "0.1e", "\"isMasked\":1", "120.0000001", "2",
  ]

  func test_profile_mutated_neverTraps() throws {
    let profile = HearingProfile(
      left: try Audiogram(points: [
        .init(frequency: 250, threshold: 20, isMasked: true),
        .init(frequency: 4000, threshold: 110, isNoResponse: true),
      ]), right: try Audiogram([1000: 30]), measuredAt: Date(timeIntervalSince1970: 1.5),
      method: .selfTest)
    try mutate([profile.jsonData()], rounds: 15_000) { data in
      let read = try HearingProfile(json: data)
      XCTAssertEqual(try HearingProfile(json: read.jsonData()), read)
      for ear in Ear.allCases {
        guard let audiogram = read[ear] else { continue }
        XCTAssertTrue((-10...120).contains(audiogram.threshold(at: 1000)))
      }
      _ = try PrescriptionRule.nalRP.preset(for: read)
    }
  }

  func test_preset_mutated_neverTraps() throws {
    let presets = [
      Preset(
        left: try EarPreset(
          frequencies: [500, 2000], inputLevels: [40, 80], gains: [[10, 4], [30, 12]]),
        right: try EarPreset(frequencies: [1000], gains: [20]), rule: "fig6", ruleVersion: 1),
      Preset(left: nil, right: try EarPreset(frequencies: [500, 1000, 2000], gains: [0, 30, 60])),
    ]
    try mutate(presets.map { $0.jsonData() }, rounds: 15_000) { data in
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
    let seed = SeededGenerator.freshSeed()
    print("\(test): seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var (accepted, refused, placed) = (0, 0, 0)
    for _ in 0..<rounds {
      var bytes = Array(try XCTUnwrap(originals.randomElement(using: &generator)))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        Self.damage(&bytes, &generator)
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

  private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return bytes.append(.random(in: 0...255, using: &generator)) }
    let place = Int.random(in: bytes.indices, using: &generator)
    let end = Int.random(in: place...min(bytes.count, place + 30), using: &generator)
    switch Int.random(in: 0..<16, using: &generator) {
    case 8...:
      // The grammar stays whole, a number changes.
      let digits = bytes.indices.filter {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0])
      }
      guard let digit = digits.randomElement(using: &generator) else { return }
      let digitOrMore =
        ["1", "7", "0", "99", "5.5", "3e", "-"].randomElement(using: &generator) ?? ""
      bytes.replaceSubrange(digit...digit, with: digitOrMore.utf8)
    case 0: bytes[place] = .random(in: 0...255, using: &generator)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.removeSubrange(place...)
    case 5:
      let word = words.randomElement(using: &generator) ?? ""
      bytes.insert(contentsOf: word.utf8, at: place)
    default:
      // A number or a word of the document gives way to another.
      let separators: Set<UInt8> = Set(" \n:,[]{}".utf8)
      let start = bytes[..<place].lastIndex(where: separators.contains).map { $0 + 1 } ?? 0
      let stop = bytes[place...].firstIndex(where: separators.contains) ?? bytes.count
      let word = words.randomElement(using: &generator) ?? ""
      bytes.replaceSubrange(start..<max(start, stop), with: word.utf8)
    }
  }
}
