// The few public names of AVFAudio that are used, for machines without it.
@_exported import AudioToolbox
@_exported import Foundation
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus
open class AVAudioNode: NSObject {}
open class AVAudioSourceNode: AVAudioNode {
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {}
}
public final class AVAudioFormat: NSObject, @unchecked Sendable {
  public init?(standardFormatWithSampleRate sampleRate: Double, channels: UInt32) {}
}
public final class AVAudioPCMBuffer: NSObject {
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
  public var frameCapacity: AVAudioFrameCount { fatalError() }
  public var frameLength: AVAudioFrameCount = 0
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { fatalError() }
}
public final class AVAudioFile: NSObject {
  public init(forReading url: URL) throws {}
}
public final class AVAudioTime: NSObject {}
public final class AVAudioPlayerNode: AVAudioNode, @unchecked Sendable {
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionHandler: (@Sendable () -> Void)?
  ) {}
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: (@Sendable () -> Void)?
  ) {}
  public func play() {}
}
public final class AVAudioSessionPortDescription: NSObject {
  public var portType: AVAudioSession.Port { fatalError() }
  public var portName: String { fatalError() }
}
public final class AVAudioSessionRouteDescription: NSObject {
  public var outputs: [AVAudioSessionPortDescription] { fatalError() }
}
public final class AVAudioSession: NSObject {
  public class func sharedInstance() -> AVAudioSession { fatalError() }
  public class var routeChangeNotification: NSNotification.Name { fatalError() }
  public var currentRoute: AVAudioSessionRouteDescription { fatalError() }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {}
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
