public import HearingDSP
public import HearingFitting
public import HearingProcessing

extension ProcessingSession {
  /// Lets a processor follow this session for as long as the returned value lives.
  ///
  /// The processor is brought to the session's values at once.
  ///
  /// - Parameters:
  ///   - processor: Follows `isEnabled`, `intensity` and `preset`; its settings belong to the binding
  ///     from now on.
  ///   - ears: For each of the processor's channels the ear that hears it; nil: nobody's, no gain.
  ///     By default the first channel is the left ear's, the second the right ear's, any other
  ///     nobody's.
  ///   - calibration: Which level a digital signal stands for, within
  ///     `ProcessorSettings.supportedFullScales`.
  /// - Returns: The binding: keep it.
  public func bind(
    to processor: BandGainProcessor, ears: [Ear?]? = nil, calibration: Calibration = Calibration()
  ) -> ProcessorBinding {
    let channelCount = processor.spec.channelCount
    let ears = ears ?? (0..<channelCount).map { $0 < 2 ? Ear.allCases[$0] : nil }
    precondition(
      ears.count == channelCount, "\(ears.count) ears for \(channelCount) channels")
    calibration.checkRange()
    return ProcessorBinding(self, processor, ears: ears, calibration: calibration)
  }
}
