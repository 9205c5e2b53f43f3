public import Foundation

/// An executable of this package. It was built together with the tests.
public struct BuiltExecutable {
  /// The result of running an executable.
  public struct Outcome {
    /// The exit code of the process, or the negative signal number if a signal ended it.
    public let exitCode: Int32
    /// The standard output, byte for byte.
    public let outputData: Data
    /// The standard error as text.
    public let errors: String

    /// The standard output as text.
    public var output: String { String(decoding: outputData, as: UTF8.self) }

    /// The lines of standard error.
    public var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  let url: URL

  /// The error that the executable does not exist.
  struct Missing: Error {
    let name: String
    let folders: [String]
  }

  private init(url: URL) {
    self.url = url
  }

  /// Finds the executable with this name next to the test bundle.
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

  /// Runs the executable in a folder. If the executable has not ended after `seconds`, kills it.
  ///
  /// - Returns: Whether the executable ended with exit code 0 before it was killed.
  public func run(
    _ arguments: [String], in folder: URL, killedAfter seconds: Double
  ) throws -> Bool {
    let child = ChildProcess(url, arguments, in: folder)
    child.process.standardInput = FileHandle.nullDevice
    child.process.standardOutput = FileHandle.nullDevice
    child.process.standardError = FileHandle.nullDevice
    try child.run()
    guard child.hasEnded(within: seconds) else {
      child.destroy()
      return false
    }
    return try child.exitCode(within: 0) == 0
  }

  /// Runs the executable in a folder until it ends. Discards the standard output. Writes the
  /// standard error to `errors`.
  ///
  /// - Returns: The exit code, or a negative signal number.
  public func run(
    _ arguments: [String], in folder: URL, errors: FileHandle
  ) throws -> Int32 {
    let child = ChildProcess(url, arguments, in: folder)
    child.process.standardInput = FileHandle.nullDevice
    child.process.standardOutput = FileHandle.nullDevice
    child.process.standardError = errors
    try child.run()
    return try child.exitCode(within: 60)
  }

  /// Runs the executable with a line of arguments. The line may contain redirections as in a shell,
  /// such as `--quiet >&-`.
  public func run(_ line: String, in folder: URL, input: Data = Data()) throws -> Outcome {
    let shell = BuiltExecutable(url: URL(fileURLWithPath: "/bin/sh"))
    return try shell.run(["-c", "exec \"$0\" \(line)", url.path], in: folder, input: input)
  }

  /// Runs the executable in a folder until it ends. The time limit is ten minutes.
  ///
  /// - Parameter input: The standard input of the executable.
  public func run(
    _ arguments: [String], in folder: URL, input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let child = ChildProcess(url, arguments, in: folder)
    if !environment.isEmpty {
      child.process.environment = ProcessInfo.processInfo.environment.merging(environment) {
        $1
      }
    }
    // The standard output and the standard error are written to files. With two pipes, one pipe
    // could become full while the test reads the other one.
    let output = folder.appendingPathComponent(".standard-output-\(UUID().uuidString)")
    let errors = folder.appendingPathComponent(".standard-error-\(UUID().uuidString)")
    let standardInput = folder.appendingPathComponent(".standard-input-\(UUID().uuidString)")
    for file in [output, errors] { try Data().write(to: file) }
    try input.write(to: standardInput)
    defer {
      for file in [output, errors, standardInput] { try? FileManager.default.removeItem(at: file) }
    }
    child.process.standardInput = try FileHandle(forReadingFrom: standardInput)
    child.process.standardOutput = try FileHandle(forWritingTo: output)
    child.process.standardError = try FileHandle(forWritingTo: errors)
    try child.run()
    return Outcome(
      exitCode: try child.exitCode(within: 600), outputData: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}
