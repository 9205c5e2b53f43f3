// The public names of CoreAudio that are used, as in the iOS 18.1 SDK.
@_exported import CoreAudioTypes
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {}
  public var count: Int { 0 }
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> AudioBuffer {
    get { fatalError() }
    nonmutating set {}
  }
}
