import HearingAudio
import HearingDSP

/// Has blocks processed, and hears what goes in and what comes out.
struct RenderObservation {
  private let processor: BandGainProcessor
  private let isBypassed: Bool
  private let trace: LevelTrace?
  /// Hears the input where levels are wanted: the processor measures them only if it needs them.
  private let meter: BandLevelMeter?
  private var moments: Moments
  private(set) var input = LevelMeter(channelCount: 2)
  private(set) var output = LevelMeter(channelCount: 2)
  private(set) var spectra: Spectra?

  /// What only a report needs.
  struct Spectra {
    var before: ThirdOctaveSpectrum
    var after: ThirdOctaveSpectrum
    var moments: BandMoments
    /// The centres of the processor's bands in Hz.
    let centers: [Double]
  }

  init(
    of processor: BandGainProcessor, isBypassed: Bool, calibration: Calibration,
    trace: LevelTrace?, areSpectraWanted: Bool
  ) throws {
    self.processor = processor
    self.isBypassed = isBypassed
    self.trace = trace
    let spec = processor.spec
    moments = Moments(sampleRate: spec.sampleRate)
    meter =
      trace != nil || areSpectraWanted
      ? try BandLevelMeter(spec: spec, layout: processor.layout, calibration: calibration) : nil
    if areSpectraWanted {
      let spectrum = ThirdOctaveSpectrum(
        sampleRate: spec.sampleRate, channelCount: spec.channelCount)
      spectra = Spectra(
        before: spectrum, after: spectrum,
        moments: BandMoments(
          channelCount: spec.channelCount, bandCount: processor.layout.centers.count),
        centers: processor.layout.centers)
    }
  }

  /// Processes a block in place.
  mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    input.add(channels, frameCount: frameCount)
    spectra?.before.add(channels, frameCount: frameCount)
    if let meter {
      var moments = self.moments
      defer { self.moments = moments }
      try moments.cut(channels, frameCount: frameCount) { channels, frameCount in
        meter.add(channels, frameCount: frameCount)
        processor.process(channels, frameCount: frameCount)
      } note: { seconds in
        try note(seconds, meter.levels)
      }
    } else {
      processor.process(channels, frameCount: frameCount)
    }
    spectra?.after.add(channels, frameCount: frameCount)
    output.add(channels, frameCount: frameCount)
  }

  /// Writes down what is so after `seconds` of sound; where the processor measures levels itself,
  /// they are the ones that its gains follow.
  private mutating func note(_ seconds: Double, _ metered: [[Double]]) throws {
    let levels = processor.levels
    let measured = levels.channels.compactMap(\.inputLevels)
    let inputs = measured.count == metered.count ? measured : metered
    spectra?.moments.add(inputs)
    try trace?.add(
      seconds: seconds, inputs: inputs,
      gains: levels.channels.map { $0.gains.map { isBypassed ? 0 : $0 } })
  }
}
