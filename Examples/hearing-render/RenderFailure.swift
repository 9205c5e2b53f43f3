/// What is wrong with an input beyond what its reader says.
enum RenderFailure: Error, CustomStringConvertible {
  case tooManyChannels(Int)
  case unsupportedRate(Int)
  case levelOutOfRange(activeLevel: Double)
  case levelOfStream
  case missingRecording(folder: String)

  var description: String {
    switch self {
    case .tooManyChannels(let count):
      "\(count) channels: mono and stereo can be rendered for two ears"
    case .unsupportedRate(let rate):
      "\(rate) Hz: sample rates of 8000 to 192000 Hz can be rendered"
    case .levelOutOfRange(let level):
      "an active level of \(level.rounded()) dB re full scale: say with --full-scale-spl what it is"
    case .levelOfStream:
      "a stream is not read twice to find its level: say with --full-scale-spl what it is"
    case .missingRecording(let folder):
      "the recording that belongs to the program is not in \(folder)"
    }
  }
}
