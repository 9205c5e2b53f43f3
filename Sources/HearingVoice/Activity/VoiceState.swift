/// Whether somebody is talking, as a listener would say it: decisions with hang-over.
///
///     var state = VoiceState()
///     detector.process(samples, frameCount: count) { decision in
///       switch state.take(isVoice: decision.isVoice) {
///       case .started: lamp = true
///       case .ended: lamp = false
///       case nil: break
///       }
///     }
///
/// Talk starts with the tenth decision for voice in a row (100 ms) and ends with the eightieth in a
/// row against it (800 ms). It is a plain value without a clock: one decision stands for 10 ms. Not
/// for finding where words begin and end; the decisions themselves say that.
public struct VoiceState: Sendable, Equatable {
  /// A change of the state.
  public enum Change: Sendable, Equatable {
    /// Somebody has begun to talk.
    case started
    /// Nobody talks any more.
    case ended
  }

  /// Decisions for voice in a row after which talk has started: 10, that is 100 ms.
  public static var startDecisions: Int {
    @_noLocks @_noAllocation get { 10 }
  }

  /// Decisions against voice in a row after which talk has ended: 80, that is 800 ms.
  public static var endDecisions: Int {
    @_noLocks @_noAllocation get { 80 }
  }

  /// Whether somebody is talking.
  public private(set) var isTalking = false

  /// Decisions in a row that speak against the state.
  private var contrary = 0

  /// Nobody is talking yet.
  public init() {}

  /// Takes the next decision in and returns what it changes.
  @_noLocks @_noAllocation
  public mutating func take(isVoice: Bool) -> Change? {
    guard isVoice != isTalking else {
      contrary = 0
      return nil
    }
    contrary += 1
    guard contrary >= (isTalking ? Self.endDecisions : Self.startDecisions) else { return nil }
    contrary = 0
    isTalking.toggle()
    return isTalking ? .started : .ended
  }

  /// Returns to nobody talking, without a change to tell.
  @_noLocks @_noAllocation
  public mutating func reset() {
    isTalking = false
    contrary = 0
  }
}
