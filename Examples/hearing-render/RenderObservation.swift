import Foundation
import HearingAudio
import HearingDSP

/// Processes blocks of samples, and measures each block before and after processing.
struct RenderObservation {
  private let processor: BandGainProcessor
  private let isBypassed: Bool
  private let trace: LevelTrace?
  private let measuresBands: Bool
  /// Measures the input level of each band if the processor does not measure these levels. It
  /// becomes nil when the processor reports its first input levels.
  private var meter: BandLevelMeter?
  private var times: MeasurementTimes
  private(set) var input = LevelMeter(channelCount: 2)
  private(set) var output = LevelMeter(channelCount: 2)
  private(set) var spectra: Spectra?

  /// Measurements that are needed only for a report.
  struct Spectra {
    var before: ThirdOctaveSpectrum
    var after: ThirdOctaveSpectrum
    var inputLevels: EnergyWeightedLevels
    /// The centres of the processor's bands in Hz.
    let centers: [Double]
  }

  init(
    of processor: BandGainProcessor, isBypassed: Bool, calibration: Calibration,
    trace: LevelTrace?, measuresSpectra: Bool
  ) throws {
    self.processor = processor
    self.isBypassed = isBypassed
    self.trace = trace
    let spec = processor.spec
    times = MeasurementTimes(sampleRate: spec.sampleRate)
    measuresBands = trace != nil || measuresSpectra
    meter =
      measuresBands
      ? try BandLevelMeter(spec: spec, layout: processor.layout, calibration: calibration) : nil
    if measuresSpectra {
      let spectrum = ThirdOctaveSpectrum(
        sampleRate: spec.sampleRate, channelCount: spec.channelCount)
      spectra = Spectra(
        before: spectrum, after: spectrum,
        inputLevels: EnergyWeightedLevels(
          channelCount: spec.channelCount, bandCount: processor.layout.centers.count),
        centers: processor.layout.centers)
    }
  }

  /// Processes a block in place.
  mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    unsafe input.add(channels, frameCount: frameCount)
    unsafe spectra?.before.add(channels, frameCount: frameCount)
    if measuresBands {
      var times = self.times
      defer { self.times = times }
      try unsafe times.split(channels, frameCount: frameCount) { channels, frameCount in
        unsafe meter?.add(channels, frameCount: frameCount)
        unsafe processor.process(channels, frameCount: frameCount)
      } note: { seconds in
        try note(seconds)
      }
    } else {
      unsafe processor.process(channels, frameCount: frameCount)
    }
    unsafe spectra?.after.add(channels, frameCount: frameCount)
    unsafe output.add(channels, frameCount: frameCount)
  }

  /// Records the input levels and gains after `seconds` seconds of sound.
  ///
  /// If the processor measures the input levels of all channels, records these levels, because the
  /// processor's gains depend on them.
  private mutating func note(_ seconds: Double) throws {
    let levels = processor.levels
    var inputs = levels.channels.compactMap(\.inputLevels)
    if inputs.count == levels.channels.count {
      meter = nil
    } else if let meter {
      inputs = meter.levels
    } else {
      preconditionFailure("the processor stopped measuring before \(seconds) s")
    }
    spectra?.inputLevels.add(inputs)
    try trace?.add(
      seconds: seconds, inputs: inputs,
      gains: levels.channels.map { $0.gains.map { isBypassed ? 0 : $0 } })
  }
}

/// Splits blocks at the measurement times, which are 10 ms apart. Therefore the measurements do not
/// depend on the block size.
struct MeasurementTimes {
  /// The time between two measurements in seconds.
  static let interval = 0.01

  private let sampleRate: Double
  private var frameCount = 0
  private var count = 0

  init(sampleRate: Double) {
    self.sampleRate = sampleRate
  }

  /// Passes a stereo block to `process` in parts, which end at the measurement times. After each
  /// part that ends at a measurement time, calls `note` with the time in seconds since the start.
  mutating func split(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount blockCount: Int,
    process: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void,
    note: (_ seconds: Double) throws -> Void
  ) rethrows {
    var done = 0
    while done < blockCount {
      let untilNextTime = nextTime - frameCount
      let part = min(blockCount - done, untilNextTime)
      try unsafe [channels[0] + done, channels[1] + done].withUnsafeBufferPointer { rows in
        guard let rows = rows.baseAddress else { return }
        try unsafe process(rows, part)
      }
      done += part
      frameCount += part
      guard part == untilNextTime else { continue }
      count += 1
      try note(Double(count) * Self.interval)
    }
  }

  /// The next measurement time, as a number of frames since the start.
  private var nextTime: Int {
    Int((Double(count + 1) * Self.interval * sampleRate).rounded())
  }
}

/// The energy-weighted mean level of each band. It is computed from levels that are measured every
/// 10 ms.
///
/// Speech is soft most of the time, but its loud moments contain most of its energy. The gain that
/// a listener hears is therefore the gain in the loud moments. For this reason, each level is
/// weighted by its energy.
struct EnergyWeightedLevels {
  private var energies: [[Double]]
  private var weighted: [[Double]]

  /// Creates a mean to which no levels have been added.
  init(channelCount: Int, bandCount: Int) {
    energies = Array(repeating: Array(repeating: 0, count: bandCount), count: channelCount)
    weighted = energies
  }

  /// Adds the levels of one measurement time to the mean. `levels` contains the levels in dB SPL of
  /// each channel, for each band.
  mutating func add(_ levels: [[Double]]) {
    for (channel, levels) in levels.enumerated() {
      for (band, level) in levels.enumerated() {
        let energy = pow(10, level / 10)
        energies[channel][band] += energy
        weighted[channel][band] += energy * level
      }
    }
  }

  /// The energy-weighted mean level in dB SPL; nil if no levels have been added.
  func level(channel: Int, band: Int) -> Double? {
    let energy = energies[channel][band]
    return energy > 0 ? weighted[channel][band] / energy : nil
  }
}
