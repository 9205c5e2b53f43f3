import TestSupport

/// A seed that has been printed with the name of the test that uses it.
struct SeededGeneratorSeed {
  let generator: SeededGenerator

  /// A seed that differs from run to run.
  static func fresh(_ test: String) -> SeededGeneratorSeed {
    let seed = SeededGenerator.freshSeed()
    print("\(test): seed \(seed)")
    return SeededGeneratorSeed(generator: SeededGenerator(seed: seed))
  }
}
