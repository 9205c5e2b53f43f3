import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class FineStructureTests: XCTestCase {
  /// How well spectral lines persist over 60 ms. The signal contains harmonics of `frequency` Hz.
  /// Their frequencies rise by the fraction `glide` per second.
  private func persistence(frequency: Double, glide: Double) -> (low: Float, high: Float) {
    var fine = FineStructure()
    let spectrum = VoiceSpectrum()
    let window = OwnedRow<Float>.filled(0, count: 256)
    var phase = 0.0
    let sound: [Float] = (0..<2_400).map { index in
      phase += 2 * .pi * frequency * (1 + glide * Double(index) / 8_000) / 8_000
      return Float((1...16).reduce(0.0) { $0 + sin(phase * Double($1)) } * 0.02)
    }
    for start in stride(from: 0, through: sound.count - 256, by: 80) {
      window.row.write(sound[start..<(start + 256)])
      spectrum.analyze(window.row)
      fine.add(spectrum.power.row)
    }
    let persistence = fine.persistence(age: 6)
    return (persistence[0], persistence[1])
  }

  func test_persistence_steadyTone_isHigh() {
    let steady = persistence(frequency: 220, glide: 0)
    XCTAssertGreaterThan(steady.low, 0.9)
    XCTAssertGreaterThan(steady.high, 0.9)
  }

  func test_persistence_glidingTone_isLowAboveOneKilohertz() {
    let gliding = persistence(frequency: 220, glide: 0.6)
    XCTAssertLessThan(gliding.high, 0.4)
  }

  func test_persistence_silence_isZero() {
    var fine = FineStructure()
    let power = OwnedRow<Float>.filled(0, count: 136)
    for _ in 0..<10 { fine.add(power.row) }
    XCTAssertEqual(fine.persistence(age: 6)[1], 0)
    XCTAssertEqual(fine.depths[0], 0)
  }
}
