internal import HearingBuffers

extension BandGainProcessor {
  /// Applies `settings`. Call this method from any thread that does not render audio. Concurrent
  /// calls run one after another.
  ///
  /// The call computes all coefficients and tables that the audio thread needs, and publishes all
  /// of them at once. The next block applies the settings within its first 2 ms. If a block is
  /// being rendered during the call, this block may already apply the settings, at most 256 frames
  /// after the call. If several settings are published before the audio thread reads any of them,
  /// only the latest settings are used.
  ///
  /// Gains change smoothly in dB, usually within 20 ms. If the broadband gain or the gain of a
  /// filter changes by more than 20.5 dB, the transition takes 40 ms. If the broadband gain or the
  /// gain of a filter changes by more than 41 dB, the transition takes 80 ms. If gains begin to
  /// depend on the level, the transition starts 10 ms later, after the levels have been measured.
  /// When the processor is enabled or disabled, the output cross-fades for 10 ms. A new ceiling
  /// takes effect immediately.
  ///
  /// Before the first frame, and between ``reset()`` and the next frame, new settings take effect
  /// without a transition.
  ///
  /// New gains may be applied during a transition, for example with every block. A transition that
  /// interrupts another transition starts from the current gains without a jump, and takes 30 ms.
  /// If a gain changes by more than 20.5 dB, such a transition takes 40 ms. If a gain changes by
  /// more than 41 dB, such a transition takes 80 ms. A change of the ceilings,
  /// ``ProcessorSettings/allowsOutputAboveFullScale``, `isEnabled` or the headphone correction does
  /// not restart a transition.
  ///
  /// A call takes about 10 µs for two channels of ten bands. If neighbouring bands have very
  /// different gains, the filter gains need additional iterations, and a call takes about 100 µs.
  ///
  /// - Throws: ``BandGainProcessorError``, which contains the invalid setting and its value. If the
  ///   method throws an error, the previous settings remain active.
  public func apply(_ settings: ProcessorSettings) throws(BandGainProcessorError) {
    try validate(settings)
    control.withLock { control in
      control.compute(settings)
      // Writes through a constant copy of the row. With `&handoff[0].back[0]`, Swift 6.3 would
      // report to the thread sanitizer a write to the first word of the triple buffer. In fact,
      // this word does not change.
      let back = handoff[0].back
      control.write(to: &back[0])
      handoff[0].publish()
    }
  }

  /// Checks whether `apply(_:)` would accept `settings`. May be called from any thread.
  ///
  /// - Throws: the same ``BandGainProcessorError`` as `apply(_:)`.
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
    typealias Failure = BandGainProcessorError
    try (0...1).check(settings.intensity, Failure.intensityOutOfRange)
    try (0...1).check(settings.channelLinking, Failure.channelLinkingOutOfRange)
    try ProcessorSettings.supportedFullScales.check(
      settings.calibration.fullScaleSPL, Failure.fullScaleOutOfRange)
  }

  /// The generation number of the latest applied settings. The generation number is 0 before the
  /// first call of `apply(_:)`, and increases by 1 with each successful call. May be read from any
  /// thread.
  public var settingsPublished: UInt64 {
    control.withLock { $0.generation }
  }

  /// The generation number of the settings that the audio thread uses. The property may be read
  /// from any thread. The read is wait-free.
  ///
  /// When the audio thread has applied the latest settings, the number equals
  /// ``settingsPublished``. The transition to the new gains ends at most 90 ms after the call of
  /// `apply(_:)`, and usually after 20 ms. The number is 0 before the first frame.
  public var settingsInForce: UInt64 {
    board.readGeneration()
  }

  /// The gain in dB that a channel's filters reach at `frequency` Hz with the latest applied
  /// settings.
  ///
  /// The gain includes the scaling by the intensity, but not the gain reduction of the limiter. The
  /// result is the same for an enabled and a disabled processor. If a band has a
  /// ``BandCurve/maximumOutput``, the reduced gain is computed for a tone at the centre of the
  /// band. May be called from any thread.
  ///
  /// - Parameters:
  ///   - frequency: The frequency in Hz, below half the sample rate.
  ///   - channel: The index of the channel. The first channel has the index 0.
  ///   - inputLevel: The level in dB SPL in every band, for gains that depend on the level. The
  ///     default is 65.
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
