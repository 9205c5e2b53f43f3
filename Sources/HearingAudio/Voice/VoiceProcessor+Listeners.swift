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
  /// The listener is called when the state changes, but only while `isMuted` or `isMutedElsewhere`
  /// is true. The listener is never called on the render thread. While the microphone stays muted,
  /// the arguments alternate between `started` and `ended`, beginning with `started`. When the
  /// microphone is unmuted, the listener does not get a final `ended`, and changes that have not
  /// been delivered yet are discarded.
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
  /// is muted. The listener gets the changes in order. In all other respects, this method works
  /// like ``observeMutedTalker(through:_:)``.
  public func observeMutedTalkerOnMainActor(
    through monitor: RenderEventMonitor,
    _ listener: @escaping @MainActor @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    .onMainActor(listener) { continuation in
      observe(.mutedTalker, through: monitor) { continuation.yield($0) }
    }
  }

  /// Calls a listener when a person starts or stops talking at one end of the call, even while the
  /// microphone is muted.
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
    // If the event ring was full, events may be lost, and the same change may arrive twice in a
    // row. The second one is ignored. Therefore the changes of each period of muting or of voice
    // detection alternate, beginning with `started`.
    let state = Lock((period: nil as UInt32?, isTalking: false))
    return monitor.listen(to: events) { [weak self] event in
      guard event.kind == kind, self?.isCurrent(event) == true, let change = event.voiceChange
      else { return }
      let isNew = state.withLock { state in
        if event.voicePeriod != state.period { state = (event.voicePeriod, false) }
        defer { state.isTalking = change == .started }
        return state.isTalking != (change == .started)
      }
      if isNew { listener(change) }
    }
  }
}
