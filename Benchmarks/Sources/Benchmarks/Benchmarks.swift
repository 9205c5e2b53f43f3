import Foundation

/// Prints what the package costs; run it in release, alone on the machine.
///
///     swift run -c release --package-path Benchmarks Benchmarks [control] [signal [FILE.wav]] [voice] [echo] [call]
///     swift run -c release --package-path Benchmarks Benchmarks voice-decisions|voice-features FILE.wav …
///     swift run -c release --package-path Benchmarks Benchmarks echo MIC.wav REF.wav OUT.wav [TAIL]
///     swift run -c release --package-path Benchmarks Benchmarks uplink MODE MIC.wav REF.wav OUT.wav
///     swift run -c release --package-path Benchmarks Benchmarks peers FILE.wav
@main
struct Benchmarks {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "voice-decisions" {
      for path in arguments.dropFirst() { try VoiceDecisions.print(path: path) }
      return
    }
    if arguments.first == "voice-features" {
      for path in arguments.dropFirst() { try VoiceDecisions.writeFeatures(path: path) }
      return
    }
    if arguments.first == "echo", arguments.count >= 4 {
      return try EchoBenchmarks.cancel(Array(arguments.dropFirst()))
    }
    if arguments.first == "uplink", arguments.count >= 5 {
      return try UplinkRendering.render(Array(arguments.dropFirst()))
    }
    // Locks are cheaper than they will ever be in an app as long as a process has one thread.
    let other = Thread { while true { Thread.sleep(forTimeInterval: 0.1) } }
    other.start()
    if arguments.isEmpty || arguments.contains("control") {
      print("Control plane: ns an operation")
      var table = Table.ofCosts()
      if !arguments.contains("parameters") { PublishingBenchmarks.run(into: &table) }
      ParameterBenchmarks.run(into: &table)
      table.print()
    }
    if arguments.first == "peers", arguments.count == 2 {
      try PeerBenchmarks(path: arguments[1]).run()
    }
    if arguments.isEmpty || arguments.contains("signal") {
      try SignalBenchmarks(path: arguments.first { $0.hasSuffix(".wav") }).run()
    }
    if arguments.isEmpty || arguments.contains("voice") { try VoiceBenchmarks.run() }
    if arguments.isEmpty || arguments.contains("echo") { try EchoBenchmarks.run() }
    if arguments.isEmpty || arguments.contains("call") { try CallBenchmarks.run() }
  }
}
