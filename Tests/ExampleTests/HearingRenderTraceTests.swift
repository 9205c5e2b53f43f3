import Foundation
import HearingAudio
import HearingFitting
import TestSupport
import XCTest

/// Tests `hearing-render --trace`.
final class HearingRenderTraceTests: HearingRenderTestCase {
  /// The content of a trace file. Each row has one number for each heading.
  private struct Table {
    let headings: [String]
    let rows: [[Double]]

    init(_ data: Data) throws {
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      headings = try XCTUnwrap(lines.first).split(separator: ",").map(String.init)
      rows = try lines.dropFirst().map { line in
        try line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
          try XCTUnwrap(Double(cell), "\(cell)")
        }
      }
    }

    func column(_ heading: String) throws -> [Double] {
      let index = try XCTUnwrap(headings.firstIndex(of: heading), heading)
      return rows.map { $0[index] }
    }
  }

  private func trace(_ arguments: [String], in folder: ScratchFolder) throws -> Table {
    let outcome = try run(
      ["in.wav", "out.wav", "--trace", "trace.csv", "--quiet"] + arguments, in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertEqual(outcome.errors, "")
    return try Table(folder.data("trace.csv"))
  }

  /// The amplitude of a sine of `level` dB SPL. An RMS of 1.0 represents 100 dB SPL.
  private func amplitude(_ level: Double) -> Double { 2.0.squareRoot() * pow(10, level / 20 - 5) }

  func test_trace_containsLevelAndGainOfEachBandAndEar_every10Milliseconds() throws {
    let folder = try ScratchFolder()
    try writeTone(
      1_000, amplitudes: [amplitude(70), amplitude(50)], rate: 22_050, seconds: 0.5,
      to: folder.path("in.wav"))
    let table = try trace(
      ["--rule", "camfit-compressive", "--full-scale-spl", "100"], in: folder)
    XCTAssertEqual(table.headings.count, 1 + 2 * 10 * 2)
    XCTAssertEqual(
      table.headings.prefix(3), ["time_s", "left_250hz_input_dbspl", "left_250hz_gain_db"])
    XCTAssertEqual(table.headings.last, "right_8000hz_gain_db")
    XCTAssertEqual(table.rows.count, 50)
    for (row, time) in try table.column("time_s").enumerated() {
      XCTAssertEqual(time, Double(row + 1) / 100, accuracy: 1e-9)
    }
    let preset = try PrescriptionRule.camfitCompressive.preset(
      for: HearingProfile(left: .n3, right: .n3))
    for (ear, level) in [(Ear.left, 70.0), (.right, 50)] {
      // The gains of both ears are linked. Therefore both gains depend on the level of the louder
      // ear.
      let gain = try XCTUnwrap(preset[ear]).gain(at: 1_000, inputLevel: 70)
      let levels = try table.column("\(ear.rawValue)_1000hz_input_dbspl")
      let gains = try table.column("\(ear.rawValue)_1000hz_gain_db")
      XCTAssertEqual(try XCTUnwrap(levels.last), level, accuracy: 0.2)
      XCTAssertEqual(try XCTUnwrap(gains.last), gain, accuracy: 0.2)
      XCTAssertNotEqual(gains.first, gains.last, "the gain follows the onset")
    }
  }

  func test_trace_withLinearGains_containsInputLevels() throws {
    let folder = try ScratchFolder()
    try writeTone(
      1_000, amplitudes: [amplitude(60)], rate: 11_025, seconds: 0.5, to: folder.path("in.wav"))
    let table = try trace(["--rule", "half-gain", "--full-scale-spl", "100"], in: folder)
    XCTAssertEqual(table.rows.count, 50, "2 ms of silence follow for the look-ahead")
    XCTAssertEqual(
      try XCTUnwrap(table.column("left_1000hz_input_dbspl").last), 60, accuracy: 0.2)
    XCTAssertEqual(Set(try table.column("right_1000hz_gain_db")), [20])
  }

  func test_trace_withOneLinearAndOneCompressingEar_containsInputLevelsOfBoth() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [amplitude(70), amplitude(50)], to: folder.path("in.wav"))
    let follows = try PrescriptionRule.camfitCompressive.preset(for: HearingProfile(left: .n3))
    let fixed = try EarPreset(frequencies: [1_000], gains: [20])
    for preset in [
      Preset(left: follows.left, right: fixed), Preset(left: fixed, right: follows.left),
    ] {
      try preset.jsonData().write(to: folder.url.appendingPathComponent("preset.json"))
      let table = try trace(["--preset", "preset.json", "--full-scale-spl", "100"], in: folder)
      for (ear, level) in [("left", 70.0), ("right", 50)] {
        let levels = try table.column("\(ear)_1000hz_input_dbspl")
        XCTAssertEqual(try XCTUnwrap(levels.last), level, accuracy: 0.2, ear)
      }
    }
  }

  func test_blockSize_doesNotChangeTheTrace() throws {
    let folder = try ScratchFolder()
    let noise = (0..<3_600).map { Float(sin(Double($0 * $0 % 7_919))) / 10 }
    try write([noise, noise.reversed()], rate: 11_025, to: folder.path("in.wav"))
    let first = try trace(["--block", "1"], in: folder)
    XCTAssertEqual(first.rows.count, 32, "whole intervals of 10 ms in 0.327 s")
    for block in ["100", "65536"] {
      let table = try trace(["--block", block], in: folder)
      XCTAssertEqual(table.rows, first.rows)
    }
  }

  func test_trace_withBypass_hasNoGain_andWithIntensity_hasScaledGain() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    let bypassed = try trace(["--rule", "half-gain", "--bypass"], in: folder)
    XCTAssertEqual(Set(try bypassed.column("left_1000hz_gain_db")), [0])
    let half = try trace(["--rule", "half-gain", "--intensity", "0.5"], in: folder)
    XCTAssertEqual(Set(try half.column("left_1000hz_gain_db")), [10])
  }

  func test_failedRendering_keepsTheOldTrace_andLeavesNoUnfinishedFile() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    try folder.write("old", to: "trace.csv")
    let cases: [(arguments: [String], code: Int32)] = [
      (["in.wav", "none/out.wav", "--rule", "half-gain", "--quiet", "--trace", "trace.csv"], 73),
      (["none.wav", "out.wav", "--trace", "trace.csv"], 66),
      (["in.wav", "out.wav", "--rule", "half-gain", "--quiet", "--trace", "none/trace.csv"], 73),
      (["in.wav", "out.wav", "--trace", "out.wav"], 64),
      (["in.wav", "out.wav", "--trace", "./in.wav"], 64),
      (["in.wav", "out.wav", "--trace", "trace.csv", "--report", "trace.csv"], 64),
      (["in.wav", "out.wav", "--rule", "half-gain", "--quiet", "--trace", "/dev/full"], 74),
    ]
    for (arguments, code) in cases {
      let outcome = try run(arguments, in: folder)
      XCTAssertEqual(outcome.exitCode, code, "\(arguments): \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1, "\(arguments): \(outcome.errors)")
    }
    XCTAssertEqual(String(decoding: try folder.data("trace.csv"), as: UTF8.self), "old")
    XCTAssertEqual(Set(try folder.names()), ["in.wav", "trace.csv"])
  }
}
