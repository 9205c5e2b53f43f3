import BenchmarkSupport
import Foundation
import RealtimeSections

/// Runs the package's render code under RealtimeSanitizer. The sanitizer ends the process with exit
/// code 43 if this code allocates, locks, opens a file or waits.
///
///     RealtimeCheck CASES [SEED] [PLUGIN.so]   random processors, calls, and the plugin
///     RealtimeCheck fault NAME                 makes a forbidden call on purpose
@main
struct RealtimeCheck {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard realtime_is_checked() else { throw CheckFailure("RealtimeSanitizer is not linked") }
      if arguments.first == "fault" {
        try PlantedFault.run(arguments.dropFirst().first ?? "")
      } else if arguments.first == "faults" {
        PlantedFault.allCases.forEach { print($0.rawValue) }
      } else {
        try check(arguments)
      }
    } catch {
      FileHandle.standardError.write(Data("RealtimeCheck: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func check(_ arguments: [String]) throws {
    guard let first = arguments.first, let count = UInt64(first) else {
      throw CheckFailure("give the number of cases")
    }
    let given = arguments.dropFirst().first.flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...UInt64(UInt32.max))
    print("\(count) cases from seed \(seed)")
    let processed = try RandomProcessors.run(seeds: seed..<seed + count)
    let called = try RandomCalls.run(seed: seed)
    print("\(processed) frames of processors and \(called) of calls without a forbidden call")
    if let plugin = arguments.last, plugin.hasSuffix(".so") {
      print("\(try PluginRuns.run(path: plugin, seed: seed)) frames of the plugin")
    }
  }
}

struct CheckFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Calls `body` in a section in which the sanitizer reports forbidden calls.
@inline(__always)
func realtime(_ body: () -> Void) {
  realtime_enter()
  body()
  realtime_exit()
}

extension RandomNumbers {
  mutating func count(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
  mutating func isLucky() -> Bool { .random(using: &self) }
  mutating func element<T>(_ elements: [T]) -> T { elements[count(0...elements.count - 1)] }

  /// Noise, square waves, silence, or samples of any bit pattern.
  mutating func samples(_ frameCount: Int) -> [Float] {
    let kind = count(0...4)
    let amplitude = Float(pow(10, number(in: -8...4)))
    return (0..<frameCount).map { index in
      switch kind {
      case 0: Float(bitPattern: .random(in: .min ... .max, using: &self))
      case 1: index % 97 < 48 ? amplitude : -amplitude
      case 2: 0
      default: Float.random(in: -amplitude...amplitude, using: &self)
      }
    }
  }
}
