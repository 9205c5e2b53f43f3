/// Why an input that can be read cannot be rendered.
enum RenderFailure: Error, CustomStringConvertible {
  case tooManyChannels(Int)
  case unsupportedRate(Int)
  case levelOutOfRange(activeLevel: Double)
  case levelOfStream
  case missingRecording(folder: String)

  var description: String {
    switch self {
    case .tooManyChannels(let count):
      "\(count) channels; only mono and stereo can be rendered"
    case .unsupportedRate(let rate):
      "\(rate) Hz is outside the supported sample rates 8000…192000 Hz"
    case .levelOutOfRange(let level):
      "the active level, \(level.rounded()) dB re full scale, is out of range; set --full-scale-spl"
    case .levelOfStream:
      "the level of a stream cannot be measured in advance; set --full-scale-spl instead"
    case .missingRecording(let folder):
      "the recording that comes with the program is not in \(folder)"
    }
  }
}
