import ExampleSupport
import Foundation
import HearingAudio
import Synchronization

/// Acts as the connected device: passes bytes from standard input to the app as soon as they
/// arrive.
enum StandardInput {
  /// Passes all input to `passThru`, then tells it how the input ended.
  static func feed(_ passThru: AudioPassThru) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
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

/// Writes to standard output, and stores the reason if writing fails.
final class OutputPipe: Sendable {
  private let reason = Mutex<String?>(nil)

  /// The reason why writing failed; nil if writing has not failed.
  var failure: String? { reason.withLock { $0 } }

  /// Writes all of `data`. Returns false if writing fails.
  func write(_ data: Data) -> Bool {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
      return true
    } catch {
      let text = SystemReason.text(of: error)
      reason.withLock { $0 = text }
      return false
    }
  }
}
