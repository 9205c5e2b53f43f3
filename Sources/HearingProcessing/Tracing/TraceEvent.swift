/// An event of a session, for logs and developer tools.
///
///     controller.trace = { event in print(event) }
public struct TraceEvent: Sendable, CustomStringConvertible {
  /// What happened.
  public let kind: Kind
  /// The name of the parameter or the component that the event concerns. The name is `preset`,
  /// `fineTuning`, `intensity`, `isEnabled`, `session`, `interruption` or `store`. The name
  /// `session` means all parameters together.
  public let subject: String
  /// The value or the interruption reason as text, at most 200 characters. Nil if the event has
  /// neither a value nor a reason.
  public let value: String?
  /// The name of the applicator, or nil if the event has no applicator or the applicator has no
  /// name.
  public let applicator: String?
  /// The time from the call of an applicator to its answer, or the duration of a load or a save.
  /// Nil for all other events.
  public let duration: Duration?
  /// The error, or nil if nothing failed.
  public let failure: (any Error)?

  /// The kind of an event. Later versions may add kinds.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind as text.
    public let description: String

    /// A sequence has begun: applicators are about to apply a value.
    public static let sequenceBegan = Kind(description: "sequence began")
    /// A sequence has ended: all applicators have applied the value, or one applicator has failed.
    public static let sequenceEnded = Kind(description: "sequence ended")
    /// An applicator has answered, possibly after the time-out. The duration of this event is
    /// measured from the call of the applicator.
    public static let applicatorAnswered = Kind(description: "applicator answered")
    /// An applicator did not answer in time.
    public static let timedOut = Kind(description: "timed out")
    /// A call of `interrupt` has ended.
    public static let interrupted = Kind(description: "interrupted")
    /// A call of `resolve` has ended.
    public static let resolved = Kind(description: "resolved")
    /// Loading a value has begun.
    public static let loadBegan = Kind(description: "load began")
    /// Loading a value has succeeded or failed.
    public static let loadEnded = Kind(description: "load ended")
    /// Saving the session's values has succeeded or failed.
    public static let saved = Kind(description: "saved")
  }

  init(
    _ kind: Kind, _ subject: String, value: String? = nil, applicator: String? = nil,
    duration: Duration? = nil, failure: (any Error)? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.value = value.map { String($0.prefix(200)) }
    self.applicator = applicator
    self.duration = duration
    self.failure = failure
  }

  /// The event as one line of text.
  public var description: String {
    var words = ["\(subject): \(kind)"]
    if let value { words.append(value) }
    if let applicator { words.append("by \(applicator)") }
    if let duration { words.append("after \(duration)") }
    if let failure { words.append("failed: \(failure.sentence)") }
    return words.joined(separator: ", ")
  }
}
