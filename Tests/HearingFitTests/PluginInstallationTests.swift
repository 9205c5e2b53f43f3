import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import TestSupport
import XCTest

/// Tests `hearing-fit --install`, `--uninstall` and `--export`. Dummy files replace the files of
/// the plugin.
final class PluginInstallationTests: XCTestCase {
  private let bundle = ["hearing-processing.so", "hearing-processing.ttl", "manifest.ttl"]

  private func run(_ arguments: String..., in folder: ScratchFolder) throws
    -> BuiltExecutable.Outcome
  {
    try BuiltExecutable("hearing-fit").run(
      arguments, in: folder.url,
      environment: ["HOME": folder.url.path, "XDG_CONFIG_HOME": folder.url.path + "/config"])
  }

  private func makePlugin(in folder: ScratchFolder) throws {
    let plugin = folder.url.appendingPathComponent("plugin/hearing-processing.lv2")
    try FileManager.default.createDirectory(at: plugin, withIntermediateDirectories: true)
    for name in bundle { try Data(name.utf8).write(to: plugin.appendingPathComponent(name)) }
  }

  private func text(_ path: String, in folder: ScratchFolder) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(path), encoding: .utf8)
  }

  func test_install_writesPluginPresetAndPipeWireSink_andUninstallRemovesThem() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    let outcome = try run(
      "N3", "--install", "--pipewire", "--plugin", "plugin", in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("systemctl --user restart pipewire"), outcome.output)
    for name in bundle {
      XCTAssertEqual(try text(".lv2/hearing-processing.lv2/\(name)", in: folder), name)
    }
    XCTAssertEqual(try text(".ladspa/hearing-processing.so", in: folder), bundle[0])
    let expected = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n3))
    XCTAssertEqual(try text("config/hearing-processing/preset.txt", in: folder), expected.table)
    let sink = try text("config/pipewire/pipewire.conf.d/hearing-processing.conf", in: folder)
    XCTAssertTrue(sink.contains("\"\(folder.url.path)/.ladspa/hearing-processing.so\""), sink)

    // The installed plugin stays. Only the preset changes.
    let again = try run("N5", "--install", in: folder)
    XCTAssertEqual(again.exitCode, 0, again.errors)
    XCTAssertNotEqual(try text("config/hearing-processing/preset.txt", in: folder), expected.table)

    let removal = try run("--uninstall", in: folder)
    XCTAssertEqual(removal.exitCode, 0, removal.errors)
    for path in [
      ".ladspa/hearing-processing.so", ".lv2/hearing-processing.lv2", "config/hearing-processing",
      "config/pipewire/pipewire.conf.d/hearing-processing.conf",
    ] {
      XCTAssertFalse(
        FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(path).path), path)
    }
    XCTAssertEqual(try run("--uninstall", in: folder).output, "nothing is installed\n")
  }

  func test_headphoneOption_writesAParametricEQFile() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    try folder.write(
      "Preamp: -6 dB\nFilter 1: ON PK Fc 1000 Hz Gain 5 dB Q 1\n", to: "my headphone.txt")
    let outcome = try run(
      "N3", "--install", "--plugin", "plugin", "--headphone", "my headphone.txt", in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertEqual(
      try text("config/hearing-processing/headphone.txt", in: folder),
      "Preamp: -6.00 dB\nFilter 1: ON PK Fc 1000.0 Hz Gain 5.00 dB Q 1.00\n")
  }

  func test_invalidInstallOptions_printOneErrorLine_andWriteNothing() throws {
    let folder = try ScratchFolder()
    for (arguments, code) in [
      (["N3", "--install"], 66), (["N3", "--pipewire"], 64), (["N3", "--uninstall"], 64),
      (["N3", "--export", "a.wav"], 64), (["N3", "--export-level", "65"], 64),
      (["N3", "--export", "a.txt", "--export-level", "500"], 64),
      (["--uninstall", "--out", "p.json"], 64), (["--uninstall", "--limits", "none"], 64),
      (["--uninstall", "--preset", "p.json"], 64), (["--uninstall", "--format", "json"], 64),
      (["--uninstall", "--pipewire"], 64), (["--uninstall", "--ear-age", "60"], 64),
    ] {
      let outcome = try BuiltExecutable("hearing-fit").run(
        arguments, in: folder.url, environment: ["HOME": folder.url.path])
      XCTAssertEqual(Int(outcome.exitCode), code, "\(arguments): \(outcome.errors)")
      XCTAssertEqual(outcome.errors.split(separator: "\n").count, 1, outcome.errors)
    }
    XCTAssertEqual(try folder.names(), [])
  }

  func test_exportOfParametricEQ_printsWhatTheFormatCannotStore() throws {
    let folder = try ScratchFolder()
    try folder.write("frequency_hz,left_dbhl,right_dbhl\n500,20,40\n4000,40,60\n", to: "ears.csv")
    let outcome = try run("ears.csv", "--export", "My ParametricEQ.txt", in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("input of 65 dB SPL"), outcome.output)
    XCTAssertTrue(outcome.output.contains("smaller gain of both"), outcome.output)
    XCTAssertTrue(try text("My ParametricEQ.txt", in: folder).hasPrefix("Preamp: "))
  }

  func test_export_printsTheHeadroomThatTheExportedResponseNeeds() throws {
    let folder = try ScratchFolder()
    for name in ["N1", "N3", "N5", "N7", "S2"] {
      let outcome = try run(name, "--export", "a ParametricEQ.txt", in: folder)
      let exported = try HeadphoneCorrection(
        parametricEQ: text("a ParametricEQ.txt", in: folder))
      let gain = try XCTUnwrap(
        (0...1_000).map { exported.response(at: 20 * pow(1_000, Double($0) / 1_000)) }.max())
      XCTAssertTrue(
        outcome.output.contains("The gains reach \(Int(gain.rounded(.up))) dB."),
        "\(name), \(gain) dB: \(outcome.output)")
      XCTAssertTrue(outcome.output.contains("headroom"), outcome.output)
      XCTAssertTrue(
        outcome.output.split(separator: "\n").allSatisfy { $0.count <= 105 }, outcome.output)
    }
  }

  func test_exportOfOneCurveForBothEars_printsTheHeadroomOfThisCurve() throws {
    let folder = try ScratchFolder()
    try folder.write("frequency_hz,left_dbhl,right_dbhl\n500,20,70\n4000,40,80\n", to: "ears.csv")
    func stated(_ name: String) throws -> Double {
      let outcome = try run("ears.csv", "--export", name, in: folder)
      let match = outcome.output.firstMatch(of: /The gains reach (\d+) dB/)
      return try XCTUnwrap(match.flatMap { Double($0.output.1) }, outcome.output)
    }
    let parametric = try stated("a ParametricEQ.txt")
    let exported = try HeadphoneCorrection(parametricEQ: text("a ParametricEQ.txt", in: folder))
    let gain = try XCTUnwrap(
      (0...1_000).map { exported.response(at: 20 * pow(1_000, Double($0) / 1_000)) }.max())
    // The printed gain is rounded up. In addition, the fitted curve differs slightly from the
    // exported gain.
    XCTAssertEqual(parametric, gain, accuracy: 1.5)
    XCTAssertEqual(try stated("a GraphicEQ.txt"), parametric)
    XCTAssertGreaterThan(try stated("a.txt"), gain + 5)
  }

  func test_exportWithInstallOrJSON_printsTheWarningsOfTheExport() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    let installed = try run(
      "N3", "--install", "--plugin", "plugin", "--export", "eq.txt", in: folder)
    XCTAssertEqual(installed.exitCode, 0, installed.errors)
    XCTAssertTrue(installed.output.contains("eq.txt written"), installed.output)
    let json = try run("N3", "--format", "json", "--export", "eq.txt", in: folder)
    XCTAssertEqual(json.exitCode, 0, json.errors)
    XCTAssertTrue(json.output.hasPrefix("{"), json.output)
    for text in [installed.output, json.errors] {
      XCTAssertTrue(text.contains("Lower the volume before you"), text)
      XCTAssertTrue(text.contains("The gains reach "), text)
    }
  }

  func test_preset_withFineTuning_isInstalledAndExported() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    var preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n4))
    preset.fineTuning = try FineTuning(brightness: 0.5)
    try folder.write(String(decoding: preset.jsonData(), as: UTF8.self), to: "tuned.json")
    let outcome = try run(
      "--preset", "tuned.json", "--install", "--plugin", "plugin", "--export", "GraphicEQ.txt",
      in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("The gains reach "), outcome.output)
    XCTAssertEqual(try text("config/hearing-processing/preset.txt", in: folder), preset.table)
    XCTAssertEqual(
      try text("GraphicEQ.txt", in: folder), try EqualizerSettings(preset: preset).text(.graphicEQ))
    let exported = try run("--preset", "tuned.json", "--export", "eq.txt", in: folder)
    XCTAssertEqual(exported.exitCode, 0, exported.errors)
    XCTAssertTrue(exported.output.hasPrefix("eq.txt written\n"), exported.output)
    let refused = try run("tuned.json", "--install", in: folder)
    XCTAssertEqual(refused.exitCode, 65)
    XCTAssertTrue(refused.errors.contains("use --preset tuned.json"), refused.errors)
    XCTAssertEqual(try run("--preset", "no.json", "--export", "a.txt", in: folder).exitCode, 66)
  }

  func test_failedInstallation_writesNoFile() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    try folder.write("nothing\n", to: "bad.txt")
    let bad = try run(
      "N3", "--install", "--plugin", "plugin", "--headphone", "bad.txt", "--out", "p.json",
      in: folder)
    XCTAssertEqual(bad.exitCode, 65)
    let missing = try run("N3", "--install", "--plugin", "no", "--out", "p.json", in: folder)
    XCTAssertEqual(missing.exitCode, 66)
    XCTAssertEqual(try folder.names().sorted(), ["bad.txt", "plugin"])
  }

  func test_headphoneFileInUTF16OrWithOtherBytes_isRead() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    let correction = "# Höhen\r\nPreamp: -6 dB\r\nFilter 1: ON PK Fc 1000 Hz Gain 5 dB Q 1\r\n"
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1] {
      let data = try XCTUnwrap(correction.data(using: encoding))
      try data.write(to: folder.url.appendingPathComponent("headphone.txt"))
      let outcome = try run(
        "N3", "--install", "--plugin", "plugin", "--headphone", "headphone.txt", in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertEqual(
        try text("config/hearing-processing/headphone.txt", in: folder),
        "Preamp: -6.00 dB\nFilter 1: ON PK Fc 1000.0 Hz Gain 5.00 dB Q 1.00\n")
    }
  }

  func test_reinstall_reportsTheHeadphoneCorrectionAndTheSinkThatAreKept() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    try folder.write("Preamp: -6 dB\nFilter 1: ON PK Fc 1000 Hz Gain 5 dB Q 1\n", to: "hp.txt")
    let plain = try run("N3", "--install", "--plugin", "plugin", in: folder)
    XCTAssertFalse(plain.output.contains("headphone correction"), plain.output)
    XCTAssertTrue(plain.output.contains("add --pipewire"), plain.output)
    let first = try run("N3", "--install", "--pipewire", "--headphone", "hp.txt", in: folder)
    XCTAssertTrue(first.output.contains("The headphone correction is active"), first.output)
    XCTAssertFalse(first.output.contains("earlier installation"), first.output)
    let second = try run("N4", "--install", in: folder)
    XCTAssertEqual(second.exitCode, 0, second.errors)
    for words in [
      "The headphone correction is active", "headphone.txt\nIt is from an earlier installation",
      "The sink “Hearing” of an earlier installation",
    ] {
      XCTAssertTrue(second.output.contains(words), second.output)
    }
    XCTAssertFalse(second.output.contains("add --pipewire"), second.output)
  }

  func test_uninstall_removesEmptyFolders_andKeepsTheUsersFiles() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    let install = ["N3", "--install", "--pipewire", "--plugin", "plugin"]
    func run(_ arguments: [String]) throws -> BuiltExecutable.Outcome {
      try BuiltExecutable("hearing-fit").run(
        arguments, in: folder.url,
        environment: ["HOME": folder.url.path, "XDG_CONFIG_HOME": folder.url.path + "/config"])
    }
    func exists(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(path).path)
    }
    XCTAssertEqual(try run(install).exitCode, 0)
    XCTAssertEqual(try run(["--uninstall"]).exitCode, 0)
    for path in [".ladspa", ".lv2", "config/pipewire", "config/hearing-processing"] {
      XCTAssertFalse(exists(path), path)
    }
    XCTAssertTrue(exists("config"))
    XCTAssertEqual(try run(install).exitCode, 0)
    let kept = [
      ".lv2/other", ".lv2/hearing-processing.lv2/mine.ttl",
      "config/pipewire/pipewire.conf.d/other.conf", "config/hearing-processing/mine.txt",
    ]
    for path in kept { try folder.write("mine", to: path) }
    XCTAssertEqual(try run(["--uninstall"]).exitCode, 0)
    for path in kept { XCTAssertTrue(exists(path), path) }
    for path in [
      ".ladspa", ".lv2/hearing-processing.lv2/manifest.ttl", "config/hearing-processing/preset.txt",
    ] {
      XCTAssertFalse(exists(path), path)
    }
  }

  func test_missingPlugin_exitsWith66_andExplainsWhichFolderIsSearched() throws {
    let folder = try ScratchFolder()
    let outcome = try run("N3", "--install", in: folder)
    XCTAssertEqual(outcome.exitCode, 66)
    XCTAssertTrue(outcome.errors.contains("relative to the current folder"), outcome.errors)
  }

  func test_audiogramAsHeadphone_isRejected() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    try folder.write("frequency_hz,left_dbhl,right_dbhl\n500,20,40\n4000,40,60\n", to: "ears.csv")
    let outcome = try run(
      "N3", "--install", "--plugin", "plugin", "--headphone", "ears.csv", in: folder)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertTrue(outcome.errors.contains("not thresholds in dB HL"), outcome.errors)
  }

  func test_unreliableOrUncalibratedTest_isInstalledOnlyWithConsent_andAlwaysReported() throws {
    let folder = try ScratchFolder()
    try makePlugin(in: folder)
    for (notes, reason) in [
      ([MeasurementRecord.Note.noResponses], "The button was never pressed for a tone."),
      ([.uncalibrated], "The headphone is not calibrated: levels are nominal."),
    ] {
      let record = MeasurementRecord(procedure: "bayesian", headphone: "X", notes: notes)
      let profile = HearingProfile(left: .n3, right: .n3, method: .selfTest, record: record)
      try folder.write(String(decoding: profile.jsonData(), as: UTF8.self), to: "test.json")
      let fitted = try run("test.json", "--out", "preset.json", in: folder)
      XCTAssertEqual(fitted.exitCode, 0, fitted.errors)
      XCTAssertTrue(fitted.errors.contains("hearing-fit: test.json: \(reason)"), fitted.errors)
      XCTAssertEqual(fitted.errors.contains("Do not rely on this"), notes == [.noResponses])
      let refused = try run("test.json", "--install", "--plugin", "plugin", in: folder)
      XCTAssertEqual(refused.exitCode, 64)
      XCTAssertTrue(refused.errors.contains(reason), refused.errors)
      XCTAssertTrue(refused.errors.contains("--fit-uncalibrated"), refused.errors)
      XCTAssertFalse(try folder.names().contains("config"))
      let installed = try run(
        "test.json", "--install", "--plugin", "plugin", "--fit-uncalibrated", in: folder)
      XCTAssertEqual(installed.exitCode, 0, installed.errors)
      XCTAssertTrue(installed.errors.contains(reason), installed.errors)
      XCTAssertEqual(try run("--uninstall", in: folder).exitCode, 0)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("config"))
    }
    XCTAssertEqual(try run("N3", "--fit-uncalibrated", in: folder).exitCode, 64)
  }
}
