/// What ended the sound.
enum LiveEnding: String {
  case inputEnded = "the input ended"
  case outputClosed = "the output was closed"
  case stopped = "stopped by a signal"
}
