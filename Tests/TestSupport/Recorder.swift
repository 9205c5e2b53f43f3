/// Collects what happens on any thread, in order.
public final class Recorder<Event: Sendable>: Sendable {
  private let recorded = Guarded<[Event]>([])

  /// An empty record.
  public init() {}

  /// What has happened until now.
  public var events: [Event] { recorded.withLock { $0 } }

  /// Adds an event.
  public func record(_ event: Event) {
    recorded.withLock { $0.append(event) }
  }
}
