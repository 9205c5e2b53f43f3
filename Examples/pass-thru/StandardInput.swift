import ExampleSupport
import Foundation
import HearingAudio

/// The connected device: whatever arrives on standard input, as it arrives.
enum StandardInput {
  /// Hands everything to `passThru` and tells how the source ended.
  static func feed(_ passThru: AudioPassThru) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      let code = errno
      if count > 0 {
        passThru.receive(Data(buffer[..<count]))
      } else if count == 0 {
        return passThru.sourceDidFinish()
      } else if code != EINTR {
        return passThru.sourceDidFail(reason: SystemReason.text(ofNumber: code))
      }
    }
  }
}
