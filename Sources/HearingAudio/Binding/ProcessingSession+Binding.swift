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
  ///   - ears: The ear that hears each of the processor's channels. A channel with nil gets no
  ///     gain. By default, the first channel is for the left ear, the second for the right ear, and
  ///     any other channel for no ear.
  ///   - calibration: The sound pressure level of digital full scale, within
  ///     `ProcessorSettings.supportedFullScales`. If nil, the calibration of the session's latest
  ///     route, which a ``RouteFollower`` enters; before the first route, an RMS of 1.0 represents
  ///     100 dB SPL.
  ///   - allowsOutputAboveFullScale: Whether output samples may exceed ±1.0, up to the maximum
  ///     output of the preset, because the receiver attenuates them or accepts larger values.
  ///   - headphone: The correction of the headphone; ``ProcessorBinding/headphone`` changes it.
  /// - Returns: The binding. Retain it: releasing it ends the connection.
  public func bind(
    to processor: BandGainProcessor, ears: [Ear?]? = nil,
    calibration: Calibration? = nil, allowsOutputAboveFullScale: Bool = false,
    headphone: HeadphoneCorrection? = nil
  ) -> ProcessorBinding {
    let channelCount = processor.spec.channelCount
    let ears = ears ?? (0..<channelCount).map { $0 < 2 ? Ear.allCases[$0] : nil }
    precondition(
      ears.count == channelCount, "\(ears.count) ears for \(channelCount) channels")
    calibration?.checkRange()
    return ProcessorBinding(
      self, processor, ears: ears, calibration: calibration,
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, headphone: headphone)
  }
}
