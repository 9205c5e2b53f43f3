// The public names of AudioToolbox that are used, as in the iOS 18.1 SDK.
@_exported import CoreAudio
@_exported import Foundation
public typealias AUAudioFrameCount = UInt32
public typealias AUAudioUnitStatus = OSStatus
public typealias AUParameterAddress = UInt64
public typealias AUValue = Float
public typealias AudioUnitParameterID = UInt32
public let kAudioUnitErr_NoConnection: OSStatus = -10876
public let kAudioUnitErr_Uninitialized: OSStatus = -10867
public let kAudioUnitErr_TooManyFramesToProcess: OSStatus = -10874
public let kAudioUnitErr_FormatNotSupported: OSStatus = -10868
public let kAudioUnitType_Effect: UInt32 = 0x6175_6678
public struct AudioUnitRenderActionFlags: OptionSet {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static var unitRenderAction_OutputIsSilence: Self { Self(rawValue: 1 << 4) }
}
public typealias AudioUnit = OpaquePointer
public typealias AudioUnitPropertyID = UInt32
public typealias AudioUnitScope = UInt32
public typealias AudioUnitElement = UInt32
public let kAudioUnitProperty_MaximumFramesPerSlice: AudioUnitPropertyID = 14
public let kAudioUnitScope_Global: AudioUnitScope = 0
public func AudioUnitRender(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inOutputBusNumber: UInt32,
  _ inNumberFrames: UInt32, _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus { 0 }
public func AudioUnitSetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus { 0 }
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
public struct AudioComponentDescription: Sendable {
  public init(
    componentType: UInt32, componentSubType: UInt32, componentManufacturer: UInt32,
    componentFlags: UInt32, componentFlagsMask: UInt32
  ) {}
}
public struct AudioComponentInstantiationOptions: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public struct AudioUnitParameterOptions: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static var flag_IsReadable: Self { Self(rawValue: 1 << 30) }
  public static var flag_IsWritable: Self { Self(rawValue: 1 << 31) }
}
public enum AudioUnitParameterUnit: UInt32, Sendable {
  case generic = 0
  case boolean = 2
}
public enum AUAudioUnitBusType: Int, Sendable {
  case input = 1
  case output = 2
}
open class AUAudioUnitBus: NSObject {}
open class AUAudioUnitBusArray: NSObject {
  public init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses: [AUAudioUnitBus])
  {}
}
open class AUParameterNode: NSObject {
  public var implementorValueObserver: (AUParameter, AUValue) -> Void = { _, _ in }
  public var implementorValueProvider: (AUParameter) -> AUValue = { _ in 0 }
}
open class AUParameterGroup: AUParameterNode {}
open class AUParameter: AUParameterNode {
  public var address: AUParameterAddress { fatalError() }
  public var value: AUValue = 0
}
open class AUParameterTree: AUParameterGroup {
  public class func createParameter(
    withIdentifier identifier: String, name: String, address: AUParameterAddress, min: AUValue,
    max: AUValue, unit: AudioUnitParameterUnit, unitName: String?,
    flags: AudioUnitParameterOptions, valueStrings: [String]?, dependentParameters: [NSNumber]?
  ) -> AUParameter { fatalError() }
  public class func createTree(withChildren children: [AUParameterNode]) -> AUParameterTree {
    fatalError()
  }
  public func parameter(withAddress address: AUParameterAddress) -> AUParameter? { nil }
}
open class AUAudioUnit: NSObject {
  public class func registerSubclass(
    _ cls: AnyClass, as componentDescription: AudioComponentDescription, name: String,
    version: UInt32
  ) {}
  public init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {}
  open var inputBusses: AUAudioUnitBusArray { fatalError() }
  open var outputBusses: AUAudioUnitBusArray { fatalError() }
  open var internalRenderBlock: AUInternalRenderBlock { fatalError() }
  open var parameterTree: AUParameterTree?
  open var channelCapabilities: [NSNumber]? { nil }
  open var latency: TimeInterval { 0 }
  open var shouldBypassEffect = false
  open var canProcessInPlace: Bool { false }
  open var fullState: [String: Any]?
  open var maximumFramesToRender: AUAudioFrameCount = 512
  open func allocateRenderResources() throws {}
  open func deallocateRenderResources() {}
}
