internal import HearingDSP
public import HearingVoice
public import HearingProcessing

extension VoiceProcessor {
  /// Calls a listener when somebody starts or stops talking into the muted microphone.
  ///
  ///     let token = processor.observeMutedTalker(through: monitor) { change in
  ///       banner.isShown = change == .started
  ///     }
  ///
  /// The listener is called only while the microphone is muted through `isMuted`, only when the
  /// state changes, and never on the render thread. During one mute period, calls alternate between
  /// `started` and `ended`, beginning with `started`. When the microphone is unmuted, reported talk
  /// ends without a call, and changes that were not yet delivered are discarded.
  ///
  /// - Parameters:
  ///   - monitor: Calls the listener; the only monitor of this processor.
  ///   - listener: Called with each change.
  /// - Returns: A token that cancels the listener when released. It does not retain the processor.
  public func observeMutedTalker(
    through monitor: RenderEventMonitor, _ listener: @escaping @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    observe(.mutedTalker, through: monitor, listener)
  }

  /// Calls a listener on the main actor, in order, when somebody starts or stops talking into the
  /// muted microphone; otherwise like ``observeMutedTalker(through:_:)``.
  public func observeMutedTalkerOnMainActor(
    through monitor: RenderEventMonitor,
    _ listener: @escaping @MainActor @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    let (changes, continuation) = AsyncStream.makeStream(of: VoiceState.Change.self)
    let delivery = Task { @MainActor in
      for await change in changes { listener(change) }
    }
    let token = observe(.mutedTalker, through: monitor) { continuation.yield($0) }
    return ObservationToken {
      token.cancel()
      delivery.cancel()
    }
  }

  /// Calls a listener when a voice starts or ends at one end of the call, whether or not the
  /// microphone is muted.
  ///
  /// The listener is called only while `isVoiceActivityDetectionEnabled` is true, only when the
  /// state changes, and never on the render thread. `isVoiceActive(_:)` returns the state.
  ///
  /// - Parameters:
  ///   - side: The end of the call whose voice is observed.
  ///   - monitor: Calls the listener; the only monitor of this processor.
  ///   - listener: Called with each change.
  /// - Returns: A token that cancels the listener when released. It does not retain the processor.
  public func observeVoiceActivity(
    _ side: VoiceSide, through monitor: RenderEventMonitor,
    _ listener: @escaping @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    observe(.voice(side), through: monitor, listener)
  }

  private func observe(
    _ kind: RenderEvent.Kind, through monitor: RenderEventMonitor,
    _ listener: @escaping @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    let changes = Lock(VoiceChanges())
    return monitor.listen(to: self) { [weak self] event in
      guard event.kind == kind, let self else { return }
      let isCurrent = isCurrent(event)
      if let change = changes.withLock({ $0.accept(event, isCurrent: isCurrent) }) {
        listener(change)
      }
    }
  }
}

/// Filters the changes of a voice for a listener.
///
/// Ignores changes of an earlier mute or detection period, and repeated changes, which occur when
/// events were coalesced. During each mute period, the remaining changes alternate, beginning with
/// `started`.
private struct VoiceChanges {
  private var period: UInt32?
  private var isTalking = false

  /// The change that the event reports; nil if the listener does not get it.
  ///
  /// - Parameter isCurrent: Whether the event belongs to the current mute period.
  mutating func accept(_ event: RenderEvent, isCurrent: Bool) -> VoiceState.Change? {
    guard isCurrent, let change = event.voiceChange else { return nil }
    if event.voicePeriod != period {
      period = event.voicePeriod
      isTalking = false
    }
    guard (change == .started) != isTalking else { return nil }
    isTalking.toggle()
    return change
  }
}
