public import HearingDSP
public import HearingFitting
public import HearingProcessing

extension ProcessingSession {
  /// Makes a processor follow this session while the returned binding is retained.
  ///
  /// The session's current values are applied to the processor immediately.
  ///
  /// - Parameters:
  ///   - processor: The processor that follows `isEnabled`, `intensity` and `preset`. Do not change
  ///     its settings directly afterwards.
  ///   - ears: The ear that hears each of the processor's channels. A channel whose ear is nil gets
  ///     no gain. By default, the first channel is for the left ear, the second for the right ear,
  ///     and any other channel for no ear.
  ///   - calibration: The sound pressure level of digital full scale, within
  ///     `ProcessorSettings.supportedFullScales`. If nil, the session's latest route supplies the
  ///     calibration; see ``RouteFollower``. Before the first route, an RMS of 1.0 represents 100
  ///     dB SPL.
  ///   - allowsOutputAboveFullScale: Whether output samples may exceed ±1.0. If samples may exceed
  ///     ±1.0, the limit is the maximum output of the preset. Use true only if the next stage
  ///     attenuates the samples or accepts larger values.
  ///   - headphone: The headphone correction. To change it later, set
  ///     ``ProcessorBinding/headphone``.
  /// - Returns: The binding. Releasing the binding ends the connection, so retain the binding.
  public func bind(
    to processor: BandGainProcessor, ears: [Ear?]? = nil,
    calibration: Calibration? = nil, allowsOutputAboveFullScale: Bool = false,
    headphone: HeadphoneCorrection? = nil
  ) -> ProcessorBinding {
    let ears = ears ?? processor.spec.usualEars
    precondition(
      ears.count == processor.spec.channelCount,
      "\(ears.count) ears for \(processor.spec.channelCount) channels")
    calibration?.checkRange()
    return ProcessorBinding(
      self, processor, ears: ears, calibration: calibration,
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, headphone: headphone)
  }
}

extension ProcessingSpec {
  /// The ear for each channel if the app does not choose the ears: the left ear, the right ear, and
  /// no ear for any other channel.
  var usualEars: [Ear?] { (0..<channelCount).map { $0 < 2 ? Ear.allCases[$0] : nil } }
}
