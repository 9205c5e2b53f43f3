import Foundation
import TestSupport

/// A seed. It is printed together with the name of the test that uses it.
struct SeededGeneratorSeed {
  let seed: UInt64

  var generator: SeededGenerator { SeededGenerator(seed: seed) }

  /// A seed that differs from run to run.
  ///
  /// The seed is printed without buffering, so that it is visible even if the test crashes.
  static func fresh(_ test: String) -> SeededGeneratorSeed {
    let seed = SeededGenerator.freshSeed()
    FileHandle.standardOutput.write(Data("\(test): seed \(seed)\n".utf8))
    return SeededGeneratorSeed(seed: seed)
  }
}
