internal import HearingDSP
public import HearingVoice
public import HearingProcessing

extension VoiceProcessor {
  /// Tells when somebody starts and stops talking into the muted microphone.
  ///
  ///     let token = processor.observeMutedTalker(through: monitor) { change in
  ///       banner.isShown = change == .started
  ///     }
  ///
  /// The listener is called only while the microphone is muted through `isMuted`, only when the
  /// state changes, and never on the render thread. Within one mute calls alternate, beginning with
  /// a start. Unmuting ends talk under way without a call, also where it was noticed before and
  /// would only be told now; the next mute begins anew.
  ///
  /// - Parameters:
  ///   - monitor: Calls the listener; the only monitor that this processor's events go to.
  ///   - listener: Called with each change.
  /// - Returns: The token that keeps the listener; it does not keep the processor.
  public func observeMutedTalker(
    through monitor: RenderEventMonitor, _ listener: @escaping @Sendable (VoiceState.Change) -> Void
  ) -> ObservationToken {
    observe(.mutedTalker, through: monitor, listener)
  }

  /// Tells when a voice starts and ends at one end of the call, whatever the mute.
  ///
  /// The listener is called only while `isVoiceActivityDetectionEnabled`, only when the state
  /// changes, and never on the render thread. `isVoiceActive(_:)` is the state itself.
  ///
  /// - Parameters:
  ///   - side: Whose voice.
  ///   - monitor: Calls the listener; the only monitor that this processor's events go to.
  ///   - listener: Called with each change.
  /// - Returns: The token that keeps the listener; it does not keep the processor.
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
    let news = Lock(VoiceNews())
    return monitor.listen(to: self) { [weak self] event in
      guard event.kind == kind, let self else { return }
      let isCurrent = isCurrent(event)
      if let change = news.withLock({ $0.take(event, isCurrent: isCurrent) }) { listener(change) }
    }
  }
}
