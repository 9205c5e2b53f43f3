/// Decides whether somebody is talking. The input is the sequence of decisions from a
/// ``VoiceActivityDetector``.
///
///     var state = VoiceState()
///     detector.process(samples, frameCount: count) { decision in
///       switch state.add(isVoice: decision.isVoice) {
///       case .started: lamp = true
///       case .ended: lamp = false
///       case nil: break
///       }
///     }
///
/// Talk starts after 10 consecutive decisions with voice (100 ms), and ends after 80 consecutive
/// decisions without voice (800 ms). Each decision covers 10 ms, so no clock is needed. The state
/// does not show where words begin and end. To find words, use the decisions of the detector.
public struct VoiceState: Sendable, Equatable {
  /// A change of the state.
  public enum Change: Sendable, Equatable {
    /// Somebody has begun to talk.
    case started
    /// Nobody talks any more.
    case ended
  }

  /// Talk starts after this number of consecutive decisions with voice: 10 (100 ms).
  public static let startDecisions = 10

  /// Talk ends after this number of consecutive decisions without voice: 80 (800 ms).
  public static let endDecisions = 80

  /// Whether somebody is talking.
  public var isTalking: Bool { count.isTalking }

  private var count = Count()
  /// A second count of decisions. In this count, a voice that may be echo also counts as voice.
  private var withEcho = Count()

  private struct Count: Equatable {
    var isTalking = false
    /// The number of consecutive decisions that differ from `isTalking`.
    var contrary = 0

    mutating func add(isVoice: Bool) {
      contrary = isVoice == isTalking ? 0 : contrary + 1
      guard contrary >= (isTalking ? endDecisions : startDecisions) else { return }
      contrary = 0
      isTalking.toggle()
    }
  }

  /// Creates a state in which nobody is talking.
  public init() {}

  /// Adds the next decision and returns the change of the state. Returns nil if the state does not
  /// change.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func add(isVoice: Bool) -> Change? {
    add(NearDecision(isVoice: isVoice, isVoiceOrEcho: isVoice))
  }

  /// Adds a decision on the microphone signal and returns the change of the state. Returns nil if
  /// the state does not change.
  ///
  /// While it is not known whether there is an echo path, a voice may be echo. If such a voice is
  /// louder than noise, the voice prolongs talk that has already started. However, the voice does
  /// not start talk. A later decision may say that there is no echo path. In this case, the voices
  /// that could have been echo count as near-end speech.
  mutating func add(_ decision: NearDecision) -> Change? {
    let (isVoice, isVoiceOrEcho) = (decision.isVoice, decision.isVoiceOrEcho)
    let before = isTalking
    if decision.echo == .absent { count = withEcho }
    if decision.echo == .unknown {
      count.add(isVoice: before ? isVoiceOrEcho : isVoice)
      withEcho.add(isVoice: isVoiceOrEcho)
    } else {
      count.add(isVoice: isVoice)
      withEcho = count
    }
    return isTalking == before ? nil : isTalking ? .started : .ended
  }

  /// Resets the state: nobody is talking. This function does not report a change.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() { (count, withEcho) = (Count(), Count()) }
}
