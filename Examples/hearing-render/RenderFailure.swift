import HearingAudio

/// What is wrong with an input beyond what its reader says.
enum RenderFailure: Error, CustomStringConvertible {
  case recording(ListenerRendering.Failure)
  case missingRecording(folder: String)

  var description: String {
    switch self {
    case .recording(let failure):
      switch failure {
      case .levelOfStream, .levelOutOfRange: "\(failure); give the level with --full-scale-spl"
      default: failure.description
      }
    case .missingRecording(let folder):
      "the recording that belongs to the program is not in \(folder)"
    }
  }
}
