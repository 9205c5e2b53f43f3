import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class FineStructureTests: XCTestCase {
  /// How far lines persist over 60 ms when harmonics of `frequency` Hz glide by `glide` of it a
  /// second.
  private func persistence(frequency: Double, glide: Double) -> (low: Float, high: Float) {
    var store = FloatStore(
      capacity: FineStructure.storage + VoiceSpectrum.storage + 256)
    defer { store.base.deallocate() }
    var fine = FineStructure(store: &store)
    let spectrum = VoiceSpectrum(store: &store)
    defer { spectrum.deallocate() }
    let window = store.take(256)
    var phase = 0.0
    let sound: [Float] = (0..<2_400).map { index in
      phase += 2 * .pi * frequency * (1 + glide * Double(index) / 8_000) / 8_000
      return Float((1...16).reduce(0.0) { $0 + sin(phase * Double($1)) } * 0.02)
    }
    for start in stride(from: 0, through: sound.count - 256, by: 80) {
      window.update(from: Array(sound[start..<(start + 256)]), count: 256)
      spectrum.analyze(window)
      fine.hear(spectrum.power)
    }
    return fine.persistence(age: 6)
  }

  func test_persistence_steadyTone_isComplete() {
    let steady = persistence(frequency: 220, glide: 0)
    XCTAssertGreaterThan(steady.low, 0.9)
    XCTAssertGreaterThan(steady.high, 0.9)
  }

  func test_persistence_glidingTone_isLostAbove() {
    let gliding = persistence(frequency: 220, glide: 0.6)
    XCTAssertLessThan(gliding.high, 0.4)
  }

  func test_persistence_silence_isNone() {
    var store = FloatStore(capacity: FineStructure.storage + 136)
    defer { store.base.deallocate() }
    var fine = FineStructure(store: &store)
    let power = store.take(136)
    for _ in 0..<10 { fine.hear(power) }
    XCTAssertEqual(fine.persistence(age: 6).high, 0)
    XCTAssertEqual(fine.depths.low, 0)
  }
}
