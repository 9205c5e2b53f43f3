import HearingAudio
import HearingDSP
import HearingFitting

/// The sample format of the stream. The names are those of sox and ffmpeg.
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

  /// The permitted levels of digital full scale in dB SPL. At a lower level, integer samples could
  /// not represent any maximum output that a preset can have.
  var fullScales: ClosedRange<Double> {
    switch self {
    case .f32le: ProcessorSettings.supportedFullScales
    case .s16le, .u8: 10...ProcessorSettings.supportedFullScales.upperBound
    }
  }

  /// The highest maximum output in dB SPL that the samples can represent; infinite for floating
  /// point.
  ///
  /// - Parameter fullScaleSPL: The level in dB SPL of an RMS of 1.0.
  func representableOutput(fullScaleSPL: Double) -> Double {
    let maximum = EarPreset.maximumOutputLimit(isLevelDependent: true)
    let scaling = OutputScaling(
      encoding: encoding, ceilingSPL: maximum, fullScaleSPL: fullScaleSPL,
      keepsScale: self == .f32le)
    return scaling.attenuation == 0 ? .infinity : maximum - scaling.attenuation - 1e-4
  }
}
