/// Whether somebody is talking: decisions with hangover.
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
/// Talk starts with the tenth decision for voice in a row (100 ms) and ends with the eightieth
/// decision against voice in a row (800 ms). The state is a plain value without a clock: each
/// decision covers 10 ms. It does not mark where words begin and end; the decisions themselves do.
public struct VoiceState: Sendable, Equatable {
  /// A change of the state.
  public enum Change: Sendable, Equatable {
    /// Somebody has begun to talk.
    case started
    /// Nobody talks any more.
    case ended
  }

  /// Decisions for voice in a row after which talk has started: 10, that is 100 ms.
  public static let startDecisions = 10

  /// Decisions against voice in a row after which talk has ended: 80, that is 800 ms.
  public static let endDecisions = 80

  /// Whether somebody is talking.
  public var isTalking: Bool { count.isTalking }

  private var count = Count()
  /// The same if voices that may be echo count as well.
  private var withEcho = Count()

  private struct Count: Equatable {
    var isTalking = false
    /// Decisions in a row that contradict the state.
    var contrary = 0

    mutating func add(isVoice: Bool) {
      contrary = isVoice == isTalking ? 0 : contrary + 1
      guard contrary >= (isTalking ? endDecisions : startDecisions) else { return }
      contrary = 0
      isTalking.toggle()
    }
  }

  /// Nobody is talking yet.
  public init() {}

  /// Adds the next decision and returns the change it causes.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func take(isVoice: Bool) -> Change? {
    add(NearDecision(isVoice: isVoice))
  }

  /// Adds a decision on the microphone and returns the change it causes.
  ///
  /// While it is not decided whether there is an echo path, a voice that may be echo does not start
  /// talk, but prolongs talk that has already started. If no path is found, the earlier voices
  /// count too.
  mutating func add(_ decision: NearDecision) -> Change? {
    let (isVoice, isVoiceOrEcho) = (decision.isVoice, decision.isVoiceOrEcho)
    let before = isTalking
    if decision.echo == .absent { count = withEcho }
    if decision.echo == .undecided {
      count.add(isVoice: before ? isVoiceOrEcho : isVoice)
      withEcho.add(isVoice: isVoiceOrEcho)
    } else {
      count.add(isVoice: isVoice)
      withEcho = count
    }
    return isTalking == before ? nil : isTalking ? .started : .ended
  }

  /// Returns to nobody talking, without reporting a change.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() {
    (count, withEcho) = (Count(), Count())
  }
}
