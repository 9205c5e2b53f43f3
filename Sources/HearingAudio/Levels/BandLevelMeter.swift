internal import HearingBuffers
public import HearingDSP

/// Measures the current level in each frequency band, with the level detectors of a
/// `BandGainProcessor`.
///
///     let meter = try BandLevelMeter(spec: spec, layout: processor.layout)
///     meter.add(channels, frameCount: frameCount)
///     print(meter.levels[0][3], "dB SPL in the fourth band of the first channel")
///
/// If no gain of a `BandGainProcessor` depends on the input level, the `BandLevels` of the
/// processor contain no input levels. In this case, use this meter. All bands of the meter have the
/// same attack and release times. The meter needs as much computing time as a `BandGainProcessor`
/// with compression. Use a meter on one thread at a time. For long-term levels, use
/// ``ThirdOctaveSpectrum``.
public final class BandLevelMeter {
  /// The frequency bands in which the meter measures levels.
  public var layout: BandLayout { detector.layout }

  private let detector: BandGainProcessor
  private let block: AudioBlock
  private let fullScaleSPL: Double

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - spec: The sample rate and the number of channels.
  ///   - layout: The frequency bands. The centre frequency of every band must be below 0.45 times
  ///     the sample rate.
  ///   - calibration: The sound pressure level that an RMS of 1.0 represents.
  ///   - attackTime: The attack time in seconds. The default is 0.005.
  ///   - releaseTime: The release time in seconds. The default is 0.1.
  /// - Throws: `BandGainProcessorError`, or `BandCurve.Invalid` if `attackTime` or `releaseTime` is
  ///   out of range.
  public init(
    spec: ProcessingSpec, layout: BandLayout = .audiometric,
    calibration: Calibration = Calibration(), attackTime: Double = BandCurve.defaultAttackTime,
    releaseTime: Double = BandCurve.defaultReleaseTime
  ) throws {
    detector = try BandGainProcessor(spec: spec, layout: layout)
    fullScaleSPL = calibration.fullScaleSPL
    block = AudioBlock(channelCount: spec.channelCount, capacity: 256)
    // A `BandGainProcessor` measures input levels only if a gain depends on the input level.
    // Therefore the gain of `curve` depends on the input level. The output of `detector` is not
    // used.
    let curve = try BandCurve(
      points: [.init(level: 0, gain: 0), .init(level: 1, gain: -1)], attackTime: attackTime,
      releaseTime: releaseTime)
    let curves = layout.centers.map { _ in curve }
    try detector.apply(
      ProcessorSettings(
        curves: (0..<spec.channelCount).map { _ in curves },
        outputCeiling: ProcessorSettings.supportedCeilings.upperBound, calibration: calibration))
  }

  /// The current levels in dB SPL, as `[channel][band]`. Before the first frame and for silence,
  /// all levels are 200 dB below the sound pressure level of an RMS of 1.0.
  public var levels: [[Double]] {
    detector.levels.channels.map { channel in
      channel.inputLevels ?? layout.centers.map { _ in fullScaleSPL - 200 }
    }
  }

  /// Measures `frameCount` frames. There must be one pointer for each channel.
  public func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    // Unsafe: the caller guarantees that each row has `frameCount` frames.
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: block.channelCount, frameCount: frameCount)
    for start in stride(from: 0, to: frameCount, by: block.capacity) {
      block.frameCount = min(block.capacity, frameCount - start)
      for channel in 0..<block.channelCount {
        block.rows[channel].copy(rows[channel].from(start), count: block.frameCount)
      }
      detector.process(block)
    }
  }
}
