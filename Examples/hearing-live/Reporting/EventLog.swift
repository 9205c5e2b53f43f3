import Foundation
import Synchronization

/// Writes events as lines of JSON to standard error. Without `--events`, writes only warnings, in
/// plain text.
final class EventLog: Sendable {
  private let isEnabled: Bool
  private let frame = Atomic(0)
  private let writing = Mutex(())

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// Increases the number of rendered frames, which each event reports. Called by the rendering
  /// thread.
  func advance(by frameCount: Int) {
    frame.add(frameCount, ordering: .relaxed)
  }

  /// The number of frames rendered so far.
  var frameCount: Int { frame.load(ordering: .relaxed) }

  /// Writes an event with its details, if events are enabled.
  func write(_ event: String, _ details: [String: Any] = [:]) {
    guard isEnabled else { return }
    var object = details
    object["event"] = event
    object["frame"] = details["frame"] ?? frameCount
    write(line: JSONLine.text(object))
  }

  /// Writes a warning: as an event if events are enabled, otherwise as plain text.
  func warn(_ text: String) {
    if isEnabled {
      write("warning", ["text": text])
    } else {
      write(line: "hearing-live: \(text)")
    }
  }

  /// Writes the answer to a command from a pipe.
  func answer(_ text: String) {
    if isEnabled {
      write("answer", ["text": text])
    } else {
      write(line: text)
    }
  }

  /// Writes a line. The lock prevents lines of different threads from being mixed.
  private func write(line: String) {
    writing.withLock { _ in
      try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
  }
}
