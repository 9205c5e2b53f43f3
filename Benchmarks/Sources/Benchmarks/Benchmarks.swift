import Foundation
import HearingProcessing

/// Measures the cost of the package. Run it as a release build, without other load on the machine.
@main
struct Benchmarks {
  private static let help = """
    Measures the cost of the package in time and memory. Run it in release, alone on the machine.

      swift run -c release --package-path Benchmarks Benchmarks [COMMAND …]

    Without a command everything is measured, which takes minutes.

      control [parameters]            publishers and parameters; with "parameters" only these
      signal [FILE.wav]               rendering, of noise or of a file
      voice                           voice activity detection
      echo                            echo cancellation
      call                            ducking, and whole calls
      peers FILE.wav                  rendering a file, in the lines that peers/*.py read
      echo MIC.wav REF.wav OUT.wav [TAIL]
                                      cancel the echo of one file in another
      uplink MODE MIC.wav REF.wav OUT.wav
                                      process a microphone file while another file plays
      voice-decisions FILE.wav …      print 0 or 1 for every 10 ms
      voice-features FILE.wav …       write the detector's features to FILE.wav.features
      audiometry [LISTENERS] [PICTURE.svg]
                                      accuracy of the hearing tests, by simulated listeners
      plugin LIBRARY.so               the plugin's cost beside the processor's
      headphone FILE.csv …            fit the correction of measured headphones to flat, and print it

      --help                          print this help
      --version                       print the version

    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 73 output not writable.

    """

  private static let tables = ["control", "signal", "voice", "echo", "call"]
  private static let commands =
    tables + [
      "peers", "uplink", "voice-decisions", "voice-features", "audiometry", "plugin", "headphone",
    ]

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
      return print(help, terminator: "")
    }
    if arguments.contains("--version") {
      return print("Benchmarks \(ProcessingController.packageVersion)")
    }
    do {
      try run(arguments)
    } catch let failure as BenchmarkFailure {
      fail(failure.reason, exitCode: failure.exitCode)
    } catch {
      fail("\(error)", exitCode: 65)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "voice-decisions":
      for path in try sounds(arguments) { try VoiceDecisions.print(path: path) }
    case "voice-features":
      for path in try sounds(arguments) { try VoiceDecisions.writeFeatures(path: path) }
    case "echo" where arguments.count >= 4:
      guard arguments.count == 4 || arguments.count == 5 && Double(arguments[4]) != nil else {
        throw BenchmarkFailure.usage(
          "echo needs MIC.wav REF.wav OUT.wav, and TAIL in seconds or none")
      }
      try checkCall(inputs: arguments[1...2], output: arguments[3])
      try EchoBenchmarks.cancel(Array(arguments.dropFirst()))
    case "uplink":
      guard arguments.count == 5 else {
        throw BenchmarkFailure.usage("uplink needs MODE MIC.wav REF.wav OUT.wav")
      }
      try checkCall(inputs: arguments[2...3], output: arguments[4])
      try UplinkRendering.render(Array(arguments.dropFirst()))
    case "peers":
      guard arguments.count == 2 else { throw BenchmarkFailure.usage("peers needs one FILE.wav") }
      try BenchmarkFailure.checkSound(arguments[1])
      try PeerBenchmarks(path: arguments[1]).run()
    case "audiometry":
      try AudiometryBenchmarks(Array(arguments.dropFirst())).run()
    case "plugin":
      guard arguments.count == 2 else {
        throw BenchmarkFailure.usage("plugin needs one LIBRARY.so")
      }
      try PluginCost(path: arguments[1]).run()
    case "headphone":
      guard arguments.count > 1 else {
        throw BenchmarkFailure.usage("headphone needs a FILE.csv")
      }
      for path in arguments.dropFirst() {
        try BenchmarkFailure.checkText(path)
        try HeadphoneFits.print(path: path)
      }
    default:
      try measure(arguments)
    }
  }

  private static func sounds(_ arguments: [String]) throws -> ArraySlice<String> {
    guard arguments.count > 1 else {
      throw BenchmarkFailure.usage("\(arguments[0]) needs a FILE.wav")
    }
    for path in arguments.dropFirst() { try BenchmarkFailure.checkSound(path) }
    return arguments.dropFirst()
  }

  private static func checkCall(inputs: ArraySlice<String>, output: String) throws {
    for path in inputs { try BenchmarkFailure.checkSound(path) }
    try BenchmarkFailure.checkOutput(output, inputs: Array(inputs))
  }

  private static func measure(_ arguments: [String]) throws {
    for argument in arguments where !tables.contains(argument) {
      let isFile = argument.hasSuffix(".wav") && arguments.contains("signal")
      if !isFile, argument != "parameters" || !arguments.contains("control") { refuse(argument) }
    }
    // This thread makes the process multi-threaded, as in an app. In a process with one thread,
    // locks would cost less.
    Thread { while true { Thread.sleep(forTimeInterval: 0.1) } }.start()
    func isChosen(_ table: String) -> Bool { arguments.isEmpty || arguments.contains(table) }
    if isChosen("control") {
      print("Control plane: ns per operation")
      var table = Table.ofCosts()
      if !arguments.contains("parameters") {
        PublishingBenchmarks.run(into: &table)
        #if canImport(OpenCombine)
          OpenCombinePeer.run(into: &table)
        #endif
      }
      ParameterBenchmarks.run(into: &table)
      table.print()
    }
    if isChosen("signal") {
      let path = arguments.first { $0.hasSuffix(".wav") }
      if let path { try BenchmarkFailure.checkSound(path) }
      try SignalBenchmarks(path: path).run()
    }
    if isChosen("voice") { try VoiceBenchmarks.run() }
    if isChosen("echo") { try EchoBenchmarks.run() }
    if isChosen("call") { try CallBenchmarks.run() }
  }

  private static func refuse(_ argument: String) -> Never {
    let known = argument.hasPrefix("-") ? ["--help", "--version"] : commands
    let nearest = known.min { first, second in
      Array(first).difference(from: argument).count < Array(second).difference(from: argument).count
    }
    let kind = argument.hasPrefix("-") ? "option" : "command"
    fail(
      "unknown \(kind) \"\(argument)\"; did you mean \(nearest ?? "--help")? (see Benchmarks --help)",
      exitCode: 64)
  }

  private static func fail(_ reason: String, exitCode: Int32) -> Never {
    FileHandle.standardError.write(Data("Benchmarks: \(reason)\n".utf8))
    exit(exitCode)
  }
}
