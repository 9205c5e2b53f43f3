import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// Installs three parts in the user's folders: the plugin of `Examples/hearing-plugin`, the
/// listener's preset, and the configuration of PipeWire.
struct PluginInstallation {
  private let ladspa: URL
  private let bundle: URL
  private let configuration: URL
  private let pipewire: URL

  private static let library = "hearing-processing.so"
  private static let bundleName = "hearing-processing.lv2"
  private static let bundleFiles = [library, "hearing-processing.ttl", "manifest.ttl"]

  /// Finds the user's folders. Hosts search for plugins in these folders, and the plugin searches
  /// for its preset there.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory(), isDirectory: true)
    let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let config =
      configured.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? home.appendingPathComponent(".config", isDirectory: true)
    ladspa = home.appendingPathComponent(".ladspa").appendingPathComponent(Self.library)
    bundle = home.appendingPathComponent(".lv2").appendingPathComponent(Self.bundleName)
    configuration = config.appendingPathComponent("hearing-processing")
    pipewire = config.appendingPathComponent("pipewire/pipewire.conf.d/hearing-processing.conf")
  }

  private var preset: URL { configuration.appendingPathComponent("preset.txt") }
  private var headphone: URL { configuration.appendingPathComponent("headphone.txt") }

  /// Copies the plugin and writes the files.
  ///
  /// - Parameters:
  ///   - listener: The preset that the plugin loads.
  ///   - correction: The headphone correction. If nil, a correction from an earlier installation
  ///     remains.
  ///   - options: The folder of the plugin, and whether PipeWire loads the plugin.
  /// - Returns: A text about what was installed and how to use it.
  func install(
    _ listener: Preset, correction: HeadphoneCorrection?, options: FitOptions.Installation
  ) throws(CommandFailure) -> String {
    var files: [(URL, Data)] = []
    if let folder = try pluginFolder(options.plugin) {
      for name in Self.bundleFiles {
        let path = folder.appendingPathComponent(name).path
        let data = try InputFile(path).data(limit: 16 * 1024 * 1024)
        files.append((bundle.appendingPathComponent(name), data))
        if name == Self.library { files.append((ladspa, data)) }
      }
    }
    if options.pipewire { files.append((pipewire, Data(pipewireText.utf8))) }
    if let correction { files.append((headphone, Data(correction.parametricEQ.utf8))) }
    // The preset is written last, so that the plugin is complete when the preset appears.
    files.append((preset, Data(listener.table.utf8)))
    var staged: [StagedFile] = []
    for (file, data) in files {
      try Self.createFolder(of: file)
      let output = try StagedFile(for: file.path)
      try output.write(data)
      staged.append(output)
    }
    for file in staged { try file.commit() }
    return usage(installed: files.map { $0.0.path }, options)
  }

  /// The folder of the plugin to copy; nil if the plugin from an earlier installation remains.
  private func pluginFolder(_ path: String?) throws(CommandFailure) -> URL? {
    let folder = URL(fileURLWithPath: path ?? ".build/plugin/\(Self.bundleName)")
    let files = FileManager.default
    let inside = folder.appendingPathComponent(Self.bundleName)
    for candidate in [folder, inside]
    where files.fileExists(atPath: candidate.appendingPathComponent(Self.library).path) {
      return candidate
    }
    if path == nil, files.fileExists(atPath: ladspa.path) { return nil }
    throw .noInput(
      path: folder.path,
      reason:
        "no plugin; build it with Examples/hearing-plugin/build and run hearing-fit in the package's "
        + "folder, because .build/plugin is relative to the current folder; or name the plugin's folder "
        + "with --plugin")
  }

  private static func createFolder(of file: URL) throws(CommandFailure) {
    let folder = file.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .cannotCreate(path: folder.path, reason: SystemReason.text(of: error))
    }
  }

  /// Removes all files that ``install(_:correction:options:)`` may have written. Other files in the
  /// same folders stay.
  ///
  /// - Returns: A text about what was removed.
  func uninstall() throws(CommandFailure) -> String {
    var removed: [String] = []
    let bundled = Self.bundleFiles.map { bundle.appendingPathComponent($0) }
    for file in [ladspa] + bundled + [preset, headphone, pipewire] {
      if unsafe unlink(file.path) == 0 {
        removed.append(file.path)
        Self.removeEmptyFolders(above: file)
      } else if errno != ENOENT {
        throw .cannotWrite(path: file.path, reason: SystemReason.text(ofNumber: errno))
      }
    }
    return removed.isEmpty
      ? "nothing is installed\n" : removed.map { "removed \($0)\n" }.joined()
  }

  /// Removes the empty parent folders of a removed file. Only folders that
  /// ``install(_:correction:options:)`` may have created are removed. For example, `~/.config`
  /// stays.
  private static func removeEmptyFolders(above file: URL) {
    let created: Set = [
      ".ladspa", ".lv2", bundleName, "hearing-processing", "pipewire.conf.d", "pipewire",
    ]
    var folder = file.deletingLastPathComponent()
    while created.contains(folder.lastPathComponent), unsafe rmdir(folder.path) == 0 {
      folder.deleteLastPathComponent()
    }
  }

  private func usage(installed: [String], _ options: FitOptions.Installation) -> String {
    var lines = installed.map { "installed \($0)" }
    lines.append("")
    if options.pipewire {
      lines += [
        "Restart PipeWire, then choose “Hearing” as the output of your desktop or in your player:",
        "  systemctl --user restart pipewire",
      ]
    } else if FileManager.default.fileExists(atPath: pipewire.path) {
      lines += [
        "The sink “Hearing” of an earlier installation stays installed. If the plugin changed, restart",
        "PipeWire: systemctl --user restart pipewire",
      ]
    } else {
      lines += [
        "Hosts that search for plugins list “Hearing processing for a listener”. For example:",
        "  ffmpeg -i IN.wav -af ladspa=file=\(ladspa.path):plugin=hearing OUT.wav",
        "To hear everything through it, add --pipewire.",
      ]
    }
    if FileManager.default.fileExists(atPath: headphone.path) {
      lines.append("The headphone correction is active: \(headphone.path)")
      if options.headphone == nil {
        lines.append("It is from an earlier installation; remove the file to switch it off.")
      }
    }
    lines.append(
      "A new preset is heard within a second: repeat the command with another audiogram.")
    return lines.map { $0 + "\n" }.joined()
  }

  /// The PipeWire configuration of a virtual output device (sink). Its sound passes through the
  /// plugin to the default output.
  private var pipewireText: String {
    """
    # Written by hearing-fit; removed by hearing-fit --uninstall. Tried with PipeWire 0.3.65.
    context.modules = [
      {
        name = libpipewire-module-filter-chain
        flags = [ nofail ]
        args = {
          node.description = "Hearing"
          media.name = "Hearing"
          audio.position = [ FL FR ]
          filter.graph = {
            nodes = [
              {
                type = ladspa
                name = hearing
                plugin = \(Self.quoted(ladspa.path))
                label = hearing
                control = { "Enabled" = 1 "Follow the saved preset" = 1 "Headphone correction" = 1 }
              }
            ]
            inputs = [ "hearing:Input left" "hearing:Input right" ]
            outputs = [ "hearing:Output left" "hearing:Output right" ]
          }
          capture.props = { node.name = hearing media.class = Audio/Sink }
          playback.props = { node.name = hearing.output node.passive = true }
        }
      }
    ]

    """
  }

  private static func quoted(_ path: String) -> String {
    let escaped = path.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
