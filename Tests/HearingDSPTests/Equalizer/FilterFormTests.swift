import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Shows why the cascade uses state-variable filters. Compares bell filters in state-variable form
/// with the same filters in direct form, with changing and with constant gains.
final class FilterFormTests: XCTestCase {
  private let rate = 48_000.0
  private let centers = BandLayout.audiometric.centers

  /// Raises the gain of a bell filter from 0 to 20 dB while it filters a tone. The gain follows a
  /// raised cosine and is set every 16 samples.
  ///
  /// - Returns: Two figures in dB. `splatter` is the energy outside 0.7–1.4 times the tone's
  ///   frequency. `overshoot` is the peak of the output relative to its final peak.
  private func change(
    _ form: FilterForm, tone frequency: Double, bell: Double, seconds: Double = 0.02,
    isStepped: Bool = false
  ) -> (splatter: Double, overshoot: Double) {
    let steps = Int(seconds * rate / 16)
    var rows = Array(repeating: [0.0], count: 1_500 - steps)
    for step in 1...steps { rows.append([10 - 10 * cos(.pi * Double(step) / Double(steps))]) }
    let tone = Signals.sine(frequency, rate: rate, count: 48_000, amplitude: 0.1)
    let output = form.rendered(
      tone, rate: rate, centers: [bell], gains: rows, interval: 16, isStepped: isStepped,
      isSingle: false)
    func peak(_ part: ArraySlice<Double>) -> Double { part.map(abs).max() ?? 0 }
    return (
      Spectrum.splatter(output.map(Float.init), rate: rate * 1_000 / frequency),
      20 * log10(peak(output[0...]) / max(peak(output.suffix(4_800)), peak(output[4_800..<9_600])))
    )
  }

  func test_rampedGain_stateVariableFormClicksLessThanDirectForm_unlessTheBellIsAtTheTone() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    for bell in [250.0, 500, 750, 1_000, 1_500, 2_000, 4_000] {
      let direct = change(.direct, tone: 1_000, bell: bell).splatter
      let state = change(.stateVariable, tone: 1_000, bell: bell).splatter
      let stepped = change(
        .stateVariable, tone: 1_000, bell: bell, isStepped: true
      ).splatter
      let steppedDirect = change(
        .direct, tone: 1_000, bell: bell, isStepped: true
      ).splatter
      print(
        "a tone of 1 kHz, a bell at \(Int(bell)) Hz moves by 20 dB: direct form \(direct) dB,",
        "state-variable \(state) dB outside; stepped instead of ramped \(steppedDirect) dB and",
        "\(stepped) dB")
      // If the bell is at the tone's frequency, the direct form causes less splatter. Otherwise,
      // the state-variable form causes less splatter.
      if bell != 1_000 { XCTAssertLessThan(state, direct - 1.5) }
      XCTAssertLessThan(state, -80)
      XCTAssertLessThan(state, stepped - 25)
      XCTAssertLessThan(direct, steppedDirect - 8)
    }
  }

  func test_risingGain_overshootOfStateVariableForm_isLessThanAFifthOfDirectForm() throws {
    try XCTSkipIf(Signals.isSanitized, "compares filters of this file only")
    for (tone, bell, seconds) in [
      (1_000.0, 1_500.0, 0.005), (1_000, 250, 0.001), (125, 250, 0.02), (125, 250, 0.005),
    ] {
      let direct = change(.direct, tone: tone, bell: bell, seconds: seconds)
      let state = change(.stateVariable, tone: tone, bell: bell, seconds: seconds)
      print(
        "overshoot of \(Int(tone)) Hz, bell at \(Int(bell)) Hz, 20 dB in \(seconds * 1_000) ms:",
        "direct form \(direct.overshoot) dB, state-variable \(state.overshoot) dB")
      XCTAssertGreaterThan(direct.overshoot, 0.1)
      XCTAssertLessThan(state.overshoot, 0.2 * direct.overshoot)
    }
  }

  func test_staticGains_stateVariableFormHasLessRoundingErrorThanDirectForm() throws {
    try XCTSkipIf(Signals.isSanitized, "compares filters of this file only")
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let noise = Signals.noise(count: 96_000, amplitude: 0.1, using: &generator)
    let rows = [centers.indices.map { 6 + 2 * Double($0) }]
    func error(_ form: FilterForm, _ centers: [Double]) -> Double {
      func rendered(isSingle: Bool) -> [Double] {
        form.rendered(
          noise, rate: rate, centers: centers, gains: rows, interval: noise.count,
          isSingle: isSingle)
      }
      let (rounded, exact) = (rendered(isSingle: true), rendered(isSingle: false))
      var (difference, total) = (0.0, 0.0)
      for (one, other) in zip(rounded, exact) {
        difference += (one - other) * (one - other)
        total += other * other
      }
      return 10 * log10(difference / total)
    }
    // A division of the centre frequencies by 1, 2 and 4 is equivalent to sample rates of 48, 96
    // and 192 kHz.
    for factor in [1.0, 2, 4] {
      let scaled = centers.map { $0 / factor }
      let direct = error(.direct, scaled)
      let state = error(.stateVariable, scaled)
      print(
        "rounding error at \(48 * factor) kHz: direct form \(direct) dB, state-variable \(state) dB"
      )
      XCTAssertLessThan(state, direct - 5)
      XCTAssertLessThan(state, -105)
    }
  }

  func test_bellThatReaches0dB_inStateVariableForm_doesNotChangeTheSample() {
    var generator = SeededGenerator(seed: 61)
    let noise = Signals.noise(count: 4_000, amplitude: 0.5, using: &generator)
    // When the gain changes to 0 dB, the filter states are not zero.
    let rows = [Array(repeating: 12.0, count: 10), Array(repeating: 0.0, count: 10)]
    func rendered(_ form: FilterForm) -> [Double] {
      form.rendered(noise, rate: rate, gains: rows, interval: 2_000, isSingle: true)
    }
    let (state, direct) = (rendered(.stateVariable), rendered(.direct))
    func changed(_ output: [Double]) -> Int {
      zip(output, noise).dropFirst(3_999).filter { $0.0 != Double($0.1) }.count
    }
    XCTAssertEqual(changed(state), 0)
    XCTAssertEqual(changed(direct), 1)
  }
}
