import HearingDSP

/// The renderer of the audio worklet. It contains a processor, the comparison with the unprocessed
/// sound, a simulation of hearing loss, and meters.
///
/// It processes the two channels of ``samples`` in place. ``process(frameCount:)`` allocates
/// nothing.
final class WebRenderer {
  /// The maximum number of frames in a call. The Web Audio API renders 128 frames per call.
  static let capacity = 1024

  /// The samples of the left and the right channel, with ``capacity`` samples each.
  var samples: Rows { Rows(start: rows) }

  /// Switches the output between the processed and the unprocessed sound.
  var comparison: Comparison

  /// Simulates a hearing loss. It processes the output of ``comparison``.
  let simulation: HearingLossSimulation

  private let processor: BandGainProcessor
  /// Measures levels while no gain depends on the input level. In this case, `processor` does not
  /// measure levels.
  private let meter: BandGainProcessor
  private var isMeterNeeded = false
  private var fullScale = Calibration().fullScaleSPL
  /// Three buffers with two channels each: the processed sound, the unprocessed sound, and the
  /// buffer of the meter.
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A delay line for the unprocessed sound. Its length in frames is the processor's latency.
  private let delayed: UnsafeMutablePointer<SIMD2<Float>>
  private var delayedFrame = 0

  /// Creates a renderer without gains.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz.
  ///   - lookAhead: The look-ahead of the limiter in seconds.
  init(sampleRate: Double, lookAhead: Double) throws(WebFailure) {
    guard ProcessingSpec.supportedSampleRates.contains(sampleRate),
      let layout = BandLayout.audiometric.limited(to: sampleRate)
    else { throw .unsupportedSettings }
    let spec = ProcessingSpec(sampleRate: sampleRate, channelCount: 2)
    do throws(BandGainProcessorError) {
      processor = try BandGainProcessor(
        spec: spec, layout: layout, limiter: LimiterConfiguration(lookAhead: lookAhead))
      meter = try BandGainProcessor(spec: spec, layout: layout)
    } catch {
      throw .unsupportedSettings
    }
    comparison = Comparison(sampleRate: sampleRate)
    simulation = try HearingLossSimulation(sampleRate: sampleRate, layout: layout)
    rows = .allocate(capacity: 6)
    for row in 0..<6 {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.capacity)
      samples.initialize(repeating: 0, count: Self.capacity)
      (rows + row).initialize(to: samples)
    }
    delayed = .allocate(capacity: max(1, processor.latency))
    delayed.initialize(repeating: SIMD2(), count: max(1, processor.latency))
  }

  deinit {
    for row in 0..<6 { rows[row].deallocate() }
    rows.deallocate()
    delayed.deallocate()
  }

  /// The latency of the output in frames.
  var latency: Int { processor.latency }

  /// Applies settings. After a failure, the previous settings remain.
  func apply(_ settings: ProcessorSettings) throws(WebFailure) {
    do throws(BandGainProcessorError) {
      try processor.apply(settings)
      let isFixed = settings.curves.allSatisfy { $0.allSatisfy { $0.fixedGain != nil } }
      if isFixed { try meter.apply(Self.measuring(processor.layout, settings.calibration)) }
      isMeterNeeded = isFixed
    } catch {
      throw .unsupportedSettings
    }
    fullScale = settings.calibration.fullScaleSPL
  }

  /// Settings with which a processor measures levels. A processor measures the level of a band only
  /// if the band's gain depends on the level.
  private static func measuring(
    _ layout: BandLayout, _ calibration: Calibration
  ) -> ProcessorSettings {
    let curves = layout.centers.map { _ in levelDependentCurve }
    return ProcessorSettings(curves: [curves, curves], calibration: calibration)
  }

  /// A gain that decreases with the level. It is used only for measuring; the processed samples are
  /// not played.
  private static let levelDependentCurve: BandCurve = {
    do throws(BandCurve.Invalid) {
      return try BandCurve(points: [.init(level: 0, gain: 0), .init(level: 1, gain: -1)])
    } catch {
      preconditionFailure("two points with rising levels are a curve")
    }
  }()

  /// Processes the first `frameCount` frames of ``samples``, at most ``capacity``.
  func process(frameCount: Int) {
    let (sound, dry, meterRows) = (Rows(start: rows), Rows(start: rows + 2), Rows(start: rows + 4))
    if isMeterNeeded {
      meterRows.left.update(from: sound.left, count: frameCount)
      meterRows.right.update(from: sound.right, count: frameCount)
      meter.process(rows + 4, frameCount: frameCount)
    }
    let latency = processor.latency
    if latency == 0 {
      dry.left.update(from: sound.left, count: frameCount)
      dry.right.update(from: sound.right, count: frameCount)
    } else {
      for frame in 0..<frameCount {
        let earlier = delayed[delayedFrame]
        delayed[delayedFrame] = SIMD2(sound.left[frame], sound.right[frame])
        delayedFrame = delayedFrame + 1 == latency ? 0 : delayedFrame + 1
        (dry.left[frame], dry.right[frame]) = (earlier.x, earlier.y)
      }
    }
    processor.process(rows, frameCount: frameCount)
    comparison.process(sound, dry: dry, frameCount: frameCount)
    simulation.process(sound, frameCount: frameCount)
  }

  /// Simulates a hearing loss. `thresholds` contains the thresholds in dB HL of all bands, first
  /// for the left and then for the right ear. If it is empty, the simulation is off.
  func simulate(_ thresholds: UnsafeBufferPointer<Double>) throws(WebFailure) {
    if !thresholds.isEmpty { try simulation.simulate(thresholds, fullScale: fullScale) }
    simulation.isHeard = !thresholds.isEmpty
  }

  /// Processes the first frames of ``samples`` with the processor only.
  func processAlone(frameCount: Int) {
    processor.process(rows, frameCount: frameCount)
  }

  /// The levels of each channel: first the input levels of all bands in dB SPL, then their gains in
  /// dB.
  var levels: [Double] {
    let levels = processor.levels
    let silence = levels.channels.map { $0.gains.map { _ in fullScale - 200 } }
    var numbers: [Double] = []
    for (number, channel) in levels.channels.enumerated() {
      let measured =
        channel.inputLevels
        ?? (isMeterNeeded ? meter.levels.channels[number].inputLevels : nil)
      numbers += measured ?? silence[number]
      numbers += channel.gains
    }
    return numbers
  }
}

/// The samples of two channels.
struct Rows {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>

  /// Creates rows from two pointers to samples, which are stored at `start`.
  init(start: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
    (left, right) = (start[0], start[1])
  }
}
