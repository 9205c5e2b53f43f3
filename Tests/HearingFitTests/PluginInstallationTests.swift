import Foundation
import HearingFitting
import TestSupport
import XCTest

/// Tests `hearing-fit --install`, `--uninstall` and `--export` with dummy files instead of the
/// plugin.
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

    // The installed plugin remains. Only the preset changes.
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
}
