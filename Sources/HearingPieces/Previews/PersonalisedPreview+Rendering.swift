public import Foundation
internal import HearingAudio

extension PersonalisedPreview {
  /// Renders a mix stem to a file, in constant memory, on this thread.
  ///
  /// - Parameters:
  ///   - mixStem: WAV, mono or stereo, 8,000…192,000 Hz.
  ///   - destination: Where the preview appears when it is complete: stereo.
  ///   - loop: The part that is played over and over; nil: none.
  ///   - progress: Told of the part that is done, 0…1.
  ///   - isCancelled: Asked often; a cancelled task counts as well.
  /// - Throws: ``Failure``.
  public func render(
    _ mixStem: URL, to destination: URL, loop: LoopMarkers? = nil,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(Failure) {
    do {
      let rendering = try PreviewRendering(
        self, reader: WAVReader(path: mixStem.path), isCancelled)
      try rendering.run(to: destination.path, loop: loop, progress, isCancelled)
    } catch {
      throw Failure(error)
    }
  }
}
