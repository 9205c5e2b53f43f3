import HearingAudio
import HearingDSP
import HearingFitting

/// The sample format of the stream, with the names of sox and ffmpeg.
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

  /// The full scales in dB SPL at which a maximum output can be represented.
  var fullScales: ClosedRange<Double> {
    switch self {
    case .f32le: ProcessorSettings.supportedFullScales
    case .s16le, .u8: 10...ProcessorSettings.supportedFullScales.upperBound
    }
  }

  /// The maximum output in dB SPL that the samples can represent if an RMS of 1.0 is
  /// `fullScaleSPL`; infinite for floating point.
  func representableOutput(fullScaleSPL: Double) -> Double {
    let maximum = EarPreset.maximumOutputLimit(isLevelDependent: true)
    let scaling = OutputScaling(
      encoding: encoding, ceilingSPL: maximum, fullScaleSPL: fullScaleSPL,
      keepsScale: self == .f32le)
    return scaling.attenuation == 0 ? .infinity : maximum - scaling.attenuation - 1e-4
  }
}
