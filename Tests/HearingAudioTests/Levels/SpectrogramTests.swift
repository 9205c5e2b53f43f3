import Foundation
import SignalTestSupport
import XCTest

@testable import HearingAudio

final class SpectrogramTests: XCTestCase {
  /// The amplitude of a tone with an RMS level of −20 dB.
  private let amplitude = 0.1 * 2.0.squareRoot()

  private func measured(
    _ samples: [Float], rate: Double, block: Int = 480, columnLimit: Int = 200
  ) -> Spectrogram {
    var spectrogram = Spectrogram(sampleRate: rate, columnLimit: columnLimit)
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: 0, to: buffer.count, by: block) {
        spectrogram.add(base + start, frameCount: min(block, buffer.count - start))
      }
    }
    return spectrogram
  }

  func test_columns_ofATone_showItsLevelInItsBand_onlyWhileItSounds() throws {
    for rate in [8_000.0, 16_000, 48_000] {
      let silence = Signals.silence(Int(rate))
      let edges = Spectrogram(sampleRate: rate).edges
      let band = try XCTUnwrap(edges.lastIndex { $0 <= 1_000 })
      // The frequency of the tone is the geometric centre of the band.
      let frequency = (edges[band] * edges[band + 1]).squareRoot()
      let tone = Signals.tone(frequency, amplitude: amplitude, rate: rate, seconds: 1)
      let sound = silence + tone + silence
      let spectrogram = measured(sound, rate: rate)
      let columns = spectrogram.columns
      for (index, column) in columns.enumerated() {
        let time = Double(index) * spectrogram.secondsPerColumn
        if time > 1.1 && time < 1.9 {
          let sum = 10 * log10(column.reduce(0) { $0 + pow(10, $1 / 10) })
          XCTAssertEqual(sum, -20, accuracy: 0.1, "\(rate) Hz at \(time) s")
          XCTAssertGreaterThan(column[band], -21, "\(rate) Hz at \(time) s")
          XCTAssertLessThan(column[band + 6], -60, "an octave above, \(rate) Hz at \(time) s")
        } else if time < 0.9 || time > 2.1 {
          XCTAssertEqual(column[band], -.infinity, "\(rate) Hz at \(time) s")
        }
      }
    }
  }

  func test_columns_beyondTheColumnLimit_areMerged_andKeepTimeAndLevel() throws {
    let rate = 16_000.0
    let silence = Signals.silence(30 * Int(rate))
    let tone = Signals.tone(500, amplitude: amplitude, rate: rate, seconds: 30)
    let spectrogram = measured(silence + tone, rate: rate, columnLimit: 40)
    let columns = spectrogram.columns
    XCTAssertLessThanOrEqual(columns.count, 40)
    XCTAssertGreaterThan(columns.count, 20)
    XCTAssertEqual(Double(columns.count) * spectrogram.secondsPerColumn, 60, accuracy: 2)
    let start = try XCTUnwrap(columns.firstIndex { $0.contains { $0 > -30 } })
    XCTAssertEqual(
      Double(start) * spectrogram.secondsPerColumn, 30,
      accuracy: spectrogram.secondsPerColumn + 0.05)
    for column in columns[(start + 1)...] {
      XCTAssertEqual(10 * log10(column.reduce(0) { $0 + pow(10, $1 / 10) }), -20, accuracy: 0.2)
    }
  }

  func test_columns_doNotDependOnBlockSize() {
    let rate = 16_000.0
    let sound = Signals.tone(700, amplitude: amplitude, rate: rate, seconds: 0.5)
    let whole = measured(sound, rate: rate, block: sound.count).columns
    XCTAssertEqual(measured(sound, rate: rate, block: 7).columns, whole)
  }

  func test_columns_samplesThatAreNotFinite_countAsZero() {
    let rate = 16_000.0
    var sound = Signals.tone(700, amplitude: amplitude, rate: rate, seconds: 0.5)
    var silenced = sound
    for index in stride(from: 0, to: sound.count, by: 3) {
      sound[index] = [.nan, .infinity, -.infinity][index / 3 % 3]
      silenced[index] = 0
    }
    let columns = measured(sound, rate: rate).columns
    XCTAssertEqual(columns, measured(silenced, rate: rate).columns)
    // Every third sample of the tone is zero, so the tone is about 3.5 dB quieter.
    let edges = Spectrogram(sampleRate: rate).edges
    let loudest = columns[10].indices.max { columns[10][$0] < columns[10][$1] } ?? 0
    XCTAssertTrue((edges[loudest]..<edges[loudest + 1]).contains(700))
    let power = columns[10][loudest - 1...loudest + 1].reduce(0) { $0 + pow(10, $1 / 10) }
    XCTAssertEqual(10 * log10(power), -23.5, accuracy: 0.5)
  }
}
