import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class DetectorBankTests: XCTestCase {
  /// The mean power that the detector of each band measures, in dB relative to an RMS of 1.0.
  private func levels(
    _ samples: [Float], layout: BandLayout, rate: Double, skipping: Int
  ) -> [Double] {
    let bands = layout.centers.count
    let vectors = (bands + 3) / 4
    let timing = RenderTiming(sampleRate: rate)
    let window = timing.window
    let detectors = OwnedRow<DetectorStates>.filled(DetectorStates(), count: 2 * vectors)
    DetectorStates.write(DetectorPrototype.all(layout: layout, sampleRate: rate), to: detectors.row)
    var sums = [Double](repeating: 0, count: bands)
    var count = 0.0
    samples.withUnsafeBufferPointer { buffer in
      let base = buffer.row
      for start in stride(from: 0, through: samples.count - window, by: window) {
        DetectorBank.run(
          vectors: vectors, left: base.from(start), right: base.from(start), count: window,
          energyStride: timing.energyStride, leftDetectors: detectors.row,
          rightDetectors: detectors.from(vectors))
        let isCounted = start >= skipping
        if isCounted { count += 1 }
        for vector in 0..<vectors {
          let octaves = detectors[vector].finish(
            scale: Float(timing.energyStride) / Float(window), smoothing: 1)
          for lane in 0..<min(4, bands - vector * 4) where isCounted {
            sums[vector * 4 + lane] += pow(2, Double(octaves[lane]))
          }
        }
      }
    }
    return sums.map { 10 * log10($0 / count) }
  }

  /// The power in dB of a spectrum between the edges of each band. The function `density` returns
  /// the power density at a frequency. Frequencies above half the sample rate are ignored.
  private func power(
    _ prototypes: [DetectorPrototype], rate: Double, _ density: (Double) -> Double
  ) -> [Double] {
    prototypes.map { prototype in
      let steps = 200
      let upper = min(prototype.edges.upper, rate / 2)
      let octaves = log2(upper / prototype.edges.lower) / Double(steps)
      var sum = 0.0
      for step in 0..<steps {
        let frequency = prototype.edges.lower * pow(2, (Double(step) + 0.5) * octaves)
        sum += density(frequency) * frequency * octaves * log(2)
      }
      return 10 * log10(sum)
    }
  }

  func test_bandLevel_ofNoise_isThePowerOfTheNoiseInTheBand() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let count = Signals.isSanitized ? 1 << 15 : 1 << 19
    let kinds: [(String, Double, (Double) -> Double)] = [
      ("white", 1.5, { _ in 1e-8 }), ("pink", 1.5, { 1e-5 / $0 }),
      ("speech-shaped", 2.5, ShapedNoise.speechDensity),
    ]
    let streams = try Stream.all().filter { !Signals.isSanitized || $0.rate == 48_000 }
    for rate in Set(streams.map(\.rate)).sorted() {
      for (name, tolerance, density) in kinds {
        let samples = ShapedNoise.samples(
          count: count, rate: rate, using: &generator, density: density)
        for stream in streams where stream.rate == rate {
          let read = levels(samples, layout: stream.layout, rate: rate, skipping: 2_048)
          let prototypes = DetectorPrototype.all(layout: stream.layout, sampleRate: rate)
          let expected = power(prototypes, rate: rate, density)
          let errors = zip(read, expected).map { $0 - $1 }
          print(name, stream.name, errors.map { ($0 * 100).rounded() / 100 })
          // In a sanitizer build, the noise is shorter and its spectrum is less even. Therefore the
          // tolerance is larger.
          let slack = Signals.isSanitized ? 1.5 : 0
          for (center, error) in zip(stream.layout.centers, errors) {
            XCTAssertEqual(
              error, 0, accuracy: tolerance + slack, "\(name), \(stream.name), \(center) Hz")
          }
        }
      }
    }
  }

  func test_toneAtABandCenter_hasItsLevelInThatBand_andLessInNeighbouringBands() throws {
    let streams =
      try Signals.isSanitized
      ? Stream.all().filter { $0.rate == 48_000 }.prefix(1)
      : Stream.all()[...]
    for stream in streams {
      let (rate, layout) = (stream.rate, stream.layout)
      var (next, second) = (-Double.infinity, -Double.infinity)
      for (band, center) in layout.centers.enumerated() {
        let count = Int(rate * 0.3)
        let tone = Signals.sine(center, rate: rate, count: count, amplitude: 0.1)
        let read = levels(tone, layout: layout, rate: rate, skipping: count * 2 / 3)
        let level = 20 * log10(0.1) - 10 * log10(2)
        XCTAssertEqual(read[band], level, accuracy: 0.01, "\(center) Hz, \(stream.name)")
        for other in read.indices {
          let distance = abs(other - band)
          if distance == 1 { next = max(next, read[other] - level) }
          if distance == 2 { second = max(second, read[other] - level) }
        }
      }
      print(
        "\(stream.name): a tone one centre away reads \(next) dB, two away \(second) dB at most")
      XCTAssertLessThan(next, -5, stream.name)
      XCTAssertLessThan(second, -12, stream.name)
    }
  }

  func test_steadyTone_anyFrequency_isMeasuredWithoutRipple() throws {
    let layout = BandLayout.audiometric
    let vectors = 3
    let detectors = OwnedRow<DetectorStates>.filled(DetectorStates(), count: 2 * vectors)
    var worst: Float = 0
    for rate in Signals.isSanitized ? [16_000] : [16_000.0, 48_000, 192_000] {
      for frequency in [125.0, 317, 1_000, 2_345, 5_000] {
        DetectorStates.write(
          DetectorPrototype.all(
            layout: try XCTUnwrap(layout.limited(to: rate)), sampleRate: rate), to: detectors.row)
        let tone = Signals.sine(frequency, rate: rate, count: Int(rate * 0.25))
        var minimum = [Float4](repeating: Float4(repeating: .infinity), count: vectors)
        var maximum = [Float4](repeating: Float4(repeating: -.infinity), count: vectors)
        tone.withUnsafeBufferPointer { buffer in
          let base = buffer.row
          for start in stride(from: 0, to: tone.count - 15, by: 16) {
            DetectorBank.run(
              vectors: vectors, left: base.from(start), right: base.from(start), count: 16,
              energyStride: 4, leftDetectors: detectors.row, rightDetectors: detectors.from(vectors)
            )
            for vector in 0..<vectors {
              let octaves = detectors[vector].finish(scale: 0.25, smoothing: 1)
              guard start > tone.count * 3 / 4 else { continue }
              minimum[vector] = pointwiseMin(minimum[vector], octaves)
              maximum[vector] = pointwiseMax(maximum[vector], octaves)
            }
          }
        }
        for band in 0..<min(10, layout.limited(to: rate)?.centers.count ?? 0) {
          let ripple = 3.01 * (maximum[band / 4][band % 4] - minimum[band / 4][band % 4])
          XCTAssertLessThan(ripple, 0.02, "band \(band), \(frequency) Hz at \(rate)")
          worst = max(worst, ripple)
        }
      }
    }
    print("ripple of a steady tone's level, without any smoothing: \(worst) dB at most")
  }

  func test_run_anyNumberOfVectorsAndFramesPerCall_isBitIdentical() {
    var generator = SeededGenerator(seed: 3)
    let samples = Signals.noise(count: 320, using: &generator)
    let prototypes = DetectorPrototype.all(layout: .audiometric, sampleRate: 48_000)
    func heard(atATime vectors: Int, inBlocksOf count: Int) -> [Float4] {
      var lanes = [DetectorStates](repeating: DetectorStates(), count: 6)
      lanes.withUnsafeMutableBufferPointer { buffer in
        let base = buffer.row
        DetectorStates.write(prototypes, to: base)
        DetectorStates.write(prototypes, to: base.from(3))
        samples.withUnsafeBufferPointer { source in
          let start = source.row
          for done in stride(from: 0, to: samples.count, by: count) {
            for vector in stride(from: 0, to: 3, by: vectors) {
              DetectorBank.run(
                vectors: min(vectors, 3 - vector), left: start.from(done), right: start.from(done),
                count: count, energyStride: 4, leftDetectors: base.from(vector),
                rightDetectors: base.from(3 + vector))
            }
          }
        }
      }
      return lanes.map(\.resonator.energy)
    }
    let whole = heard(atATime: 3, inBlocksOf: 320)
    for vectors in 1...3 {
      for count in [16, 64] {
        XCTAssertEqual(heard(atATime: vectors, inBlocksOf: count), whole)
      }
    }
  }
}
