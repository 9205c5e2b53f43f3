import Foundation
import HearingAudiometry
import HearingFitting

/// Runs the hearing test with simulated listeners and prints its quality: the number of tones, the
/// errors, the accuracy of the stated uncertainty, and the fraction of listeners who are flagged as
/// unreliable.
///
/// The listeners have standard audiograms with scatter, notches, reverse slopes, asymmetries and
/// ears without hearing. They are not drawn from the distribution that the test assumes. The
/// picture shows the error over the number of tones. It also shows how many true thresholds are in
/// each tenth of the distribution that the test states.
struct AudiometryBenchmarks {
  private let count: Int
  private let picture: String?
  private let seed: UInt64 = 2024

  /// - Parameter arguments: `[LISTENERS] [PICTURE.svg]`; the default is 10,000 listeners.
  init(_ arguments: [String]) throws(BenchmarkFailure) {
    var remaining = arguments[...]
    picture = remaining.last?.hasSuffix(".svg") == true ? remaining.removeLast() : nil
    if let picture { try BenchmarkFailure.checkOutput(picture, inputs: []) }
    let text = remaining.popFirst()
    let count = text.map { Int($0) ?? 0 } ?? 10_000
    guard remaining.isEmpty,
      (1...1_000_000).contains(count)
    else { throw .usage("audiometry takes [LISTENERS] [PICTURE.svg], 1…1000000 listeners") }
    self.count = count
  }

  func run() throws {
    print("Hearing test, 11 frequencies, \(count) simulated listeners, seed \(seed)")
    var table = Table(
      "method", "slope", "errors", "tones/ear", "bias", "mean abs.", "within 10", "90 % holds",
      "flagged")
    let usual = ToneTestFigures.Conditions()
    var main: ToneTestFigures?
    for method in [ToneTestMethod.hughsonWestlake, .modifiedHughsonWestlake, .bayesian] {
      let figures = figures(method, usual, count)
      add(figures, method.name, usual, to: &table)
      if method == .bayesian { main = figures }
    }
    let some = max(count / 10, 1)
    for precision in [4.5, 3.5] {
      add(
        figures(.bayesian(precision: precision), usual, some), "bayesian, precision \(precision)",
        usual, to: &table)
    }
    for (spread, errors) in [
      (2.0, 0.0), (2.0, 0.02), (6.0, 0.0), (6.0, 0.02), (4.0, 0.0), (4.0, 0.05), (4.0, 0.2),
    ] {
      var conditions = usual
      (conditions.spread, conditions.falseAlarms, conditions.lapses) = (spread, errors, errors)
      for method in [ToneTestMethod.hughsonWestlake, .bayesian] {
        add(figures(method, conditions, some), method.name, conditions, to: &table)
      }
    }
    var unknown = usual
    unknown.isBetterEarKnown = false
    add(figures(.bayesian, unknown, some), "bayesian, better ear unknown", unknown, to: &table)
    for (name, fraction) in [
      ("presses always", 1.0), ("never", 0), ("half of the time", 0.5),
      ("a fifth of the time", 0.2),
    ] {
      var conditions = usual
      conditions.randomPresses = fraction
      for method in [ToneTestMethod.hughsonWestlake, .bayesian] {
        add(
          figures(method, conditions, some), "\(method.name), \(name)", conditions, to: &table)
      }
    }
    var onlyFalseAlarms = usual
    (onlyFalseAlarms.falseAlarms, onlyFalseAlarms.lapses) = (0.2, 0.02)
    for method in [ToneTestMethod.hughsonWestlake, .bayesian] {
      add(
        figures(method, onlyFalseAlarms, some), "\(method.name), 20 % false alarms",
        onlyFalseAlarms, to: &table)
    }
    table.print()
    printUnusual(some)
    printDigits(count)
    if let picture, let main {
      let drawing = AudiometryPicture(courses: courses(), calibration: main.decileCounts)
      try Data(drawing.svg.utf8).write(to: URL(fileURLWithPath: picture))
    }
  }

  /// Prints the figures of listeners with answers that do not follow the assumptions of the method.
  private func printUnusual(_ count: Int) {
    var table = Table(
      "listener, bayesian", "tones/ear", "within 10", "90 % holds", "flagged", "off by 15 dB",
      "of these flagged", "largest unflagged")
    let listeners: [(String, (inout ToneTestFigures.Conditions) -> Void)] = [
      ("ordinary", { _ in }),
      ("attention shifts by 15 dB after tone 40", { $0.shift = (40, 15) }),
      ("answers after 1.9 s", { $0.delay = (1.9, 0.25) }),
      ("slope of 10 dB", { $0.spread = 10 }),
      ("lapses 15 %", { $0.lapses = 0.15 }),
      ("tinnitus, presses in 40 % of silences", { $0.tinnitus = 0.4 }),
      ("presses in half of the windows", { $0.windowPresses = .random(0.5) }),
      ("presses in a fifth of the windows", { $0.windowPresses = .random(0.2) }),
      ("presses in every second window", { $0.windowPresses = .alternating }),
      ("sleeps during the second ear", { $0.sleepsInSecondEar = true }),
    ]
    for (name, change) in listeners {
      var conditions = ToneTestFigures.Conditions()
      change(&conditions)
      let figures = figures(.bayesian, conditions, count)
      table.add(
        name, figures.tones.digits(1), (figures.fractionWithinTen * 100).digits(1) + " %",
        (figures.coverage * 100).digits(1) + " %", (figures.flaggedFraction * 100).digits(1) + " %",
        "\(figures.wrongCount)", "\(figures.wrongFlaggedCount)",
        figures.largestUnflagged.digits(0) + " dB")
    }
    print("")
    table.print()
  }

  /// The figures of many listeners. The computation uses all cores. The result does not depend on
  /// the order in which the cores finish.
  private func figures(
    _ method: ToneTestMethod, _ conditions: ToneTestFigures.Conditions, _ count: Int
  ) -> ToneTestFigures {
    let parts = min(count, 64)
    nonisolated(unsafe) var results = [ToneTestFigures](repeating: ToneTestFigures(), count: parts)
    let lock = NSLock()
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      var figures = ToneTestFigures()
      for number in stride(from: part, to: count, by: parts) {
        figures.add(number, seed: seed, method: method, conditions: conditions)
      }
      lock.withLock { results[part] = figures }
    }
    return results.reduce(into: ToneTestFigures()) { $0.merge($1) }
  }

  private func add(
    _ figures: ToneTestFigures, _ name: String, _ conditions: ToneTestFigures.Conditions,
    to table: inout Table
  ) {
    table.add(
      name, conditions.spread.digits(0), (conditions.falseAlarms * 100).digits(0) + " %",
      figures.tones.digits(1), figures.bias.digits(2), figures.meanAbsoluteError.digits(2),
      (figures.fractionWithinTen * 100).digits(1) + " %", (figures.coverage * 100).digits(1) + " %",
      (figures.flaggedFraction * 100).digits(1) + " %")
  }

  /// For two methods, the mean absolute error in dB after each number of tones.
  private func courses() -> [(name: String, errors: [Double])] {
    [ToneTestMethod.hughsonWestlake, .bayesian(precision: 2.5)].map { method in
      var sums: [Double] = []
      var counts: [Double] = []
      for number in 0..<min(max(count / 50, 20), 200) {
        var figures = ToneTestFigures()
        figures.add(number, seed: seed, method: method) { test, truth in
          guard let trial = test.trials.last, !trial.presentation.isSilent else { return }
          let ear = trial.presentation.ear
          let tones = test.toneCount(for: ear)
          guard tones <= 120 else { return }
          while sums.count <= tones {
            sums.append(0)
            counts.append(0)
          }
          let estimates = test.estimate.filter { $0.ear == ear }
          // The error is computed only if the method has an estimate for every frequency.
          guard estimates.count == ToneTest.standardFrequencies.count else { return }
          for estimate in estimates {
            guard let level = truth[ear]?.threshold(at: estimate.frequency), level <= 65 else {
              continue
            }
            sums[tones] += abs(estimate.threshold - level)
            counts[tones] += 1
          }
        }
      }
      return (method.name, zip(sums, counts).map { $1 > 50 ? $0 / $1 : .nan })
    }
  }

  /// Prints the error of the digits-in-noise test for listeners with different thresholds.
  private func printDigits(_ count: Int) {
    var table = Table("digits in noise", "listeners", "bias", "error of measurement")
    for threshold in [-9.0, -5, 0] {
      var errors: [Double] = []
      for number in 0..<count {
        var test = DigitsInNoiseTest(seed: UInt64(number))
        var listener = SimulatedListener(profile: HearingProfile(), seed: seed &+ UInt64(number))
        while let triplet = test.next {
          do {
            try test.answer(listener.understand(triplet, threshold: threshold))
          } catch {
            preconditionFailure("three digits are refused: \(error)")
          }
        }
        guard let result = test.result else { continue }
        errors.append(result.threshold - threshold)
      }
      let mean = errors.reduce(0, +) / Double(errors.count)
      let square = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      table.add(
        "true threshold \(threshold.digits(0)) dB SNR", "\(errors.count)", mean.digits(2),
        (square / Double(max(errors.count - 1, 1))).squareRoot().digits(2))
    }
    print("")
    table.print()
  }
}
