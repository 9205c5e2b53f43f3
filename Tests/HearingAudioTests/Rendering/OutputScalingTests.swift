import Foundation
import HearingAudio
import TestSupport
import XCTest

final class OutputScalingTests: XCTestCase {
  func test_init_integers_attenuatesByCeilingMinusFullScalePlus3dB() {
    let scaling = OutputScaling(encoding: .int16, ceilingSPL: 105, fullScaleSPL: 100)
    XCTAssertEqual(scaling.attenuation, 8.01, accuracy: 0.005)
    XCTAssertEqual(scaling.fullScaleSPL, 108.01, accuracy: 0.005)
    XCTAssertEqual(
      scaling.description,
      "attenuated by 8.01 dB against clipping: RMS 1.0 stands for 108.01 dB SPL")
  }

  func test_init_floatingPoint_attenuatesTheCeilingToFullScaleByDefault() {
    let scaling = OutputScaling(encoding: .float32, ceilingSPL: 105, fullScaleSPL: 100)
    XCTAssertEqual(scaling.attenuation, 8.01, accuracy: 0.005)
    let peak = Float(2.0.squareRoot() * pow(10, (105.0 - 100) / 20))
    XCTAssertLessThanOrEqual(peak * scaling.gain, 1)
  }

  func test_floatingPoint_convertedTo16BitsWithDither_doesNotClip() {
    for fullScale in Array(stride(from: 60.0, through: 120, by: 0.37)) + [108.0103] {
      let scaling = OutputScaling(encoding: .float32, ceilingSPL: 105, fullScaleSPL: fullScale)
      let peak = Float(2.0.squareRoot() * pow(10, (105 - fullScale) / 20)).nextUp
      // When a player converts to 16 bits, it rounds and adds dither of up to one step of the
      // integer scale.
      XCTAssertLessThan(peak * scaling.gain * 32768 + 1, 32767.5, "full scale \(fullScale)")
      guard scaling.attenuation > 0 else { continue }
      XCTAssertGreaterThan(peak * scaling.gain, 0.9998, "full scale \(fullScale)")
    }
  }

  func test_init_sufficientHeadroomOrKeepsScale_doesNotAttenuate() {
    for scaling in [
      OutputScaling(encoding: .int16, ceilingSPL: 105, fullScaleSPL: 110),
      OutputScaling(
        encoding: .float32, ceilingSPL: 130, fullScaleSPL: 60, keepsScale: true),
    ] {
      XCTAssertEqual(scaling.attenuation, 0)
      XCTAssertEqual(scaling.gain, 1)
      XCTAssertTrue(scaling.description.hasPrefix("not attenuated"))
    }
  }

  func test_init_keepsScale_hasNoEffectOnIntegers() {
    for encoding in SampleEncoding.allCases where !encoding.isFloatingPoint {
      let scaling = OutputScaling(encoding: encoding, ceilingSPL: 105, fullScaleSPL: 100)
      XCTAssertGreaterThan(scaling.attenuation, 8, "\(encoding)")
      XCTAssertEqual(
        OutputScaling(encoding: encoding, ceilingSPL: 105, fullScaleSPL: 100, keepsScale: true),
        scaling, "\(encoding)")
    }
  }

  func test_gain_isTheAttenuationAsAFactor_roundedDown() {
    for attenuation in [0.001, 0.5, 6, 20, 47.3] {
      let scaling = OutputScaling(attenuation: attenuation, fullScaleSPL: 100)
      let exact = pow(10, -attenuation / 20)
      XCTAssertEqual(Double(scaling.gain), exact, accuracy: 1e-6 * exact, "\(attenuation) dB")
      XCTAssertLessThan(Double(scaling.gain), exact, "\(attenuation) dB")
    }
  }

  func test_init_knownPeak_isUsedInsteadOfTheCeiling() {
    let scaling = OutputScaling(encoding: .float32, peak: 2, fullScaleSPL: 100)
    XCTAssertEqual(scaling.attenuation, 6.02, accuracy: 0.005)
    XCTAssertLessThan(2 * scaling.gain, 1)
    XCTAssertGreaterThan(2 * scaling.gain, 0.9998)
    for encoding in SampleEncoding.allCases where !encoding.isFloatingPoint {
      let integers = OutputScaling(encoding: encoding, peak: 2, fullScaleSPL: 100)
      let largest = Float(encoding.largestSample)
      XCTAssertLessThanOrEqual(2 * integers.gain, largest, "\(encoding)")
      XCTAssertGreaterThan(2 * integers.gain, largest * 0.9999, "\(encoding)")
    }
    for quiet in [0, 0.5, 0.999] {
      XCTAssertEqual(
        OutputScaling(encoding: .int16, peak: quiet, fullScaleSPL: 100).attenuation, 0)
    }
    XCTAssertEqual(OutputScaling(attenuation: 7, fullScaleSPL: 100).fullScaleSPL, 107)
  }

  func test_unchangedScaling_atAnyFullScale_doesNotAttenuate() {
    for fullScale in [0.0, 60, 120] {
      let scaling = OutputScaling.unchanged(fullScaleSPL: fullScale)
      XCTAssertEqual(scaling.gain, 1)
      XCTAssertEqual(scaling.fullScaleSPL, fullScale)
    }
  }

  func test_integers_soundAtTheCeiling_neverClips() throws {
    for encoding in [SampleEncoding.uint8, .int16, .int24, .int32] {
      for fullScale in stride(from: 60.0, through: 120, by: 0.37) {
        let scaling = OutputScaling(encoding: encoding, ceilingSPL: 105, fullScaleSPL: fullScale)
        let peak = Float(2.0.squareRoot() * pow(10, (105 - fullScale) / 20)).nextUp
        guard scaling.attenuation > 0 else { continue }
        let folder = try ScratchFolder()
        let writer = try WAVWriter(
          path: folder.path("out.wav"),
          format: WAVFormat(sampleRate: 8000, channelCount: 1, encoding: encoding),
          gain: scaling.gain)
        try writer.write([[peak, -peak]])
        XCTAssertEqual(writer.clippedSampleCount, 0, "\(encoding), \(fullScale)")
        XCTAssertGreaterThan(scaling.gain * peak, Float(encoding.largestSample) * 0.9999)
      }
    }
  }
}
