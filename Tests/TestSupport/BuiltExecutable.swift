public import Foundation

/// An executable of this package, built together with the tests.
public struct BuiltExecutable {
  /// What a run left behind.
  public struct Outcome {
    /// What the shell is told; negative if a signal ended the process.
    public let exitCode: Int32
    /// Standard output.
    public let output: String
    /// Standard error.
    public let errors: String

    /// What was printed to standard error, line by line.
    public var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  private let url: URL

  /// There is no such executable.
  struct Missing: Error {
    let name: String
    let folders: [String]
  }

  /// Finds the executable beside the test bundle.
  public init(_ name: String) throws {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let places = bundles + [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
    let folders = places.flatMap { [$0, $0.deletingLastPathComponent()] }
    let found = folders.map { $0.appendingPathComponent(name) }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
    guard let found else { throw Missing(name: name, folders: folders.map(\.path)) }
    url = found
  }

  /// Runs it to its end in a folder; `input` is a file that is its standard input, nil: none.
  public func run(
    _ arguments: [String], in folder: URL, input: URL? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files, not pipes: a pipe would fill up while the other one is read.
    let output = folder.appendingPathComponent(".standard-output-\(UUID().uuidString)")
    let errors = folder.appendingPathComponent(".standard-error-\(UUID().uuidString)")
    for file in [output, errors] { try Data().write(to: file) }
    defer {
      for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
    }
    process.standardInput =
      try input.map(FileHandle.init(forReadingFrom:)) ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    return Outcome(
      exitCode: isExit ? process.terminationStatus : -process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}
