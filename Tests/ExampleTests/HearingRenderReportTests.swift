import Foundation
import HearingAudio
import HearingFitting
import TestSupport
import XCTest

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Tests `hearing-render --report`.
final class HearingRenderReportTests: HearingRenderTestCase {
  private func report(_ arguments: [String], in folder: ScratchFolder) throws -> XMLDocument {
    let outcome = try run(
      ["in.wav", "out.wav", "--report", "report.html", "--quiet"] + arguments, in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let text = String(decoding: try folder.data("report.html"), as: UTF8.self)
    return try XMLDocument(xmlString: text.replacingOccurrences(of: "<!DOCTYPE html>", with: ""))
  }

  /// The cells of a table, keyed by the heading of their row. The caption of the table begins with
  /// `caption`.
  private func table(_ caption: String, of page: XMLDocument) throws -> [String: [String]] {
    let tables = try page.nodes(forXPath: "//*[local-name()='table']")
    let table = try XCTUnwrap(
      tables.first { table in
        (try? table.nodes(forXPath: "*[local-name()='caption']").first?.stringValue)??
          .hasPrefix(caption) == true
      }, caption)
    var rows: [String: [String]] = [:]
    for row in try table.nodes(forXPath: "*[local-name()='tbody']/*[local-name()='tr']") {
      let cells = (row.children ?? []).map { $0.stringValue ?? "" }
      rows[cells[0]] = Array(cells.dropFirst())
    }
    return rows
  }

  private func pointTitles(of page: XMLDocument) throws -> Set<String> {
    Set(
      try page.nodes(forXPath: "//*[local-name()='g']/*[local-name()='title']").compactMap(
        \.stringValue))
  }

  func test_reportPage_showsLevelsAndGainsOfTheToneBeforeAndAfter() throws {
    let folder = try ScratchFolder()
    // The levels of the two sines are 60 and 54 dB SPL. An RMS of 1.0 represents 100 dB SPL.
    let amplitude = 2.0.squareRoot() * 0.01
    try writeTone(
      1_000, amplitudes: [amplitude, amplitude / 2], rate: 8_000, seconds: 0.5,
      to: folder.path("in.wav"))
    let page = try report(
      ["--audiogram", "N2", "--rule", "half-gain", "--full-scale-spl", "100"], in: folder)
    let headings = try page.nodes(forXPath: "//*[local-name()='h2']").compactMap(\.stringValue)
    XCTAssertEqual(headings.prefix(3), ["In short", "The effect on the sound", "What you hear"])
    let titles = try pointTitles(of: page)
    for title in [
      "Left ear, before, 1000 Hz: 60 dB SPL", "Left ear, after, 1000 Hz: 72.5 dB SPL",
      "Right ear, before, 1000 Hz: 54 dB SPL", "Right ear, after, 1000 Hz: 66.5 dB SPL",
    ] {
      XCTAssertTrue(titles.contains(title), title)
    }
    let gains = try table("Gain in dB, prescribed", of: page)
    XCTAssertEqual(
      gains["1000 Hz"]?.map { $0.replacingOccurrences(of: "53.9", with: "54.0") },
      ["54.0", "12.5", "12.5", "60.0", "12.5", "12.5"])
    let levels = try table("Level in dB SPL", of: page)
    let cells = try XCTUnwrap(levels["Left ear"])
    XCTAssertEqual(cells.prefix(4), ["60.0", "60.0", "3.0", "72.5"])
    // The filter rings at the onset of the tone. Therefore the measured peak is not exact.
    XCTAssertEqual(try XCTUnwrap(Double(cells[4])), 72.5, accuracy: 1)
    XCTAssertEqual(cells.suffix(2), ["never", "–"])
  }

  func test_reportedGainInNoise_equalsThePrescribedGain() throws {
    let folder = try ScratchFolder()
    var generator = SeededGenerator(seed: 11)
    let noise = (0..<16_000).map { _ in Float.random(in: -0.02...0.02, using: &generator) }
    try write([noise], rate: 16_000, to: folder.path("in.wav"))
    let page = try report(["--audiogram", "N3", "--rule", "nal-r"], in: folder)
    let gains = try table("Gain in dB, prescribed", of: page)
    XCTAssertEqual(gains.count, 10)
    for (frequency, cells) in gains {
      let prescribed = try XCTUnwrap(Double(cells[1]))
      let achieved = try XCTUnwrap(Double(cells[2]))
      XCTAssertEqual(achieved, prescribed, accuracy: 1, frequency)
    }
  }

  func test_reportPage_showsTimeAndDepthOfTheLimiter() throws {
    let folder = try ScratchFolder()
    try writeTone(2_000, amplitudes: [0.5], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    let page = try report(
      [
        "--rule", "half-gain", "--full-scale-spl", "100", "--max-output-spl", "90", "--audiogram",
        "N5",
      ], in: folder)
    let levels = try table("Level in dB SPL", of: page)
    let cells = try XCTUnwrap(levels["Right ear"])
    XCTAssertTrue(cells[6].hasSuffix("% of the time"), cells[6])
    XCTAssertTrue(cells[7].hasSuffix(" dB"), cells[7])
  }

  func test_report_withAPreset_withBypass_orForSilentInput_hasTheExpectedValues() throws {
    let folder = try ScratchFolder()
    let ear = try EarPreset(frequencies: [1_000], gains: [12])
    try Preset(left: ear, right: nil).jsonData()
      .write(to: folder.url.appendingPathComponent("preset.json"))
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.2, to: folder.path("in.wav"))
    let page = try report(["--preset", "preset.json"], in: folder)
    let cells = try XCTUnwrap(table("Gain in dB, prescribed", of: page)["1000 Hz"])
    XCTAssertEqual(cells[1], "unknown")
    XCTAssertEqual(cells[2], "0.0")
    XCTAssertEqual(cells[4], "12.0")
    XCTAssertFalse(page.xmlString.contains("What you hear"))
    let bypassed = try report(["--rule", "half-gain", "--bypass"], in: folder)
    XCTAssertTrue(bypassed.xmlString.contains("the sound is unchanged"))
    try writeTone(1_000, amplitudes: [0], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    let silent = try table("Level in dB SPL", of: report(["--rule", "half-gain"], in: folder))
    XCTAssertEqual(silent["Left ear"]?.first, "silent")
    try writeTone(1_000, amplitudes: [0], rate: 48_000, seconds: 0, to: folder.path("in.wav"))
    XCTAssertEqual(
      try table("Gain in dB, prescribed", of: report(["--rule", "half-gain"], in: folder)).count, 10
    )
  }

  func test_report_includesTheFineTuning_andNamesTheHeadphoneCorrection() throws {
    let folder = try ScratchFolder()
    let ear = try EarPreset(frequencies: [1_000], gains: [12])
    let preset = Preset(left: ear, right: ear, fineTuning: try FineTuning(loudness: 1))
    try preset.jsonData().write(to: folder.url.appendingPathComponent("preset.json"))
    try folder.write("frequency,raw\n100,0\n1000,6\n8000,6\n", to: "headphone.csv")
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.5, to: folder.path("in.wav"))
    let gain = try XCTUnwrap(preset.fineTuned.left).gain(at: 1_000, inputLevel: 65)
    let text = String(format: "%.1f", gain)
    let page = try report(["--preset", "preset.json", "--full-scale-spl", "100"], in: folder)
    let cells = try XCTUnwrap(table("Gain in dB, prescribed", of: page)["1000 Hz"])
    XCTAssertEqual(cells[1...2], [text, text])
    XCTAssertFalse(page.xmlString.contains("headphone correction"))
    let corrected = try report(
      ["--preset", "preset.json", "--headphone", "headphone.csv"], in: folder)
    XCTAssertTrue(
      corrected.xmlString.contains("The headphone correction headphone.csv was applied"))
    let printed = try run(["in.wav", "out.wav", "--preset", "preset.json", "--json"], in: folder)
    XCTAssertTrue(
      printed.output.split(separator: "\n").contains { line in
        line.trimmingCharacters(in: .whitespaces).hasPrefix("\(Int(gain))")
      }, printed.output)
  }

  func test_report_ofABypassedRendering_namesTheChangesByTheHeadphoneCorrection() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.9], rate: 8_000, seconds: 0.5, to: folder.path("in.wav"))
    try folder.write("Filter 1: ON PK Fc 1000 Hz Gain 12 dB Q 1\nPreamp: 0 dB\n", to: "EQ.txt")
    let page = try report(["--bypass", "--headphone", "EQ.txt"], in: folder).xmlString
    XCTAssertFalse(page.contains("the sound is unchanged"))
    XCTAssertTrue(page.contains("The processing was bypassed. "))
    XCTAssertTrue(page.contains("The file was attenuated by "), page)
  }

  func test_failedRendering_keepsTheOldReport() throws {
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    try folder.write("old", to: "report.html")
    let outcome = try run(
      ["in.wav", "none/out.wav", "--rule", "half-gain", "--quiet", "--report", "report.html"],
      in: folder)
    XCTAssertEqual(outcome.exitCode, 73)
    XCTAssertEqual(String(decoding: try folder.data("report.html"), as: UTF8.self), "old")
    XCTAssertEqual(
      try run(["in.wav", "out.wav", "--rule", "half-gain", "--quiet", "--report", "."], in: folder)
        .exitCode, 73)
    XCTAssertEqual(Set(try folder.names()), ["in.wav", "report.html"])
  }

  func test_reportThatCannotBeWritten_leavesNoOutputFiles() throws {
    try XCTSkipUnless(FileManager.default.fileExists(atPath: "/dev/full"), "needs a full device")
    let folder = try ScratchFolder()
    try writeTone(1_000, amplitudes: [0.01], rate: 8_000, seconds: 0.1, to: folder.path("in.wav"))
    let outcome = try run(
      [
        "in.wav", "out.wav", "--rule", "half-gain", "--quiet", "--trace", "trace.csv", "--report",
        "/dev/full",
      ], in: folder)
    XCTAssertEqual(outcome.exitCode, 74)
    XCTAssertEqual(try folder.names(), ["in.wav"])
  }
}
