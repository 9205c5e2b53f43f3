/// Something that happened in a session, for a log or a developer's view.
///
///     controller.trace = { event in print(event) }
public struct TraceEvent: Sendable, CustomStringConvertible {
  /// What happened.
  public let kind: Kind
  /// What it concerns: a parameter by its name (`preset`, `fineTuning`, `intensity`, `isEnabled`, `session` for
  /// all of them together), `interruption`, or `store`.
  public let subject: String
  /// The value or the reason in words, at most 200 characters; nil if there is none.
  public let value: String?
  /// The name of the applicator, if it has one.
  public let applicator: String?
  /// How long it took; nil if the event is the start of something.
  public let duration: Duration?
  /// Why it failed; nil if it did not.
  public let failure: (any Error)?

  /// What can happen; an open set.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind in words.
    public let description: String

    /// A parameter's applicators are about to be asked for a value.
    public static let sequenceBegan = Kind(description: "sequence began")
    /// All of them have applied it, or one of them has not.
    public static let sequenceEnded = Kind(description: "sequence ended")
    /// An applicator has answered, in time or late; the time counts from its call.
    public static let applicatorAnswered = Kind(description: "applicator answered")
    /// An applicator did not answer in time.
    public static let timedOut = Kind(description: "timed out")
    /// An `interrupt` was carried out.
    public static let interrupted = Kind(description: "interrupted")
    /// A `resolve` was carried out.
    public static let resolved = Kind(description: "resolved")
    /// A value began to be loaded.
    public static let loadBegan = Kind(description: "load began")
    /// The load has ended.
    public static let loadEnded = Kind(description: "load ended")
    /// The values were saved, or could not be.
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

  /// One line.
  public var description: String {
    var words = ["\(subject): \(kind)"]
    if let value { words.append(value) }
    if let applicator { words.append("by \(applicator)") }
    if let duration { words.append("after \(duration)") }
    if let failure { words.append("failed: \(failure.sentence)") }
    return words.joined(separator: ", ")
  }
}
