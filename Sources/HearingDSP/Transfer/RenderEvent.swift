/// An event on the render side, delivered to the control side through a ``RenderEventRing``.
///
///     RenderEvent(.bandLost, frame: 48_000, value: 3)
///
/// An event reports that something has happened or that a state has changed. Do not use events for
/// measurements that change with every block. An event contains no references, so the render side
/// can create and publish an event.
public struct RenderEvent: Sendable, Equatable, BitwiseCopyable {
  /// The kind of the event.
  public var kind: Kind

  /// The time of the event: the number of frames that were rendered before the event.
  public var frame: Int64

  /// An additional number. The kind of the event defines the meaning and the unit of the value. If
  /// the kind of an event defines no value, the value is 0.
  public var value: Double

  /// Creates an event at the frame `frame`.
  public init(_ kind: Kind, frame: Int64, value: Double = 0) {
    self.kind = kind
    self.frame = frame
    self.value = value
  }

  /// The kind of an event. Every object that renders audio can declare its own kinds of events.
  /// Declare kinds as computed properties, because the first access to a stored property may
  /// acquire a lock:
  ///
  ///     extension RenderEvent.Kind {
  ///       /// A band has lost its settings; the value is the band's index.
  ///       public static var bandLost: Self { Self(rawValue: 0x1_0000) }
  ///     }
  public struct Kind: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
    /// The number that identifies the kind. Numbers below 0x1_0000 are reserved for this package.
    public let rawValue: UInt32

    /// Creates the kind that has the number `rawValue`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }
}
