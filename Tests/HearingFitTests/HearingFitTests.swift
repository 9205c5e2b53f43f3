import Foundation
import HearingFitting
import TestSupport
import XCTest

final class HearingFitTests: XCTestCase {
  private func run(_ arguments: String..., in folder: ScratchFolder) throws
    -> BuiltExecutable.Outcome
  {
    try BuiltExecutable("hearing-fit").run(arguments, in: folder.url)
  }

  func test_standardAudiogram_withoutOptions_isFittedAtTechLevel3() throws {
    let folder = try ScratchFolder()
    let outcome = try run("N3", "--out", "preset.json", in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.errors, "")
    let preset = try Preset(json: folder.data("preset.json"))
    let expected = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n3))
    XCTAssertEqual(preset, expected)
    XCTAssertTrue(outcome.output.contains("rule comfortable-speech, preset \(expected.id)"))
    XCTAssertEqual(try folder.names(), ["preset.json"])
  }

  func test_techLevelRuleLimitsAndProgram_determineThePreset() throws {
    let folder = try ScratchFolder()
    let profile = HearingProfile(left: .s2, right: .s2)
    for level in 1...3 {
      let outcome = try run("s2", "--tech-level", "\(level)", "--out=p.json", in: folder)
      XCTAssertEqual(outcome.exitCode, 0)
      XCTAssertEqual(
        try Preset(json: folder.data("p.json")), try Fitting.techLevel(level).preset(for: profile))
    }
    for rule in PrescriptionRule.all {
      let outcome = try run("--rule", rule.name, "S2", "--out", "p.json", in: folder)
      XCTAssertEqual(outcome.exitCode, 0)
      XCTAssertEqual(
        try Preset(json: folder.data("p.json")),
        try Fitting.techLevel(3).using(rule).preset(for: profile))
    }
    let published = try run(
      "--rule", "camfit-compressive", "S2", "--limits", "none", "--out", "p.json", in: folder)
    XCTAssertEqual(published.exitCode, 0)
    XCTAssertEqual(
      try Preset(json: folder.data("p.json")).left,
      try PrescriptionRule.camfitCompressive.preset(for: profile).left)
    let music = try run("S2", "--program", "music", "--out", "p.json", in: folder)
    XCTAssertEqual(music.exitCode, 0)
    XCTAssertEqual(try Preset(json: folder.data("p.json")).program, .music)
    for arguments in [["N3", "--program", "opera"], ["N3", "--limits", "missing.json"]] {
      let wrong = try BuiltExecutable("hearing-fit").run(arguments, in: folder.url)
      XCTAssertNotEqual(wrong.exitCode, 0)
      XCTAssertEqual(wrong.errors.split(separator: "\n").count, 1, wrong.errors)
    }
  }

  func test_formatJSON_printsTheGainsOfTheRule() throws {
    let folder = try ScratchFolder()
    let profile = HearingProfile(left: .n6)
    try folder.write(String(decoding: profile.jsonData(), as: UTF8.self), to: "left.json")
    for rule in PrescriptionRule.all {
      let outcome = try run(
        "left.json", "--rule", rule.name, "--format", "json", in: folder)
      XCTAssertEqual(outcome.exitCode, 0)
      let root = try XCTUnwrap(
        JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      XCTAssertEqual(Set(root.keys), ["rule", "levelReference", "left", "right"])
      XCTAssertEqual(root["rule"] as? String, rule.name)
      XCTAssertEqual(root["levelReference"] as? String, rule.levelReference.rawValue)
      XCTAssertTrue(root["right"] is NSNull)
      let left = try XCTUnwrap(root["left"] as? [String: Any])
      XCTAssertEqual(Set(left.keys), ["frequencies", "inputLevels", "gains"])
      let frequencies = try XCTUnwrap(left["frequencies"] as? [Double])
      XCTAssertEqual(frequencies, [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000])
      XCTAssertEqual(left["inputLevels"] as? [Double], [50, 65, 80])
      let gains = try XCTUnwrap(left["gains"] as? [[Double]])
      XCTAssertEqual(gains.map(\.count), [10, 10, 10])
      for (level, row) in zip([50.0, 65, 80], gains) {
        for (frequency, gain) in zip(frequencies, row) {
          XCTAssertEqual(
            gain, rule.insertionGain(for: .n6, at: frequency, inputLevel: level), accuracy: 1e-6)
        }
      }
    }
  }

  func test_report_writesAPageWithFourCharts() throws {
    let folder = try ScratchFolder()
    let outcome = try run("N4", "--report", "report.html", in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    let page = String(decoding: try folder.data("report.html"), as: UTF8.self)
    XCTAssertTrue(page.hasPrefix("<!DOCTYPE html>"))
    let pictures = page.components(separatedBy: "<svg").count - 1
    XCTAssertEqual(pictures, 2 * 4, "each in the layouts for wide and for narrow pages")
    XCTAssertTrue(page.contains("Comfortable speech"))
  }

  func test_help_isPrintedEvenWithOtherArguments() throws {
    let folder = try ScratchFolder()
    for arguments in [["--help"], ["-h"], ["N3", "--help", "--nonsense"]] {
      let outcome = try BuiltExecutable("hearing-fit").run(arguments, in: folder.url)
      XCTAssertEqual(outcome.exitCode, 0)
      XCTAssertTrue(outcome.output.contains("hearing-fit AUDIOGRAM"))
      for rule in PrescriptionRule.all { XCTAssertTrue(outcome.output.contains(rule.name)) }
      XCTAssertTrue(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }

  func test_invalidCommandLine_exitsWith64_andPrintsOneErrorLine() throws {
    let folder = try ScratchFolder()
    try folder.write(
      String(decoding: HearingProfile(left: .n3).jsonData(), as: UTF8.self), to: "in.json")
    for (arguments, words) in [
      ([], "AUDIOGRAM is missing"),
      (["N3", "N4"], "\"N4\" is one argument too many"),
      (["N3", "--nonsense"], "unknown option \"--nonsense\""),
      (["N3", "--repot", "a"], "did you mean --report?"),
      (["N3", "--rule", "nal-nl2"], "\"nal-nl2\" is not one of half-gain, pogo"),
      (
        ["N3", "--rule", "nal-r", "--tech-level", "2"],
        "--rule cannot be combined with --tech-level"
      ),
      (["N3", "--tech-level", "4"], "--tech-level: 4 is outside 1…3"),
      (["N3", "--tech-level", "two"], "\"two\" is not a whole number"),
      (["N3", "--tech-level"], "--tech-level needs a value"),
      (["N3", "--out", "a", "--out", "b"], "--out occurs more than once"),
      (["N3", "--out", "a", "--report", "./a"], "--out and --report are the same file"),
      (["in.json", "--out", "in.json"], "AUDIOGRAM and --out are the same file"),
      (["N3", "--format", "xml"], "\"xml\" is not one of text, json"),
      (["N3", "--date", "2025-02-29"], "\"2025-02-29\" is not a date"),
      (["N3", "--date", "2025-02-28"], "--date cannot be combined with N3"),
      (["N3", "--ear-age", "60"], "--ear-age needs --sex"),
      (["N3", "--sex", "male"], "--sex needs --ear-age"),
      (["N3", "--ear-age", "nan", "--sex", "male"], "nan is outside 18…80"),
      (["N3", "--ear-age", "81", "--sex", "male"], "81 is outside 18…80"),
      (["N3", "--out", ""], "--out needs a value"),
      (["--preset", "in.json"], "--preset needs --install or --export"),
      (["N3", "--preset", "in.json", "--export", "a.txt"], "N3 cannot be combined with --preset"),
      (
        ["--preset", "in.json", "--rule", "nal-r", "--export", "a.txt"],
        "--rule cannot be combined with --preset"
      ),
    ] {
      let outcome = try BuiltExecutable("hearing-fit").run(arguments, in: folder.url)
      XCTAssertEqual(outcome.exitCode, 64, "\(arguments)")
      XCTAssertEqual(outcome.output, "", "\(arguments)")
      XCTAssertEqual(outcome.errorLines.count, 1, outcome.errors)
      XCTAssertTrue(outcome.errors.hasPrefix("hearing-fit: "), outcome.errors)
      XCTAssertTrue(outcome.errors.contains(words), outcome.errors)
    }
    XCTAssertEqual(try folder.names(), ["in.json"])
  }

  func test_invalidInput_exitsWith65_andNamesTheFileOrField() throws {
    let folder = try ScratchFolder()
    let point = #"{"frequency": 1000, "threshold": 400}"#
    let bad =
      #"{"format": "hearing-profile", "version": 1, "left": {"points": [\#(point)]}}"#
    try folder.write(bad, to: "bad.json")
    try folder.write("nothing of the kind\u{7}\n", to: "text")
    try folder.write("", to: "empty")
    for (name, words) in [("bad.json", "left.points"), ("text", "text"), ("empty", "empty")] {
      let outcome = try run(name, "--out", "p.json", "--report", "r.html", in: folder)
      XCTAssertEqual(outcome.exitCode, 65, name)
      XCTAssertEqual(outcome.output, "")
      XCTAssertEqual(outcome.errorLines.count, 1, outcome.errors)
      XCTAssertTrue(outcome.errors.contains(words), outcome.errors)
    }
    XCTAssertEqual(try folder.names(), ["bad.json", "text", "empty"])
  }

  func test_inputThatIsMissingOrAFolder_exitsWith66() throws {
    let folder = try ScratchFolder()
    for (name, words) in [("N9", "not a standard audiogram"), ("/", "is a folder")] {
      let outcome = try run(name, in: folder)
      XCTAssertEqual(outcome.exitCode, 66)
      XCTAssertEqual(outcome.errorLines.count, 1)
      XCTAssertTrue(outcome.errors.contains(words), outcome.errors)
    }
  }

  func test_fileNamedLikeAStandardAudiogram_isReadIfGivenAsAPath() throws {
    let folder = try ScratchFolder()
    try folder.write(
      String(decoding: HearingProfile(left: .s1).jsonData(), as: UTF8.self), to: "N3")
    XCTAssertEqual(try run("./N3", "--out", "p.json", in: folder).exitCode, 0)
    XCTAssertNil(try Preset(json: folder.data("p.json")).right)
  }

  func test_outputThatCannotBeCreated_exitsWith73_andWritesNothing() throws {
    let folder = try ScratchFolder()
    try folder.write("old", to: "preset.json")
    for path in ["missing/report.html", ".", "report/"] {
      let outcome = try run("N3", "--out", "preset.json", "--report", path, in: folder)
      XCTAssertEqual(outcome.exitCode, 73, path)
      XCTAssertEqual(outcome.output, "")
      XCTAssertEqual(outcome.errorLines.count, 1)
      XCTAssertEqual(try folder.data("preset.json"), Data("old".utf8), "untouched")
    }
    XCTAssertEqual(try folder.names(), ["preset.json"])
  }

  func test_outputThatCannotBeWritten_exitsWith74() throws {
    let full = "/dev/full"
    try XCTSkipUnless(FileManager.default.fileExists(atPath: full), "no \(full) on this system")
    let folder = try ScratchFolder()
    let outcome = try run("N3", "--out", full, in: folder)
    XCTAssertEqual(outcome.exitCode, 74)
    XCTAssertEqual(outcome.errorLines.count, 1)
  }

  func test_csv_isRead_andItsErrorsNameTheLine() throws {
    let folder = try ScratchFolder()
    try folder.write("frequency_hz;left_dbhl;right_dbhl\n500;20;\n4000;60;\n", to: "a.csv")
    XCTAssertEqual(try run("a.csv", "--out", "p.json", in: folder).exitCode, 0)
    let left = try Audiogram([500: 20, 4000: 60])
    XCTAssertEqual(
      try Preset(json: folder.data("p.json")),
      try Fitting.techLevel(3).preset(for: HearingProfile(left: left)))
    try folder.write("frequency_hz,left_dbhl,right_dbhl\n500,20,20\n4000,nan,20\n", to: "b.csv")
    let outcome = try run("b.csv", in: folder)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertEqual(outcome.errorLines.count, 1)
    XCTAssertTrue(outcome.errors.contains("line 3"), outcome.errors)
  }

  func test_healthExport_isRead_andTheDateOptionSelectsAnAudiogram() throws {
    let folder = try ScratchFolder()
    func audiogram(_ day: String, _ level: Int) -> String {
      """
      <Audiogram type="HKDataTypeIdentifierAudiogram" startDate="\(day) 23:30:00 -0800">
      <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="\(level)" \
      leftEarUnit="dBHL" rightEarValue="\(level)" rightEarUnit="dBHL"/></Audiogram>

      """
    }
    let export =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en\">\n"
      + audiogram("2024-05-01", 30) + audiogram("2025-03-14", 50) + audiogram("2024-11-02", 40)
      + "</HealthData>\n"
    try folder.write(export, to: "export.xml")
    for (arguments, level) in [
      ([], 50.0), (["--date", "2024-05-01"], 30), (["--date", "2024-11-02"], 40),
      (["--date", "2025-03-14"], 50),
    ] {
      let outcome = try BuiltExecutable("hearing-fit").run(
        ["export.xml", "--out", "p.json"] + arguments, in: folder.url)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      let ear = try Audiogram([1000: level])
      XCTAssertEqual(
        try Preset(json: folder.data("p.json")),
        try Fitting.techLevel(3).preset(for: HearingProfile(left: ear, right: ear)))
    }
    let outcome = try run("export.xml", "--date", "2025-03-15", in: folder)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertEqual(outcome.errorLines.count, 1)
    for day in ["2024-05-01", "2025-03-14", "2024-11-02"] {
      XCTAssertTrue(outcome.errors.contains(day), outcome.errors)
    }
  }

  func test_earAge_estimatesOnlyEarsThatWereNotMeasured() throws {
    let folder = try ScratchFolder()
    let estimate = HearingProfile(estimatedFrom: try AgeRelatedHearing(age: 60, sex: .male))
    let alone = try run(
      "--ear-age", "60", "--sex", "male", "--out", "p.json", "--report", "r.html", in: folder)
    XCTAssertEqual(alone.exitCode, 0, alone.errors)
    XCTAssertEqual(
      try Preset(json: folder.data("p.json")), try Fitting.techLevel(3).preset(for: estimate))
    XCTAssertTrue(
      alone.output.hasPrefix("typical hearing for this age and sex: normal"), alone.output)
    XCTAssertTrue(alone.output.contains("thresholds were estimated from age and sex"), alone.output)
    XCTAssertTrue(
      String(decoding: try folder.data("r.html"), as: UTF8.self).contains("were not measured"))

    try folder.write(
      String(decoding: HearingProfile(left: .n4).jsonData(), as: UTF8.self), to: "left.json")
    let half = try run(
      "left.json", "--ear-age", "60", "--sex", "male", "--out", "p.json", "--report", "r.html",
      in: folder)
    XCTAssertEqual(half.exitCode, 0, half.errors)
    XCTAssertEqual(
      try Preset(json: folder.data("p.json")),
      try Fitting.techLevel(3).preset(for: HearingProfile(left: .n4, right: estimate.right)))
    XCTAssertFalse(half.output.contains("left ear: estimated from"))
    XCTAssertTrue(half.output.contains("right ear: estimated from"))
    XCTAssertTrue(
      String(decoding: try folder.data("r.html"), as: UTF8.self).contains("Right ear, estimated"))

    let estimated = HearingProfile(left: estimate.left, method: .estimate)
    try folder.write(String(decoding: estimated.jsonData(), as: UTF8.self), to: "estimate.json")
    let both = try run(
      "estimate.json", "--ear-age", "60", "--sex", "male", "--report", "r.html", in: folder)
    XCTAssertEqual(both.exitCode, 0, both.errors)
    XCTAssertTrue(
      String(decoding: try folder.data("r.html"), as: UTF8.self).contains("Left ear, estimated"))

    XCTAssertEqual(try run("left.json", "--out", "p.json", in: folder).exitCode, 0)
    XCTAssertNil(try Preset(json: folder.data("p.json")).right, "no estimate without --ear-age")
  }

  func test_defaultFittingDate_isTheLocalDay() throws {
    let folder = try ScratchFolder()
    // The local times of these two time zones differ by 26 hours, so their dates always differ.
    for (zone, hours) in [("Etc/GMT-14", 14.0), ("Etc/GMT+12", -12)] {
      func day() -> String {
        let local = Date(timeIntervalSinceNow: hours * 3600)
        return local.formatted(
          Date.VerbatimFormatStyle(
            format: "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits)",
            locale: Locale(identifier: "en"), timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian)))
      }
      // The date may change while the command runs. Therefore the test reads it before and after
      // the command.
      let before = day()
      let outcome = try BuiltExecutable("hearing-fit").run(
        ["N3", "--clinical", "page.html"], in: folder.url, environment: ["TZ": zone])
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      let page = String(decoding: try folder.data("page.html"), as: UTF8.self)
      let text = try XCTUnwrap(page.components(separatedBy: "Date of the fitting</dt>").last)
      XCTAssertTrue([before, day()].contains { text.prefix(40).contains(">\($0)<") }, zone)
    }
  }

  func test_findingsAndAssumptions_arePrinted() throws {
    let folder = try ScratchFolder()
    try folder.write("1000,20,20\n", to: "point.csv")
    let outcome = try run("point.csv", "--clinical", "page.html", in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("no header: read as"), outcome.output)
    XCTAssertTrue(
      outcome.output.contains("the left ear was not measured at 500, 2000, 4000 Hz; have hearing"),
      outcome.output)
    XCTAssertTrue(
      String(decoding: try folder.data("page.html"), as: UTF8.self).contains("Date, signature"))
    XCTAssertEqual(try run("N3", "--device", "X", in: folder).exitCode, 64)
  }

  func test_textOutput_beginsWithTheHearingLoss_andEndsWithTheWrittenFiles() throws {
    let folder = try ScratchFolder()
    try folder.write("Hz,left,right\n500,35,20\n1000,40,25\n2000,50,35\n4000,60,45\n", to: "a.csv")
    let arguments = ["a.csv", "--out", "p.json", "--report", "r.html", "--clinical", "c.html"]
    let outcome = try BuiltExecutable("hearing-fit").run(
      arguments + ["--fitting-date", "2026-01-31"], in: folder.url)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    XCTAssertEqual(
      lines.prefix(4).map { String($0.prefix(34)) },
      [
        "a.csv: mild hearing loss (World He", "right ear: 31.3 dB HL on average (",
        "left ear: 46.3 dB HL on average (5", "the left ear is up to 15 dB poorer",
      ])
    XCTAssertEqual(
      lines.suffix(3), ["p.json written", "r.html written", "c.html written"])
    let page = String(decoding: try folder.data("c.html"), as: UTF8.self)
    XCTAssertTrue(page.contains("31 January 2026"))
    XCTAssertEqual(try run("N1", "--fitting-date", "2026-01-31", in: folder).exitCode, 64)

    let json = try run("N1", "--format", "json", "--out", "p.json", in: folder)
    XCTAssertEqual(json.errors, "hearing-fit: p.json written\n")
    XCTAssertNotNil(try? JSONSerialization.jsonObject(with: json.outputData))
    let normal = try run("N1", in: folder)
    XCTAssertTrue(
      normal.output.hasPrefix("standard audiogram N1, both ears: normal hearing ("), normal.output)
  }

  func test_tableAndReport_limitGainsByTheMaximumOutput() throws {
    let folder = try ScratchFolder()
    let outcome = try run(
      "N7", "--program", "music", "--out", "p.json", "--report", "r.html", in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let ear = try XCTUnwrap(
      JSONDecoder().decode(Preset.self, from: folder.data("p.json")).left)
    let limited = ear.largestOutput(at: 4000, in: .freeField) - 80
    XCTAssertLessThan(limited, ear.gain(at: 4000, inputLevel: 80) - 10)
    let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ") }
    let text = String((limited * 10).rounded() / 10)
    XCTAssertEqual(rows.first { $0.first == "4000" }?.last.map(String.init), text)
    XCTAssertTrue(
      String(decoding: try folder.data("r.html"), as: UTF8.self).contains(">\(text)<"), text)
  }

  func test_date_withoutAMeasurement_exitsWith65_andNamesTheMeasuredDate() throws {
    let folder = try ScratchFolder()
    let profile = HearingProfile(
      left: .n2, measuredAt: Date(timeIntervalSince1970: 1_741_944_413))
    try folder.write(String(decoding: profile.jsonData(), as: UTF8.self), to: "in.json")
    XCTAssertEqual(try run("in.json", "--date", "2025-03-14", in: folder).exitCode, 0)
    let outcome = try run("in.json", "--date", "2025-03-15", in: folder)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertTrue(outcome.errors.contains("2025-03-14"), outcome.errors)
  }

  func test_soundFileAsInput_exitsWith65_andTheErrorSaysItIsASoundFile() throws {
    let folder = try ScratchFolder()
    var data = Data("RIFF".utf8)
    data += [36, 0, 0, 0] + Data("WAVEfmt ".utf8) + Data(repeating: 0xFF, count: 100)
    try data.write(to: folder.url.appendingPathComponent("speech.wav"))
    let outcome = try run("speech.wav", in: folder)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertTrue(
      outcome.errors.contains("it is a sound file (WAV), not an audiogram"), outcome.errors)
  }

  func test_textOutput_hasNoLongLines_andMarksAveragesThatAreLowerBounds() throws {
    let folder = try ScratchFolder()
    let left = try Audiogram(points: [
      .init(frequency: 500, threshold: 30), .init(frequency: 1000, threshold: 40),
      .init(frequency: 2000, threshold: 60),
      .init(frequency: 4000, threshold: 90, isNoResponse: true),
    ])
    let profile = HearingProfile(left: left, right: .n3)
    try folder.write(String(decoding: profile.jsonData(), as: UTF8.self), to: "in.json")
    let outcome = try run("in.json", in: folder)
    XCTAssertTrue(outcome.output.contains("left ear: at least 55 dB HL on average"), outcome.output)
    XCTAssertTrue(outcome.output.contains("right ear: 46.3 dB HL on average"), outcome.output)
    XCTAssertTrue(outcome.output.contains("(21 CFR 800.30)"), outcome.output)
    for line in outcome.output.split(separator: "\n") {
      XCTAssertLessThanOrEqual(line.count, 110, String(line))
    }
  }
}
