// The few public names of CoreAudioTypes that are used, for machines without it.
public typealias OSStatus = Int32
public let noErr: OSStatus = 0
public struct AudioTimeStamp { public var mSampleTime: Double }
public struct AudioBuffer {
  public var mNumberChannels: UInt32
  public var mDataByteSize: UInt32
  public var mData: UnsafeMutableRawPointer?
}
public struct AudioBufferList {
  public var mNumberBuffers: UInt32
  public var mBuffers: AudioBuffer
}
