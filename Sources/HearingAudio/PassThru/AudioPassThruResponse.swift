internal import HearingFitting

/// The result of a request for audio data.
public struct AudioPassThruResponse: Sendable, Equatable {
  /// Why a request ended without an error.
  public enum Ending: Sendable, Equatable {
    /// The maximum duration was reached, in received frames or on the clock.
    case durationReached
    /// The app called ``AudioPassThru/end()``.
    case endedByApp
    /// The source ended.
    case sourceFinished
  }

  /// Why the request ended.
  public var ending: Ending

  /// The number of whole frames received, within the maximum duration.
  public var frameCount: Int

  /// The number of bytes of an incomplete last sample: 0 or 1.
  public var strayByteCount: Int

  /// The number of samples that were clipped after processing. It is 0 without processing.
  public var clippedSampleCount: Int

  /// Creates a response, for tests.
  public init(
    ending: Ending, frameCount: Int, strayByteCount: Int = 0, clippedSampleCount: Int = 0
  ) {
    self.ending = ending
    self.frameCount = frameCount
    self.strayByteCount = strayByteCount
    self.clippedSampleCount = clippedSampleCount
  }
}

/// Why a request for audio data failed.
public enum AudioPassThruError: Error, Sendable, Equatable {
  /// Another request is running. The other request continues.
  case requestRunning
  /// Audio data of this type cannot be received.
  case unsupportedAudioType(String)
  /// No processor is available for the requested format.
  case processingUnavailable(reason: String)
  /// The source failed, with its reason.
  case sourceFailed(reason: String)
  /// The connection was closed, or the `AudioPassThru` was released, during the request.
  case disconnected
}

extension AudioPassThruError: CustomStringConvertible {
  /// One line: what went wrong.
  public var description: String {
    switch self {
    case .requestRunning: "another request for audio data is running"
    case .unsupportedAudioType(let type):
      "audio data of the type \(type.inQuotationMarks) cannot be received; only \"pcm\" can"
    case .processingUnavailable(let reason): "the sound cannot be processed: \(reason)"
    case .sourceFailed(let reason): "the source of the sound failed: \(reason)"
    case .disconnected: "the connection was closed"
    }
  }
}
