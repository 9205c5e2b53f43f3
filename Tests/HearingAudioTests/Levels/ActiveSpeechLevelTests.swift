import Foundation
import HearingAudio
import SignalTestSupport
import TestSupport
import XCTest

final class ActiveSpeechLevelTests: XCTestCase {
  private let sampleRate = 16_000.0

  private func measure(_ samples: [[Float]], sampleRate: Double? = nil) throws -> ActiveSpeechLevel
  {
    try ActiveSpeechLevel.measure(
      MemoryFrameSource(samples, sampleRate: sampleRate ?? self.sampleRate))
  }

  private func reading(
    _ samples: [[Float]], sampleRate: Double? = nil
  ) throws -> (activeLevel: Double, longTermLevel: Double, activityFactor: Double) {
    try XCTUnwrap(measure(samples, sampleRate: sampleRate).reading)
  }

  /// Bursts of a square wave. The envelope of these bursts can be calculated with a formula.
  private func bursts(on: Double, off: Double, count: Int, amplitude: Float) -> [Float] {
    let onFrames = Int(on * sampleRate)
    let offFrames = Int(off * sampleRate)
    let burst = (0..<onFrames).map { $0 % 20 < 10 ? amplitude : -amplitude }
    return (0..<count).flatMap { _ in burst + [Float](repeating: 0, count: offFrames) }
  }

  func test_measure_steadyNoise_isAlwaysActive_andTheActiveLevelIsItsRMS() throws {
    for rate in [8000.0, 22_050, 48_000, 192_000] {
      let noise = Signals.noise(count: Int(rate * 4), rms: 0.1, seed: 11)
      let reading = try reading([noise], sampleRate: rate)
      XCTAssertEqual(reading.longTermLevel, -20, accuracy: 0.1)
      XCTAssertEqual(reading.activeLevel, reading.longTermLevel, accuracy: 0.05)
      XCTAssertEqual(reading.activityFactor, 1, accuracy: 0.01)
    }
  }

  func test_measure_isCancelledReturnsTrue_stopsBeforeTheNextRead() {
    let source = MemoryFrameSource([[Float](repeating: 0.1, count: 8_000)], sampleRate: sampleRate)
    var asked = 0
    XCTAssertThrowsError(
      try ActiveSpeechLevel.measure(
        source,
        isCancelled: {
          asked += 1
          return asked == 3
        })
    ) { XCTAssertTrue($0 is CancellationError, "\($0)") }
    XCTAssertEqual(source.remainingFrameCount, 8_000 - 2 * 1_024)
  }

  func test_measure_inACancelledTask_throwsCancellationError() async {
    let task = Task { [sampleRate] in
      withUnsafeCurrentTask { $0?.cancel() }
      let source = MemoryFrameSource([[0.1, 0.2]], sampleRate: sampleRate)
      _ = try ActiveSpeechLevel.measure(source)
    }
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
  }

  /// If the pauses between bursts are long, the activity factor p can be calculated with a formula.
  ///
  /// The envelope of a burst with amplitude a is a (1 − (1 + t/τ) e^(−t/τ)), where t is the time
  /// since the start of the burst and τ is the time constant of 30 ms. After the end of the burst,
  /// the envelope is a (1 + t/τ) e^(−t/τ), where t is the time since the end. If f is the fraction
  /// of time in bursts, the active level is a² · f / p. The threshold is 15.9 dB below the active
  /// level.
  func test_measure_bursts_matchesTheCalculatedActiveLevelAndActivityFactor() throws {
    for (on, off) in [(2.0, 2.0), (1.0, 3.0), (5.0, 5.0)] {
      let amplitude = 0.2
      let reading = try reading(
        [bursts(on: on, off: off, count: 8, amplitude: Float(amplitude))])
      let fraction = on / (on + off)
      var activity = fraction
      for _ in 0..<50 {
        let level = 10 * log10(amplitude * amplitude * fraction / activity)
        let threshold = pow(10, (level - 15.9) / 20) / amplitude
        let rise = time { 1 - (1 + $0) * exp(-$0) >= threshold }
        let decay = time { (1 + $0) * exp(-$0) < threshold }
        activity = (on - rise + decay + 0.2) / (on + off)
      }
      let expected = 10 * log10(amplitude * amplitude * fraction / activity)
      XCTAssertEqual(reading.longTermLevel, 10 * log10(0.04 * fraction), accuracy: 0.001)
      XCTAssertEqual(reading.activityFactor, activity, accuracy: 0.005, "\(on) s, \(off) s")
      XCTAssertEqual(reading.activeLevel, expected, accuracy: 0.03, "\(on) s, \(off) s")
    }
  }

  func test_measure_noiseWithPauses_findsTheLevelOfTheNoiseWithinHalfADecibel() throws {
    let noise = Signals.noise(count: 16_000 * 5, rms: 0.1, seed: 12)
    let silence = [Float](repeating: 0, count: 16_000 * 5)
    let reading = try reading([noise + silence + noise + silence])
    XCTAssertEqual(reading.longTermLevel, -23, accuracy: 0.1)
    XCTAssertEqual(reading.activeLevel, -20, accuracy: 0.5)
    XCTAssertEqual(reading.activityFactor, 0.5, accuracy: 0.06)
  }

  func test_measure_amplifiedSound_changesTheActiveLevelByTheGain() throws {
    let speechLike = bursts(on: 0.4, off: 0.9, count: 10, amplitude: 0.1)
    let reference = try reading([speechLike])
    for decibels in [-40.0, -6.0206, -3, 1, 12.0412, 40, 200] {
      let gain = Float(pow(10, decibels / 20))
      let reading = try reading([speechLike.map { $0 * gain }])
      XCTAssertEqual(
        reading.activeLevel, reference.activeLevel + decibels, accuracy: 0.1, "\(decibels) dB")
    }
  }

  func test_measure_twoChannels_averagesTheirPowers() throws {
    let noise = Signals.noise(count: 64_000, rms: 0.1, seed: 13)
    let silence = [Float](repeating: 0, count: 64_000)
    let mono = try reading([noise])
    XCTAssertEqual(try reading([noise, noise]).activeLevel, mono.activeLevel, accuracy: 1e-9)
    XCTAssertEqual(
      try reading([noise, silence]).activeLevel, mono.activeLevel - 3.0103, accuracy: 0.01)
  }

  func test_measure_silence_ditherOrOneClick_hasNoReading() throws {
    XCTAssertNil(try measure([[]]).reading)
    XCTAssertNil(try measure([[Float](repeating: 0, count: 32_000)]).reading)
    let dither = Signals.noise(count: 64_000, rms: 0.5 / 32_768, seed: 14)
    XCTAssertNil(try measure([dither]).reading)
    var click = [Float](repeating: 0, count: 32_000)
    click[1000] = 1
    XCTAssertNil(try measure([click]).reading)
    XCTAssertEqual(
      try reading([Signals.noise(count: 64_000, rms: 0.001, seed: 15)]).activeLevel, -60,
      accuracy: 0.2)
  }

  func test_measure_nonFiniteSamples_countAsSilence() throws {
    var noise = Signals.noise(count: 64_000, rms: 0.1, seed: 16)
    let clean = try reading([noise])
    for (index, value) in [Float.nan, .infinity, -.infinity].enumerated() {
      noise[1000 * (index + 1)] = value
    }
    XCTAssertEqual(try reading([noise]).activeLevel, clean.activeLevel, accuracy: 0.01)
  }

  func test_add_inBlocksOf37Frames_equalsMeasure() throws {
    let signal = bursts(on: 0.3, off: 0.7, count: 3, amplitude: 0.3)
    let whole = try measure([signal])
    var parts = ActiveSpeechLevel(sampleRate: sampleRate, channelCount: 1)
    for start in stride(from: 0, to: signal.count, by: 37) {
      let block = AudioBlock([Array(signal[start..<min(start + 37, signal.count)])])
      parts.add(block)
    }
    let (partly, wholly) = (try XCTUnwrap(parts.reading), try XCTUnwrap(whole.reading))
    XCTAssertTrue(partly == wholly, "\(partly), \(wholly)")
    XCTAssertEqual(parts.frameCount, signal.count)
  }

  func test_measure_randomSpeechLikeSound_agreesWithAReferenceImplementation() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      var signal: [Float] = []
      while signal.count < 60_000 {
        let length = Int.random(in: 200...9000, using: &generator)
        let rms = pow(10, Double.random(in: -4 ... -0.5, using: &generator))
        signal += Signals.noise(count: length, rms: rms, seed: generator.next())
      }
      let reading = try XCTUnwrap(measure([signal]).reading, "seed \(seed)")
      let expected = try XCTUnwrap(plainActiveLevel(signal, sampleRate: sampleRate))
      XCTAssertEqual(reading.activeLevel, expected, accuracy: 1e-6, "seed \(seed)")
    }
  }

  /// Method B of ITU-T P.56 in its simplest form, with a counter and a hangover time for each
  /// threshold.
  private func plainActiveLevel(_ samples: [Float], sampleRate: Double) -> Double? {
    let smoothing = exp(-1 / (sampleRate * 0.03))
    let hangover = Int((0.2 * sampleRate).rounded())
    let thresholds = (0..<15).map { pow(2, Double($0) - 15) }
    var counts = [Int](repeating: 0, count: 15)
    var hang = [Int](repeating: hangover, count: 15)
    var energy = 0.0
    var first = 0.0
    var second = 0.0
    for sample in samples {
      energy += Double(sample) * Double(sample)
      first = smoothing * first + (1 - smoothing) * abs(Double(sample))
      second = smoothing * second + (1 - smoothing) * first
      for index in 0..<15 {
        if second >= thresholds[index] {
          counts[index] += 1
          hang[index] = 0
        } else if hang[index] < hangover {
          counts[index] += 1
          hang[index] += 1
        }
      }
    }
    let levels = counts.map { 10 * log10(energy / Double($0)) }
    let excess = zip(levels, thresholds).map { $0 - 20 * log10($1) - 15.9 }
    for index in 1..<15 where excess[index] <= 0 && excess[index - 1] > 0 {
      let part = excess[index - 1] / (excess[index - 1] - excess[index])
      return levels[index - 1] + part * (levels[index] - levels[index - 1])
    }
    return nil
  }

  /// The first time in seconds at which `condition` is true. The argument of `condition` is the
  /// time in units of τ = 30 ms. After this time, the condition must stay true.
  private func time(_ condition: (Double) -> Bool) -> Double {
    var low = 0.0
    var high = 100.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if condition(middle) { high = middle } else { low = middle }
    }
    return high * 0.03
  }
}
