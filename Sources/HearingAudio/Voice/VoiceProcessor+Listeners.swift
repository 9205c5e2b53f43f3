internal import HearingDSP
public import HearingVoice
public import HearingProcessing

extension VoiceProcessor {
  /// Calls the closure `listener` when a person starts or stops talking while the microphone is
  /// muted.
  ///
  ///     let token = processor.observeMutedTalker(through: monitor) { change in
  ///       banner.isShown = change == .started
  ///     }
  ///
  /// The microphone is muted while `isMuted` or `isMutedElsewhere` is true. The closure is never
  /// called on the render thread. After the microphone has been muted, the first argument of the
  /// closure is `started`. The next arguments are alternately `ended` and `started`. If the
  /// microphone is unmuted while a person is talking, the closure is not called with `ended`.
  /// Changes that the closure has not received before the microphone is unmuted are discarded.
  ///
  /// - Parameters:
  ///   - monitor: The monitor that calls `listener`. Use only one monitor per `VoiceProcessor`,
  ///     because each event is delivered to only one monitor.
  ///   - listener: A closure that is called with each change: `started` or `ended`.
  /// - Returns: A token. When the token is released, `listener` is no longer called. The token does
  ///   not retain the `VoiceProcessor`.
  public func observeMutedTalker(
    through monitor: RenderEventMonitor, _ listener: @escaping @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    observe(.mutedTalker, through: monitor, listener)
  }

  /// Calls the closure `listener` on the main actor when a person starts or stops talking while the
  /// microphone is muted. The changes are delivered in order. In all other respects, this method
  /// works like ``observeMutedTalker(through:_:)``.
  public func observeMutedTalkerOnMainActor(
    through monitor: RenderEventMonitor,
    _ listener: @escaping @MainActor @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    .onMainActor(listener) { continuation in
      observe(.mutedTalker, through: monitor) { continuation.yield($0) }
    }
  }

  /// Calls the closure `listener` when a person at one end of the call starts or stops talking. The
  /// closure is also called while the microphone is muted.
  ///
  /// The closure is called only while `isVoiceActivityDetectionEnabled` is true. The closure is
  /// never called on the render thread. The method `isVoiceActive(_:)` returns whether a person at
  /// a given end of the call is talking now.
  ///
  /// - Parameters:
  ///   - side: The end of the call at which the voice is observed.
  ///   - monitor: The monitor that calls `listener`. Use only one monitor per `VoiceProcessor`,
  ///     because each event is delivered to only one monitor.
  ///   - listener: A closure that is called with each change: `started` or `ended`.
  /// - Returns: A token. When the token is released, `listener` is no longer called. The token does
  ///   not retain the `VoiceProcessor`.
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
    // The render thread writes events to the event ring, a buffer of limited size. If the ring was
    // full, events may be lost, and the same change may arrive twice in a row. The closure below
    // ignores the second of two equal changes. Therefore `started` and `ended` alternate. Each
    // period of muting or of voice detection begins with `started`.
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
