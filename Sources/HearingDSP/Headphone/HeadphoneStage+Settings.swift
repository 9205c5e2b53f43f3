internal import HearingBuffers

extension HeadphoneStage {
  /// The settings of the headphone stage.
  struct Settings: ~Copyable {
    var correction = Correction()
    /// The filter sections of the correction, `[vector]`. A vector contains four sections. All
    /// channels have the same sections.
    let sections = OwnedRow<SectionTargets>.filled(SectionTargets(), count: vectorCount)
  }

  /// The properties of a headphone correction that do not belong to a single filter section.
  struct Correction: BitwiseCopyable {
    /// A number that increases with every new correction.
    var generation: UInt64 = 0
    var isOn = false
    /// The sum of the preamp gain and the gains of the high shelves, as an amplitude ratio.
    var amplitude: Float = 1
  }

  /// The number of vectors. Each vector contains four filter sections.
  static var vectorCount: Int { Cascade.depth }

  /// Computes ``Settings`` from ``ProcessorSettings``. Never runs on the audio thread.
  struct Design {
    private let sampleRate: Double
    private var source: HeadphoneCorrection?
    private var correction = Correction()
    private var sections = [SectionTargets](repeating: SectionTargets(), count: vectorCount)

    init(sampleRate: Double) {
      self.sampleRate = sampleRate
    }

    /// Designs the filter sections of the correction if the correction has changed. In the cascade
    /// of sections, the shelves precede the peak filters.
    ///
    /// A high shelf is designed as a low shelf with the opposite gain. ``Correction/amplitude``
    /// includes the gain of the high shelf.
    mutating func compute(_ settings: ProcessorSettings) {
      guard settings.headphone != source else { return }
      source = settings.headphone
      correction = Correction(generation: correction.generation + 1)
      for vector in sections.indices { sections[vector] = SectionTargets() }
      guard let source else { return }
      correction.isOn = true
      var gain = source.preampGain
      let available = source.sections.filter { $0.isAvailable(at: sampleRate) }
      let shelves = available.filter { $0.kind != .peak }
      for (index, section) in (shelves + available.filter { $0.kind == .peak }).enumerated() {
        let prototype = SectionPrototype(
          frequency: section.frequency, quality: section.quality, sampleRate: sampleRate)
        let (vector, lane) = (index / 4, 3 - index % 4)
        switch section.kind {
        case .peak: sections[vector].setBell(prototype, gain: section.gain, lane: lane)
        case .lowShelf: sections[vector].setLowShelf(prototype, gain: section.gain, lane: lane)
        case .highShelf:
          sections[vector].setLowShelf(prototype, gain: -section.gain, lane: lane)
          gain += section.gain
        }
      }
      correction.amplitude = Float(CMath.amplitude(decibels: gain))
    }

    func write(to slot: inout Settings) {
      slot.correction = correction
      for (vector, targets) in sections.enumerated() { slot.sections[vector] = targets }
    }
  }
}
