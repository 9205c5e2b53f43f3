internal import HearingBuffers

extension BandGainProcessor {
  /// Applies `settings`. Control side, any thread; calls from several threads run one after
  /// another.
  ///
  /// This call computes everything and passes the complete result to the render side. The next
  /// block applies it at the first edge of a sub-block; these edges are 8 to 128 frames (at most 2
  /// ms) apart. A block that is already being rendered applies it within 256 frames. Gains move to
  /// their new values smoothly in dB, within 20 ms. If the broadband gain or a filter changes by
  /// more than 20 dB, this takes 40 ms; by more than 41 dB, 80 ms. If gains begin to depend on
  /// level, the transition starts 10 ms later, because levels have to be measured first. Enabling
  /// and disabling use a cross-fade of 10 ms; a new ceiling takes effect immediately. Settings that
  /// are applied before the first frame, or between ``reset()`` and the next frame, take effect at
  /// that frame without a transition. If settings are applied several times before rendering reads
  /// them, the latest settings win. New gains that are applied during a transition continue its
  /// motion and arrive within 30 ms, so settings may be applied with every block. Settings that
  /// differ only in ceilings, ``ProcessorSettings/allowsOutputAboveFullScale``, `isEnabled` or the
  /// headphone correction do not restart a transition.
  ///
  /// A call takes about 10 µs for two channels of ten bands, and about 100 µs for steep gains,
  /// which need refinement.
  ///
  /// - Throws: ``BandGainProcessorError`` that names the setting and the value; the previous
  ///   settings stay in force.
  public func apply(_ settings: ProcessorSettings) throws(BandGainProcessorError) {
    try validate(settings)
    control.withLock { control in
      control.compute(settings)
      // Written through a separate row: for `&handoff[0].back[0]`, Swift 6.3 reports the first word
      // of the buffer to the thread sanitizer as the address that changes.
      let back = handoff[0].back
      control.write(to: &back[0])
      handoff[0].publish()
    }
  }

  /// Whether `apply(_:)` would accept `settings`. Any thread.
  ///
  /// - Throws: the ``BandGainProcessorError`` that `apply(_:)` would throw.
  public func validate(_ settings: ProcessorSettings) throws(BandGainProcessorError) {
    let channelCount = spec.channelCount
    let bandCount = layout.centers.count
    guard settings.curves.count == channelCount else {
      throw .channelCountMismatch(expected: channelCount, actual: settings.curves.count)
    }
    for (channel, curves) in settings.curves.enumerated() {
      guard curves.count == bandCount else {
        throw .bandCountMismatch(channel: channel, expected: bandCount, actual: curves.count)
      }
      for (band, curve) in curves.enumerated() {
        for point in curve.points where !ProcessorSettings.supportedGains.contains(point.gain) {
          throw .gainOutOfRange(channel: channel, band: band, gain: point.gain)
        }
      }
    }
    guard settings.outputCeilings.count == channelCount else {
      throw .ceilingCountMismatch(expected: channelCount, actual: settings.outputCeilings.count)
    }
    for (channel, level) in settings.outputCeilings.enumerated()
    where !ProcessorSettings.supportedCeilings.contains(level) {
      throw .ceilingOutOfRange(channel: channel, level: level)
    }
    guard (0...1).contains(settings.intensity) else {
      throw .intensityOutOfRange(settings.intensity)
    }
    guard (0...1).contains(settings.channelLinking) else {
      throw .channelLinkingOutOfRange(settings.channelLinking)
    }
    guard ProcessorSettings.supportedFullScales.contains(settings.calibration.fullScaleSPL) else {
      throw .fullScaleOutOfRange(settings.calibration.fullScaleSPL)
    }
  }

  /// The generation of the settings applied last: 0 before any, then 1, 2, … Any thread.
  public var settingsPublished: UInt64 {
    control.withLock { $0.generation }
  }

  /// The generation of the settings that rendering has applied. Any thread, wait-free.
  ///
  /// These settings are in force, or will be within 20 to 80 ms. Equal to ``settingsPublished``
  /// once rendering has caught up; 0 before the first frame.
  public var settingsInForce: UInt64 {
    board.readGeneration()
  }

  /// The gain in dB at `frequency` Hz that a channel's filters settle to with the settings applied
  /// last.
  ///
  /// Includes the intensity; ignores the limiter and whether the processor is enabled. Close to a
  /// maximum output, it is the gain for tones at the centres of the bands. Any thread.
  ///
  /// - Parameters:
  ///   - frequency: In Hz, below half the sample rate.
  ///   - channel: The channel, from 0.
  ///   - inputLevel: The level in every band in dB SPL at which level-dependent gains are
  ///     evaluated; default 65. Fixed gains do not depend on it.
  public func response(
    at frequency: Double, channel: Int, inputLevel: Double = 65
  ) -> Double {
    precondition(
      frequency > 0 && frequency < spec.sampleRate / 2,
      "frequency \(frequency) Hz is not between 0 and half the sample rate")
    precondition(
      (0..<spec.channelCount).contains(channel), "channel \(channel) of \(spec.channelCount)")
    return control.withLock {
      $0.response(at: frequency, channel: channel, inputLevel: inputLevel)
    }
  }
}
