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
  /// While `isMuted` or `isMutedElsewhere` is true, the listener is called when talking starts or
  /// ends. The listener is never called on the render thread. While the microphone stays muted, the
  /// listener's argument alternates between `started` and `ended`. The first argument is `started`.
  /// When the microphone is unmuted during talking, the listener does not get a final `ended`.
  /// Changes that have not been delivered before the microphone is unmuted are discarded.
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

  /// Calls a listener when a person at one end of the call starts or stops talking. The listener is
  /// also called while the microphone is muted.
  ///
  /// While `isVoiceActivityDetectionEnabled` is true, the listener is called when talking starts or
  /// ends. The listener is never called on the render thread. `isVoiceActive(_:)` returns whether
  /// there is a voice at one end of the call.
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
    // row. The closure ignores the second of two equal changes. Therefore `started` and `ended`
    // alternate, and each period of muting or of voice detection begins with `started`.
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
