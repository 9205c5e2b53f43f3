import HearingAudio
import HearingDSP

/// Has blocks processed, and hears what goes in and what comes out.
struct RenderObservation {
  private let processor: BandGainProcessor
  private let isBypassed: Bool
  private let trace: LevelTrace?
  private let areMomentsWanted: Bool
  /// Hears the input until it is known that the processor does: it measures only if it needs to.
  private var meter: BandLevelMeter?
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
    areMomentsWanted = trace != nil || areSpectraWanted
    meter =
      areMomentsWanted
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
    if areMomentsWanted {
      var moments = self.moments
      defer { self.moments = moments }
      try moments.cut(channels, frameCount: frameCount) { channels, frameCount in
        meter?.add(channels, frameCount: frameCount)
        processor.process(channels, frameCount: frameCount)
      } note: { seconds in
        try note(seconds)
      }
    } else {
      processor.process(channels, frameCount: frameCount)
    }
    spectra?.after.add(channels, frameCount: frameCount)
    output.add(channels, frameCount: frameCount)
  }

  /// Writes down what is so after `seconds` of sound; where the processor measures levels itself,
  /// in all channels or in none, they are the ones that its gains follow.
  private mutating func note(_ seconds: Double) throws {
    let levels = processor.levels
    var inputs = levels.channels.compactMap(\.inputLevels)
    if inputs.count == levels.channels.count {
      meter = nil
    } else if let meter {
      inputs = meter.levels
    } else {
      preconditionFailure("a processor that measures no more after \(seconds) s")
    }
    spectra?.moments.add(inputs)
    try trace?.add(
      seconds: seconds, inputs: inputs,
      gains: levels.channels.map { $0.gains.map { isBypassed ? 0 : $0 } })
  }
}
