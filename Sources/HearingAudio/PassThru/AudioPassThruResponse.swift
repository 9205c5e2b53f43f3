internal import HearingFitting

/// The result of a request for audio data.
public struct AudioPassThruResponse: Sendable, Equatable {
  /// The reason why a request ended without an error.
  public enum Ending: Sendable, Equatable {
    /// The duration of the received frames, or the time since the start of the clock, reached the
    /// maximum duration of the request.
    case durationReached
    /// The app called ``AudioPassThru/end()``.
    case endedByApp
    /// The source of the audio data finished.
    case sourceFinished
  }

  /// The reason why the request ended.
  public var ending: Ending

  /// The number of whole frames that were received. Frames after the maximum duration do not count.
  public var frameCount: Int

  /// The number of bytes of an incomplete sample at the end of the data, 0 or 1.
  public var strayByteCount: Int

  /// The number of samples that were clipped after processing. If the chunks are not processed,
  /// this number is 0.
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
  /// The source of the audio data failed. The associated value is the reason.
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
