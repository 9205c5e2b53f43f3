import Foundation
import TestSupport

/// The seed of a random test. It is printed together with the name of the test.
struct SeededGeneratorSeed {
  let seed: UInt64

  var generator: SeededGenerator { SeededGenerator(seed: seed) }

  /// A new random seed. It differs from one execution of the tests to the next.
  ///
  /// The seed is printed without buffering. Therefore it is visible even if the test crashes.
  static func fresh(_ test: String) -> SeededGeneratorSeed {
    let seed = SeededGenerator.freshSeed()
    FileHandle.standardOutput.write(Data("\(test): seed \(seed)\n".utf8))
    return SeededGeneratorSeed(seed: seed)
  }
}
