internal import HearingFitting

/// The result of a request for audio data.
public struct AudioPassThruResponse: Sendable, Equatable {
  /// The reason why a request ended without an error.
  public enum Ending: Sendable, Equatable {
    /// The maximum duration was reached, either by the received frames or by the scheduler's clock.
    case durationReached
    /// The app called ``AudioPassThru/end()``.
    case endedByApp
    /// The source ended.
    case sourceFinished
  }

  /// The reason why the request ended.
  public var ending: Ending

  /// The number of whole frames that were received before the maximum duration was reached.
  public var frameCount: Int

  /// The number of bytes in an incomplete last sample: 0 or 1.
  public var strayByteCount: Int

  /// The number of samples that were clipped after processing. Without processing, the number is 0.
  public var clippedSampleCount: Int
}

/// The reason why a request for audio data failed.
public enum AudioPassThruError: Error, Sendable, Equatable {
  /// Another request is running. The other request continues.
  case requestRunning
  /// The audio type is not supported.
  case unsupportedAudioType(String)
  /// No processor is available for the requested format.
  case processingUnavailable(reason: String)
  /// The source failed for this reason.
  case sourceFailed(reason: String)
  /// During the request, the connection was closed, or the `AudioPassThru` was released.
  case disconnected
}

extension AudioPassThruError: CustomStringConvertible {
  /// A description of the error in one line.
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
