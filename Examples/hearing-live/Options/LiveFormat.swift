import HearingAudio
import HearingDSP
import HearingFitting

/// How the samples of the stream are stored, as sox and ffmpeg name it.
enum LiveFormat: String, CaseIterable {
  case f32le
  case s16le
  case u8

  var encoding: SampleEncoding {
    switch self {
    case .f32le: .float32
    case .s16le: .int16
    case .u8: .uint8
    }
  }

  /// The full scales in dB SPL that leave room for a ceiling.
  var fullScales: ClosedRange<Double> {
    switch self {
    case .f32le: ProcessorSettings.supportedFullScales
    case .s16le, .u8: 10...ProcessorSettings.supportedFullScales.upperBound
    }
  }

  /// The output in dB SPL that the samples can carry, if an RMS of 1.0 stands for `fullScaleSPL`:
  /// integers have a largest one.
  func carriedOutput(fullScaleSPL: Double) -> Double {
    let highest = EarPreset.maximumOutputLimit(isLevelDependent: true)
    let scaling = OutputScaling(
      encoding: encoding, ceilingSPL: highest, fullScaleSPL: fullScaleSPL)
    return scaling.attenuation == 0 ? .infinity : highest - scaling.attenuation - 1e-4
  }
}
