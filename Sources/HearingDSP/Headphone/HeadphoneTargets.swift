internal import HearingBuffers

/// A headphone correction in the form that the render side uses; its sections are stored
/// separately.
struct HeadphoneTargets: BitwiseCopyable {
  /// The generation of the settings that set the correction.
  var generation: UInt64 = 0
  var isOn = false
  /// The gain of the preamp and of the high shelves, an amplitude ratio.
  var amplitude: Float = 1
  /// Whether any shelf is outside the first vector.
  var hasManyShelves = false

  /// The number of vectors, each of four sections.
  static let vectorCount = 3

  init() {}

  /// Writes the sections of `correction` to `vectors`; shelves first.
  ///
  /// A high shelf is written as a low shelf with the opposite gain, and its gain is included
  /// in `amplitude`.
  init(
    _ correction: HeadphoneCorrection?, generation: UInt64, sampleRate: Double,
    to vectors: Row<SectionTargets>
  ) {
    self.generation = generation
    for vector in 0..<Self.vectorCount { vectors[vector] = SectionTargets() }
    guard let correction else { return }
    isOn = true
    var gain = correction.preampGain
    let available = correction.sections.filter { $0.isAvailable(at: sampleRate) }
    let shelves = available.filter { $0.kind != .peak }
    hasManyShelves = shelves.count > 4
    for (place, section) in (shelves + available.filter { $0.kind == .peak }).enumerated() {
      let prototype = SectionPrototype(
        frequency: section.frequency, quality: section.quality, sampleRate: sampleRate)
      let (vector, lane) = (vectors.from(place / 4), 3 - place % 4)
      switch section.kind {
      case .peak: vector[0].setBell(prototype, gain: section.gain, lane: lane)
      case .lowShelf: vector[0].setLowShelf(prototype, gain: section.gain, lane: lane)
      case .highShelf:
        vector[0].setLowShelf(prototype, gain: -section.gain, lane: lane)
        gain += section.gain
      }
    }
    amplitude = Float(CMath.amplitude(decibels: gain))
  }
}
