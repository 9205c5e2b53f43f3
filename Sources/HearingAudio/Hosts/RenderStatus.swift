/// The status that a render call returns to its host. A host or a renderer may define further
/// status values.
///
/// On every platform, the numbers are the `OSStatus` codes of Core Audio.
public struct RenderStatus: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
  /// The number of the status; 0 means no error.
  public let rawValue: Int32

  /// Creates the status with this number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The samples were rendered.
  public static var success: Self { Self(rawValue: 0) }

  /// The host requested more frames than the renderer supports. The number is −10874, Core Audio's
  /// `kAudioUnitErr_TooManyFramesToProcess`.
  public static var tooManyFrames: Self { Self(rawValue: -10_874) }

  /// The host's buffers do not have the expected format. The number is −50, Core Audio's
  /// `kAudio_ParamError`.
  public static var unsuitableBuffers: Self { Self(rawValue: -50) }
}

extension RenderStatus: CustomStringConvertible {
  /// The name of a known status, or the number of any other status.
  public var description: String {
    switch self {
    case .success: "success"
    case .tooManyFrames: "too many frames (\(rawValue))"
    case .unsuitableBuffers: "unsuitable buffers (\(rawValue))"
    default: "status \(rawValue)"
    }
  }
}
