// The public names of AVFAudio that are used, as in the iOS 18.1 SDK.
@_exported import AudioToolbox
@_exported import Foundation
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus
open class AVAudioNode: NSObject {
  public func outputFormat(forBus bus: Int) -> AVAudioFormat { fatalError() }
}
open class AVAudioMixerNode: AVAudioNode { public override init() {} }
open class AVAudioOutputNode: AVAudioIONode {}
open class AVAudioIONode: AVAudioNode {}
open class AVAudioInputNode: AVAudioIONode {}
open class AVAudioSourceNode: AVAudioNode {
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {}
}
public typealias AVAudioSinkNodeReceiverBlock = (
  UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus
open class AVAudioSinkNode: AVAudioNode {
  public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {}
}
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
  public class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> AVAudioUnit { fatalError() }
  public var auAudioUnit: AUAudioUnit { fatalError() }
}
open class AVAudioEngine: NSObject {
  public override init() {}
  public func attach(_ node: AVAudioNode) {}
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {}
  public func start() throws {}
  public func stop() {}
  public var isRunning: Bool { false }
  public var inputNode: AVAudioInputNode { fatalError() }
  public var outputNode: AVAudioOutputNode { fatalError() }
  public var mainMixerNode: AVAudioMixerNode { fatalError() }
}
public final class AVAudioFormat: NSObject, @unchecked Sendable {
  public init?(standardFormatWithSampleRate sampleRate: Double, channels: UInt32) {}
  public var sampleRate: Double { 0 }
  public var channelCount: UInt32 { 0 }
  public var commonFormat: AVAudioCommonFormat { .otherFormat }
  public var isInterleaved: Bool { false }
}
public enum AVAudioCommonFormat: UInt, Sendable { case otherFormat, pcmFormatFloat32 }
extension AUAudioUnitBus {
  public convenience init(format: AVAudioFormat) throws { self.init() }
  public var format: AVAudioFormat { fatalError() }
}
public final class AVAudioPCMBuffer: NSObject {
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
  public var frameCapacity: AVAudioFrameCount { fatalError() }
  public var frameLength: AVAudioFrameCount = 0
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { fatalError() }
}
public typealias AVAudioFramePosition = Int64
public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
public final class AVAudioFile: NSObject {
  public init(forReading url: URL) throws {}
  public init(forWriting url: URL, settings: [String: Any]) throws {}
  public var processingFormat: AVAudioFormat { fatalError() }
  public var length: AVAudioFramePosition { 0 }
  public var framePosition: AVAudioFramePosition = 0
  public func read(into buffer: AVAudioPCMBuffer) throws {}
  public func write(from buffer: AVAudioPCMBuffer) throws {}
}
public final class AVAudioTime: NSObject {}
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
}
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  case dataConsumed, dataRendered, dataPlayedBack
}
public final class AVAudioPlayerNode: AVAudioNode, @unchecked Sendable {
  public override init() {}
  // Each method has two forms. In an asynchronous function, a call without a completion handler
  // means the asynchronous form, which waits until the buffer or the file has been played.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionHandler: (@Sendable () -> Void)? = nil
  ) {}
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {}
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionHandler: (@Sendable () -> Void)? = nil
  ) {}
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []
  ) async {}
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: (@Sendable () -> Void)? = nil
  ) {}
  public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {}
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: (@Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil
  ) {}
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType { .dataPlayedBack }
  public func play() {}
  public func stop() {}
}
public final class AVAudioSessionPortDescription: NSObject {
  public var portType: AVAudioSession.Port { fatalError() }
  public var portName: String { fatalError() }
}
public final class AVAudioSessionRouteDescription: NSObject {
  public var outputs: [AVAudioSessionPortDescription] { fatalError() }
}
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
extension NSNotification.Name {
  public static let AVAudioEngineConfigurationChange = NSNotification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}
public final class AVAudioSession: NSObject {
  public class func sharedInstance() -> AVAudioSession { fatalError() }
  public class var routeChangeNotification: NSNotification.Name { fatalError() }
  public class var interruptionNotification: NSNotification.Name { fatalError() }
  public class var mediaServicesWereResetNotification: NSNotification.Name { fatalError() }
  public var currentRoute: AVAudioSessionRouteDescription { fatalError() }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {}
  public var outputLatency: TimeInterval { 0 }
  public var ioBufferDuration: TimeInterval { 0 }
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
  public func setActive(_ active: Bool) throws {}
  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }
  public enum InterruptionType: UInt, Sendable {
    case ended = 0
    case began = 1
  }
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
  }
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
  }
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 1 << 5)
  }
  public struct Port: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    public static let builtInReceiver = Port(rawValue: "Receiver")
    public static let headphones = Port(rawValue: "Headphones")
    public static let lineOut = Port(rawValue: "LineOut")
    public static let usbAudio = Port(rawValue: "USBAudio")
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    public static let airPlay = Port(rawValue: "AirPlay")
    public static let carAudio = Port(rawValue: "CarAudio")
  }
}
