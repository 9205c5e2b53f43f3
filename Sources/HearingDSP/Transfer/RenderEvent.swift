/// An event on the audio thread. A ``RenderEventRing`` passes the event to another thread.
///
///     RenderEvent(.bandLost, frame: 48_000, value: 3)
///
/// An event reports that something has happened or that a state has changed. Do not use events for
/// measurements that change with every block. An event contains no references. Therefore the audio
/// thread can create and publish events.
public struct RenderEvent: Sendable, Equatable, BitwiseCopyable {
  /// The kind of the event.
  public var kind: Kind

  /// The time of the event: the number of frames that were rendered before the event.
  public var frame: Int64

  /// An additional number. The kind of the event defines the meaning and the unit of this number.
  /// If the kind of the event needs no additional number, the number is 0.
  public var value: Double

  /// Creates an event at the frame `frame`.
  public init(_ kind: Kind, frame: Int64, value: Double = 0) {
    self.kind = kind
    self.frame = frame
    self.value = value
  }

  /// The kind of an event. Every object that renders audio can declare its own kinds of events. The
  /// first access to a stored static property may acquire a lock. Therefore declare each kind as a
  /// computed property. For example:
  ///
  ///     extension RenderEvent.Kind {
  ///       /// A band has lost its settings; the value is the band's index.
  ///       public static var bandLost: Self { Self(rawValue: 0x1_0000) }
  ///     }
  public struct Kind: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
    /// The number that identifies the kind. Numbers below 0x1_0000 are reserved for this package.
    public let rawValue: UInt32

    /// Creates the kind of event with the number `rawValue`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }
}
