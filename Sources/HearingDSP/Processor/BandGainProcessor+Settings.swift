internal import HearingBuffers

extension BandGainProcessor {
  /// Puts `settings` in force. Control side, any thread; calls from several threads take turns.
  ///
  /// Everything is computed in this call and handed to the render side as a whole. The next block
  /// applies it at the first edge of a sub-block, of which there is one every 8 to 128 frames, at
  /// most 2 ms apart. A block that is already being rendered applies it within 256 frames. Gains
  /// move to their new values smoothly in dB, within 20 ms. If the broadband gain or a filter
  /// changes by more than 20 dB, this takes 40 ms; by more than 41 dB, 80 ms. If gains begin to
  /// depend on level, the transition starts 10 ms later, because levels have to be measured first.
  /// Enabling and disabling cross-fade within 10 ms; a ceiling is in force immediately. Before the
  /// first frame has been rendered, and after ``reset()``, settings are in force from that first
  /// frame on, without a transition. If settings are applied several times before rendering reads
  /// them, the latest win. New gains that are applied during a transition continue its motion and
  /// arrive within 30 ms, so settings may be applied with every block. Settings that differ only in
  /// ceilings or `isEnabled` do not restart a transition.
  ///
  /// Takes about 10 µs for two channels of ten bands, and about 100 µs for steep gains, which need
  /// refinement.
  ///
  /// - Throws: ``BandGainProcessorError`` that names place and value; the previous settings stay in force.
  public func apply(_ settings: ProcessorSettings) throws(BandGainProcessorError) {
    try validate(settings)
    control.withLock { control in
      control.compute(settings)
      // Through a row of its own: for `&handoff[0].back[0]`, Swift 6.3 tells the thread sanitizer the first word of
      // the buffer as the address that changes.
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

  /// The gain in dB at `frequency` Hz that a channel's filters settle to under the settings applied
  /// last.
  ///
  /// Includes the intensity; ignores the limiter and whether the processor is enabled. Any thread.
  ///
  /// - Parameters:
  ///   - frequency: In Hz, below half the sample rate.
  ///   - channel: The channel, from 0.
  ///   - inputLevel: The level in every band in dB SPL for which gains that depend on it are shown;
  ///     default 65. Fixed gains do not depend on it.
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
