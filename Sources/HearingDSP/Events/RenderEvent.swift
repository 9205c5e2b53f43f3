/// An event on the render side, delivered to the control side through a ``RenderEventRing``.
///
///     RenderEvent(.bandLost, frame: 48_000, value: 3)
///
/// A plain value without references, so that the render side can make and pass it on. It is news
/// about an episode or a state; measurements that change with each block belong elsewhere.
public struct RenderEvent: Sendable, Equatable, BitwiseCopyable {
  /// What happened.
  public var kind: Kind

  /// When: the number of frames that the object had rendered before.
  public var frame: Int64

  /// What it is about: the kind says in which unit. 0 where there is nothing to add.
  public var value: Double

  /// An event at `frame`.
  @_noLocks @_noAllocation
  public init(_ kind: Kind, frame: Int64, value: Double = 0) {
    self.kind = kind
    self.frame = frame
    self.value = value
  }

  /// What can happen; an open set. A render object declares its own beside it, computed rather than
  /// stored, since the first use of a stored one may lock:
  ///
  ///     extension RenderEvent.Kind {
  ///       /// A band has lost its settings; the value is the band's index.
  ///       public static var bandLost: Self { Self(rawValue: 0x1_0000) }
  ///     }
  public struct Kind: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
    /// The number by which kinds are told apart: this package's are below 0x1_0000, other people's
    /// from there on.
    public let rawValue: UInt32

    /// The kind with this number.
    @_noLocks @_noAllocation
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }
}

/// A render object that publishes events.
public protocol RenderEventSource: AnyObject {
  /// Where it publishes its events; the same ring for its whole life.
  var events: RenderEventRing { get }
}
