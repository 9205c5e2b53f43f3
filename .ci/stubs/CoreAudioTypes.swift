// The public names of CoreAudioTypes that are used, as in the iOS 18.1 SDK.
public typealias OSStatus = Int32
public let noErr: OSStatus = 0
public typealias AudioFormatID = UInt32
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
public struct AudioTimeStampFlags: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static var sampleTimeValid: AudioTimeStampFlags { Self(rawValue: 1 << 0) }
  public static var hostTimeValid: AudioTimeStampFlags { Self(rawValue: 1 << 1) }
}
public struct AudioTimeStamp {
  public init() {}
  public var mSampleTime: Double = 0
  public var mHostTime: UInt64 = 0
  public var mFlags: AudioTimeStampFlags = []
}
public struct AudioBuffer {
  public var mNumberChannels: UInt32
  public var mDataByteSize: UInt32
  public var mData: UnsafeMutableRawPointer?
}
public struct AudioBufferList {
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
  public var mNumberBuffers: UInt32
  public var mBuffers: AudioBuffer
}
