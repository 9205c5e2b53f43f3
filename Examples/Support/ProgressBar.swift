import Foundation
public import HearingAudio
import Synchronization

/// Shows progress on a terminal. Writes nothing if standard error is not a terminal.
///
/// May be used from any thread.
public final class ProgressBar: Sendable {
  private let isVisible: Bool
  private let shown = Mutex("")
  private static let width = 40

  /// Creates a progress bar. It stays hidden if `isEnabled` is false.
  public init(isEnabled: Bool = true) {
    isVisible = isEnabled && isatty(STDERR_FILENO) == 1
  }

  /// Draws the bar over the previous bar.
  ///
  /// - Parameters:
  ///   - fraction: The completed fraction, 0…1.
  ///   - note: A short text after the bar.
  public func show(fraction: Double, note: String = "") {
    let filled = Int(min(1, max(0, fraction)) * Double(Self.width))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "·", count: Self.width - filled)
    draw(String(format: "%@ %3.0f %% %@", bar, fraction * 100, note))
  }

  /// Shows the name of an operation that has an unknown duration. The name stays visible until the
  /// next call of this method or of ``finish()``.
  public func show(step: String) {
    draw(step + " …")
  }

  /// Shows the progress of a rendering, and removes the bar when the rendering has finished.
  public func show(_ progress: RenderProgress) {
    if let fraction = progress.fraction {
      show(
        fraction: fraction,
        note: progress.secondsLeft.map { String(format: "%4.0f s left", $0) } ?? "")
    } else {
      draw((Double(progress.frameCount) / progress.sampleRate).clockText + " rendered")
    }
    if progress.isFinished { finish() }
  }

  /// Removes the bar.
  public func finish() {
    draw("")
  }

  private func draw(_ line: String) {
    guard isVisible else { return }
    shown.withLock { shown in
      guard shown != line else { return }
      shown = line
      FileHandle.standardError.write(Data("\r\u{1B}[2K\(line)".utf8))
    }
  }
}
