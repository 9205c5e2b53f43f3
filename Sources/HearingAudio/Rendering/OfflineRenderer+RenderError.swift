extension OfflineRenderer {
  /// Why a rendering stopped, apart from what its source, its sink or its process throw.
  public enum RenderError: Error, Sendable, Equatable {
    /// It was cancelled after so many frames; the output was abandoned.
    case cancelled(frameCount: Int)
    /// The channel map names an input channel that the source does not have.
    case missingInput(channel: Int, channelCount: Int)
    /// The sink has another number of channels than is rendered.
    case channelCountMismatch(rendered: Int, sink: Int)
  }
}

extension OfflineRenderer.RenderError: CustomStringConvertible {
  /// One line that says what happened.
  public var description: String {
    switch self {
    case .cancelled(let frameCount):
      "cancelled after \(frameCount) frames"
    case .missingInput(let channel, let channelCount):
      "the map names input channel \(channel), the source has \(channelCount)"
    case .channelCountMismatch(let rendered, let sink):
      "\(rendered) channels are rendered, the output has \(sink)"
    }
  }
}
