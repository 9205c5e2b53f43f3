import Foundation
public import HearingAudio

/// Shows the progress of a rendering on a terminal; writes nothing if standard error is not one.
public struct ProgressBar {
  private let isVisible: Bool
  private static let width = 40

  /// A progress bar that is hidden if `isEnabled` is false.
  public init(isEnabled: Bool = true) {
    isVisible = isEnabled && isatty(STDERR_FILENO) == 1
  }

  /// Draws the bar in place of the last one, and removes it when the rendering has finished.
  public func show(_ progress: RenderProgress) {
    guard isVisible else { return }
    let line: String
    if let fraction = progress.fraction {
      let filled = Int(fraction * Double(Self.width))
      let bar =
        String(repeating: "█", count: filled) + String(repeating: "·", count: Self.width - filled)
      let left = progress.secondsLeft.map { String(format: "%4.0f s left", $0) } ?? ""
      line = String(format: "%@ %3.0f %% %@", bar, fraction * 100, left)
    } else {
      line = String(
        format: "%.1f s rendered", Double(progress.frameCount) / progress.sampleRate)
    }
    let ending = progress.isFinished ? "\u{1B}[2K\r" : ""
    FileHandle.standardError.write(Data("\r\(line)\(ending)".utf8))
  }
}
