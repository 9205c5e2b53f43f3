import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests level-dependent gains at every sample rate and with every layout.
final class BandGainProcessorLayoutTests: XCTestCase {
  override func setUpWithError() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
  }

  func test_steadyTone_everyRateAndLayout_hasTheGainOfTheCurve() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let levels = [40.0, 55, 70, 85, 100]
    for stream in try Stream.all() {
      let centers = stream.layout.centers
      // In 0.1 s, a tone at any centre frequency has a whole number of half periods.
      let part = Int(stream.rate / 10)
      let tones = centers.map { center in
        Signals.tone(center, level: 100, rate: stream.rate, seconds: 0.3)
      }
      let processor = try stream.processor(channels: 2)
      var (worst, place) = (0.0, "")
      // Each channel tests a different listener.
      for listener in stride(from: 0, to: Curves.audiograms.count, by: 2) {
        let curves = try (0..<2).map { try Curves.prescribed(listener + $0, centers: centers) }
        try processor.apply(
          ProcessorSettings(curves: curves, outputCeiling: 160, allowsOutputAboveFullScale: true))
        for (band, center) in centers.enumerated() {
          for inputLevel in levels.shuffled(using: &generator).prefix(1) {
            let factor = Float(Signals.amplitude(decibels: inputLevel - 100))
            let tone = Signals.scaled(tones[band], by: factor)
            processor.reset()
            let output = processor.rendered([tone, tone])
            for channel in 0..<2 {
              let error =
                100 + Signals.rmsLevel(output[channel].suffix(part)) - inputLevel
                - curves[channel][band].gain(at: inputLevel)
              guard abs(error) > worst else { continue }
              worst = abs(error)
              place = "audiogram \(listener + channel), \(center) Hz at \(inputLevel) dB SPL"
            }
          }
        }
      }
      print("\(stream.name), steady tones: within \(worst) dB of the curve; \(place)")
      XCTAssertLessThan(worst, 0.3, "\(stream.name): \(place)")
    }
  }

  /// The attack and release times in seconds. The input is a tone. Its level changes from 55 to 90
  /// dB SPL and back to 55 dB SPL.
  ///
  /// After the attack time, the output stays within 3 dB of its final level for the loud tone.
  /// After the release time, the output stays within 4 dB of its final level for the soft tone.
  private func times(
    _ stream: Stream, at frequency: Double, _ curve: BandCurve
  ) throws -> (attack: Double, release: Double) {
    let processor = try stream.processor()
    try processor.apply(
      ProcessorSettings(
        curves: [stream.curves(curve)], outputCeiling: 150, allowsOutputAboveFullScale: true))
    let rate = stream.rate
    let soft = Int(rate * (0.2 + 8 * curve.releaseTime))
    let loud = Int(rate * (0.1 + 12 * curve.attackTime))
    var tone = Signals.tone(
      frequency, level: 55, rate: rate, seconds: Double(2 * soft + loud) / rate)
    let step = Float(Signals.amplitude(decibels: 35))
    for index in soft..<soft + loud { tone[index] *= step }
    let output = processor.rendered([tone], blocks: [64])[0]
    // If the frequency of a sine is known, its amplitude can be computed from three adjacent
    // samples.
    let width = 2 * sin(2 * .pi * frequency / rate)
    func level(_ index: Int) -> Double {
      let slope = Double(output[index + 1] - output[index - 1]) / width
      return 10 * log10(Double(output[index] * output[index]) + slope * slope)
    }
    let (steadyLoud, steadySoft) = (level(soft + loud - 100), level(output.count - 100))
    var attack = soft + loud - 100
    while attack > soft, abs(level(attack) - steadyLoud) <= 3 { attack -= 1 }
    var release = output.count - 100
    while release > soft + loud, abs(level(release) - steadySoft) <= 4 { release -= 1 }
    return (Double(attack - soft) / rate, Double(release - soft - loud) / rate)
  }

  func test_attackAndReleaseTimes_everyRateAndLayout_matchAOnePoleFilterInDecibels() throws {
    for stream in try Stream.all() {
      // The band centre that is nearest to 2 kHz.
      let center = try XCTUnwrap(
        stream.layout.centers.min { abs(log($0 / 2_000)) < abs(log($1 / 2_000)) })
      let isNarrow = stream.name.hasPrefix("third-octave")
      // The time constant of the band-pass filter of a third-octave band, in seconds.
      let riseTime = isNarrow ? 1 / (.pi * center * (pow(2, 1.0 / 6) - pow(2, -1.0 / 6))) : 0
      var (worstAttack, worstRelease) = (0.0, 0.0)
      for (ratio, attackTime, releaseTime) in [
        (2.0, 0.005, 0.1), (3, 0.005, 0.1), (3, 0.02, 0.5), (2, 0.05, 0.05), (3, 0.002, 0.03),
      ] {
        let curve = try Curves.compressing(
          ratio: ratio, gainAt65: 20, attackTime: attackTime, releaseTime: releaseTime)
        let measured = try times(stream, at: center, curve)
        let depth = 35 * (1 - 1 / ratio)
        let attack = attackTime * log(depth / 3)
        let release = releaseTime * log(depth / 4)
        let name = "\(stream.name), \(center) Hz, \(ratio):1, \(attackTime), \(releaseTime)"
        // The level detector of a narrow band has a rise time. The rise time is significant only if
        // the attack time is short.
        let rise = attackTime < 4 * riseTime ? riseTime : 0
        let (attackSlack, releaseSlack) = (0.1 * attack + 0.001 + rise, 0.1 * release + 0.001)
        XCTAssertEqual(measured.attack, attack, accuracy: attackSlack, name)
        XCTAssertEqual(measured.release, release, accuracy: releaseSlack, name)
        worstAttack = max(worstAttack, abs(measured.attack - attack) / attackSlack)
        worstRelease = max(worstRelease, abs(measured.release - release) / releaseSlack)
      }
      print(
        "\(stream.name), \(center) Hz: attack is off by \(worstAttack), release by",
        "\(worstRelease) of what is allowed")
    }
  }

  func test_compressedTones_everyRateAndLayout_haveLessThan0_1PercentDistortion() throws {
    let steep = try Curves.compressing(ratio: 3, gainAt65: 20)
    for stream in try Stream.all() {
      let processor = try stream.processor()
      try processor.apply(
        ProcessorSettings(
          curves: [stream.curves(steep)], outputCeiling: 150, allowsOutputAboveFullScale: true))
      var figures = [Double]()
      for (frequency, level) in [(500.0, 70.0), (800, 70), (1_600, 65)] {
        processor.reset()
        let tone = Signals.tone(frequency, level: level, rate: stream.rate, seconds: 2)
        // The processor settles during the first second. The distortion is measured during the
        // second one, in which every tone has a whole number of periods.
        let output = processor.rendered([tone])[0].suffix(Int(stream.rate))
        figures.append(Signals.distortion(ofToneAt: frequency, in: output, rate: stream.rate))
      }
      print("\(stream.name), 3:1, distortion and noise at 500, 800, 1600 Hz: \(figures) dB")
      // A limit of −60 dB corresponds to a distortion of 0.1 %.
      for figure in figures { XCTAssertLessThan(figure, -60, stream.name) }
    }
  }

  func test_ceiling_everyRateAndLayout_isNeverExceeded() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for stream in try Stream.all() {
      let centers = stream.layout.centers
      let count = Int(stream.rate * 0.25)
      let kinds: [(String, [Float])] = [
        ("noise at full scale", Signals.noise(count: count, amplitude: 1, using: &generator)),
        ("bursts", Signals.bursts(count: count, rate: stream.rate, using: &generator)),
        ("square", Signals.square(300, rate: stream.rate, count: count)),
        (
          "tone after silence",
          Signals.silence(count / 2)
            + Signals.sine(1_000, rate: stream.rate, count: count - count / 2, amplitude: 0.7)
        ),
      ]
      let processor = try stream.processor(channels: 2)
      let settings = try (0..<10).map { listener in
        ProcessorSettings(
          curves: [
            try Curves.prescribed(listener, centers: centers),
            Signals.hearingLikeGains(centers: centers, using: &generator).map(BandCurve.gain),
          ], outputCeilings: [85, 95])
      }
      let most = settings[0].outputCeilings.map {
        Float(settings[0].calibration.peakAmplitude(ofSineAt: $0))
      }
      var worst: Float = 0
      for (name, samples) in kinds {
        for setting in settings.shuffled(using: &generator).prefix(4) {
          try processor.apply(setting)
          let output = processor.rendered([samples, samples], blocks: [64, 480, 1])
          for channel in 0..<2 {
            let share = Signals.peak(output[channel]) / most[channel]
            XCTAssertLessThanOrEqual(share, 1, "\(stream.name), \(name)")
            worst = max(worst, share)
          }
        }
      }
      print("\(stream.name): \(worst) of the ceiling at most")
      XCTAssertGreaterThan(worst, 0.99, "nothing came near the ceiling")
    }
  }

  func test_allGainsZero_everyRateAndLayout_outputIsBitIdenticalToTheInput() throws {
    var generator = SeededGenerator(seed: 45)
    for stream in try Stream.all() {
      let noise = Signals.noise(
        count: Int(stream.rate / 4), amplitude: 1, using: &generator)
      let processor = try stream.processor(channels: 2)
      let flat = stream.curves(.gain(0))
      let steep = stream.curves(try Curves.compressing(ratio: 3, gainAt65: 20))
      try processor.apply(ProcessorSettings(curves: [flat, flat]))
      let linear = processor.rendered([noise, noise], blocks: [64, 1, 500])
      XCTAssertEqual(Signals.bits(linear[0]), Signals.bits(noise), stream.name)
      XCTAssertEqual(Signals.bits(linear[1]), Signals.bits(noise), stream.name)
      // If a channel has no gain, its samples do not change, even if the other channel compresses.
      try processor.apply(ProcessorSettings(curves: [steep, flat]))
      processor.reset()
      let mixed = processor.rendered([noise, noise], blocks: [64, 1, 500])
      XCTAssertNotEqual(Signals.bits(mixed[0]), Signals.bits(noise), stream.name)
      XCTAssertEqual(Signals.bits(mixed[1]), Signals.bits(noise), stream.name)
    }
  }
}
