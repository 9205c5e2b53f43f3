/// What a render call answers its host: an open set of numbers, as audio hosts define them.
///
/// The numbers are those of Core Audio's `OSStatus`, so that a status passes through a host's render
/// block unchanged, on every platform.
public struct RenderStatus: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
  /// The host's number; 0: all is well.
  public let rawValue: Int32

  /// The status with this number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Sound was rendered.
  public static var success: Self { Self(rawValue: 0) }

  /// The slice has more frames than the renderer can take: −10874,
  /// `kAudioUnitErr_TooManyFramesToProcess`.
  public static var tooManyFrames: Self { Self(rawValue: -10_874) }

  /// The host's buffers are not what was agreed: −50, `kAudio_ParamError`.
  public static var unsuitableBuffers: Self { Self(rawValue: -50) }
}

extension RenderStatus: CustomStringConvertible {
  /// The name, if it has one, or the number.
  public var description: String {
    switch self {
    case .success: "success"
    case .tooManyFrames: "too many frames (\(rawValue))"
    case .unsuitableBuffers: "unsuitable buffers (\(rawValue))"
    default: "status \(rawValue)"
    }
  }
}
