/// An event on the render side, delivered to the control side through a ``RenderEventRing``.
///
///     RenderEvent(.bandLost, frame: 48_000, value: 3)
///
/// A plain value without references, so that the render side can create and publish it. It reports
/// that something has happened or a state has changed; it is not meant for measurements that change
/// with every block.
public struct RenderEvent: Sendable, Equatable, BitwiseCopyable {
  /// What happened.
  public var kind: Kind

  /// When it happened: the number of frames that the object had rendered before.
  public var frame: Int64

  /// A value whose meaning and unit the kind defines; 0 for a kind without one.
  public var value: Double

  /// An event at `frame`.
  public init(_ kind: Kind, frame: Int64, value: Double = 0) {
    self.kind = kind
    self.frame = frame
    self.value = value
  }

  /// The kind of an event; an open set. A render object declares its own kinds as computed
  /// properties, because the first access to a stored property may take a lock:
  ///
  ///     extension RenderEvent.Kind {
  ///       /// A band has lost its settings; the value is the band's index.
  ///       public static var bandLost: Self { Self(rawValue: 0x1_0000) }
  ///     }
  public struct Kind: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
    /// The number that identifies the kind: below 0x1_0000 for the kinds of this package, 0x1_0000
    /// or above for all others.
    public let rawValue: UInt32

    /// The kind with this number.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }
}

/// A render object that publishes events.
public protocol RenderEventSource: AnyObject {
  /// The ring to which it publishes its events; it never changes.
  var events: RenderEventRing { get }
}
