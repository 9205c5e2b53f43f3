import Foundation
import HearingAudio

/// The reason why a command ends without a result, and the exit code according to `sysexits.h`. The
/// reason is one line.
struct BenchmarkFailure: Error {
  let reason: String
  let exitCode: Int32

  /// The command line is wrong.
  static func usage(_ reason: String) -> Self { Self(reason: reason, exitCode: 64) }
  /// A file was read, but its content is invalid.
  static func badData(_ reason: String) -> Self { Self(reason: reason, exitCode: 65) }
  /// A file is missing or cannot be read.
  static func noInput(_ reason: String) -> Self { Self(reason: reason, exitCode: 66) }
  /// A file cannot be created.
  static func cannotCreate(_ reason: String) -> Self { Self(reason: reason, exitCode: 73) }

  /// Throws an error if the file at `path` does not begin like a WAV file. The error names the
  /// file.
  static func checkSound(_ path: String) throws(BenchmarkFailure) {
    do {
      _ = try WAVReader(path: path)
    } catch {
      guard case .file(let error) = error else { throw badData("\(path): \(error)") }
      throw noInput("\(path): \(error.reason)")
    }
  }

  /// Throws an error if no file exists at `path`.
  static func checkText(_ path: String) throws(BenchmarkFailure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw noInput("\(path): no such file")
    }
    guard !isFolder.boolValue else { throw noInput("\(path): is a folder, not a file") }
  }

  /// Throws an error if the folder of the output file does not exist, or if the output file is one
  /// of `inputs`.
  static func checkOutput(_ path: String, inputs: [String]) throws(BenchmarkFailure) {
    let output = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    for input in inputs where URL(fileURLWithPath: input).resolvingSymlinksInPath() == output {
      throw usage("\(input) would be overwritten")
    }
    var isFolder: ObjCBool = false
    let folder = output.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw cannotCreate("cannot write \(path): the folder does not exist") }
    guard
      !FileManager.default.fileExists(atPath: output.path, isDirectory: &isFolder)
        || !isFolder.boolValue
    else { throw cannotCreate("cannot write \(path): is a folder, not a file") }
  }
}
