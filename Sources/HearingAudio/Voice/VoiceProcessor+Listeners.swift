internal import HearingDSP
public import HearingVoice
public import HearingProcessing

extension VoiceProcessor {
  /// Calls a listener when a person starts or stops talking while the microphone is muted.
  ///
  ///     let token = processor.observeMutedTalker(through: monitor) { change in
  ///       banner.isShown = change == .started
  ///     }
  ///
  /// The listener is called when the state changes, but only while `isMuted` is true. The listener
  /// is never called on the render thread. While the microphone stays muted, the arguments
  /// alternate between `started` and `ended`, beginning with `started`. When the microphone is
  /// unmuted, the listener does not get a final `ended`. Changes that have not been delivered yet
  /// are discarded.
  ///
  /// - Parameters:
  ///   - monitor: The monitor that calls the listener. Use only one monitor per processor.
  ///   - listener: Called with each change.
  /// - Returns: A token that cancels the listener when the token is released. The token does not
  ///   retain the processor.
  public func observeMutedTalker(
    through monitor: RenderEventMonitor, _ listener: @escaping @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    observe(.mutedTalker, through: monitor, listener)
  }

  /// Calls a listener on the main actor when a person starts or stops talking while the microphone
  /// is muted. The order of the changes is preserved. In all other respects, this method works like
  /// ``observeMutedTalker(through:_:)``.
  public func observeMutedTalkerOnMainActor(
    through monitor: RenderEventMonitor,
    _ listener: @escaping @MainActor @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    .onMainActor(listener) { continuation in
      observe(.mutedTalker, through: monitor) { continuation.yield($0) }
    }
  }

  /// Calls a listener when a voice starts or ends at one end of the call. The listener is also
  /// called while the microphone is muted.
  ///
  /// The listener is called when the state changes, but only while
  /// `isVoiceActivityDetectionEnabled` is true. The listener is never called on the render thread.
  /// `isVoiceActive(_:)` returns the current state.
  ///
  /// - Parameters:
  ///   - side: The end of the call whose voice is observed.
  ///   - monitor: The monitor that calls the listener. Use only one monitor per processor.
  ///   - listener: Called with each change.
  /// - Returns: A token that cancels the listener when the token is released. The token does not
  ///   retain the processor.
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
    return monitor.listen(to: events) { [weak self] event in
      guard event.kind == kind, let self else { return }
      let isCurrent = isCurrent(event)
      if let change = changes.withLock({ $0.accept(event, isCurrent: isCurrent) }) {
        listener(change)
      }
    }
  }
}

/// Selects the changes of a voice's state that a listener gets.
///
/// Changes that belong to an earlier mute or detection period are ignored. Repeated changes are
/// also ignored. Repeated changes occur when events were coalesced. During each period, the
/// remaining changes alternate between `started` and `ended`, beginning with `started`.
private struct VoiceChanges {
  private var period: UInt32?
  private var isTalking = false

  /// Returns the change that the event reports. Returns nil if the listener must not get this
  /// change.
  ///
  /// - Parameter isCurrent: Whether the event belongs to the current mute or detection period.
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
