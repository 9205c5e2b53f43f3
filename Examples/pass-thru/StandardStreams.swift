import ExampleSupport
import Foundation
import HearingAudio
import Synchronization

/// Acts as the connected device: passes bytes from standard input to the app as soon as they
/// arrive.
final class StandardInput: Sendable {
  private let reason = Mutex<CommandFailure?>(nil)

  /// The error that the input is not raw PCM; nil if this error has not occurred.
  var failure: CommandFailure? { reason.withLock { $0 } }

  /// Passes all input to `passThru`, then reports how the input ended. If the input is a sound
  /// file, reports an error instead.
  func feed(_ passThru: AudioPassThru, checking check: RawStreamCheck) {
    var check = check
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      let code = errno
      if count > 0 {
        do {
          try check.check(buffer[..<count])
        } catch {
          reason.withLock { $0 = error }
          return passThru.sourceDidFail(reason: "\(error)")
        }
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
