import Foundation
import Synchronization

/// What happens, as lines of JSON on standard error; without `--events` only what a user must know.
final class EventLog: Sendable {
  private let isWanted: Bool
  private let frame = Atomic(0)
  private let writing = Mutex(())

  init(isWanted: Bool) {
    self.isWanted = isWanted
  }

  /// Frames have been rendered. Render side.
  func advance(by frameCount: Int) {
    frame.add(frameCount, ordering: .relaxed)
  }

  /// How many frames have been rendered.
  var frameCount: Int { frame.load(ordering: .relaxed) }

  /// Tells an event with whatever belongs to it.
  func tell(_ event: String, _ details: [String: Any] = [:]) {
    guard isWanted else { return }
    var object = details
    object["event"] = event
    object["frame"] = details["frame"] ?? frameCount
    write(JSONText.line(object))
  }

  /// Tells what a user must know, with `--events` as an event.
  func warn(_ text: String) {
    if isWanted {
      tell("warning", ["text": text])
    } else {
      write("hearing-live: \(text)")
    }
  }

  /// Tells the answer to a command that came from a pipe.
  func answer(_ text: String) {
    if isWanted {
      tell("answer", ["text": text])
    } else {
      write(text)
    }
  }

  /// Whole lines, one after the other.
  private func write(_ line: String) {
    writing.withLock { _ in
      try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
  }
}
