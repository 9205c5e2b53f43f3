public import HearingDSP

/// Measures the level in each band of a layout from moment to moment, as a compressing processor
/// does, and changes nothing.
///
///     let meter = try BandLevelMeter(spec: spec, layout: processor.layout)
///     meter.add(channels, frameCount: frameCount)
///     print(meter.levels[0][3], "dB SPL in the fourth band of the first channel")
///
/// For sound whose processor does not measure: `BandLevels` has no input levels while all gains
/// are fixed. The detectors are a processor's own, with the same attack and release in every band.
/// For one thread at a time; it costs as much as a compressing processor. Not for the long-term
/// level in a band: that is ``ThirdOctaveSpectrum``.
public final class BandLevelMeter {
  /// The bands.
  public var layout: BandLayout { detector.layout }

  private let detector: BandGainProcessor
  private let block: AudioBlock
  private let fullScaleSPL: Double
  private static let blockSize = 256

  /// A meter that has heard nothing yet.
  ///
  /// - Parameters:
  ///   - spec: The sound's sample rate and channels.
  ///   - layout: The bands; each must be one that the sample rate carries.
  ///   - calibration: Which level a digital signal stands for.
  ///   - attackTime: Seconds in which a reading follows a rising level; default 5 ms.
  ///   - releaseTime: Seconds in which a reading follows a falling level; default 100 ms.
  /// - Throws: `BandGainProcessor.Failure`, or `BandCurve.Failure` for a time out of range.
  public init(
    spec: ProcessingSpec, layout: BandLayout = .audiometric,
    calibration: Calibration = Calibration(), attackTime: Double = BandCurve.defaultAttackTime,
    releaseTime: Double = BandCurve.defaultReleaseTime
  ) throws {
    detector = try BandGainProcessor(spec: spec, layout: layout)
    fullScaleSPL = calibration.fullScaleSPL
    block = AudioBlock(channelCount: spec.channelCount, capacity: Self.blockSize)
    // A processor measures where a gain depends on the level; what it makes of the sound goes
    // nowhere.
    let curve = try BandCurve(
      points: [.init(level: 0, gain: 0), .init(level: 1, gain: -1)], attackTime: attackTime,
      releaseTime: releaseTime)
    let curves = layout.centers.map { _ in curve }
    try detector.apply(
      ProcessorSettings(
        curves: (0..<spec.channelCount).map { _ in curves },
        outputCeiling: ProcessorSettings.supportedCeilings.upperBound, calibration: calibration))
  }

  /// The level now in dB SPL, `[channel][band]`; 200 dB below full scale before the first frame and
  /// in silence.
  public var levels: [[Double]] {
    detector.levels.channels.map { channel in
      channel.inputLevels ?? layout.centers.map { _ in silence }
    }
  }

  /// Hears `frameCount` frames of as many channels as the meter has.
  public func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(Self.blockSize, frameCount - done)
      for channel in 0..<block.channelCount {
        block.channels[channel].update(from: channels[channel] + done, count: count)
      }
      detector.process(block.channels, frameCount: count)
      done += count
    }
  }

  private var silence: Double { fullScaleSPL - 200 }
}
