// The few public names of AudioToolbox that are used, for machines without it.
@_exported import CoreAudio
public typealias AUAudioFrameCount = UInt32
public typealias AUAudioUnitStatus = OSStatus
public let kAudioUnitErr_NoConnection: OSStatus = -10876
public struct AudioUnitRenderActionFlags: OptionSet {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static var unitRenderAction_OutputIsSilence: Self { Self(rawValue: 1 << 4) }
}
public struct AURenderEvent {}
public typealias AURenderPullInputBlock = (
  UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>,
  AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus
public typealias AUInternalRenderBlock = (
  UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>,
  AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AURenderEvent>?,
  AURenderPullInputBlock?
) -> AUAudioUnitStatus
