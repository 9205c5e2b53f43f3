import HearingAudio

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
}
