internal import HearingBuffers

/// Measures the level in every band of every channel once per window (at most 2 ms), and applies
/// attack and release to the levels.
///
/// An additional detector measures the level of sound at frequencies below the first band. The gain
/// of the first band also applies to frequencies below the first band. In memory, the additional
/// detector is stored after the detectors of the bands.
///
/// The detector reads a copy of the signal and does not change the signal.
struct BandLevelDetector: ~Copyable {
  private let shape: ProcessorShape
  private let timing: RenderTiming

  /// The samples since the start of the current window (at most 2 ms), `[channel][frame]`. If the
  /// number of channels is odd, a silent channel is added, because channels are processed in pairs.
  private let window: OwnedRow<Float>

  /// The filters of the level detectors, `[channel][detector vector]`. A vector contains four
  /// detectors.
  private let detectors: OwnedRow<DetectorStates>
  /// The levels in dB SPL, `[channel][detector vector]`.
  private let levels: OwnedRow<LevelStates>

  /// The levels in dB SPL for meters, `[channel][detector]`. The number of detectors is rounded up
  /// to a multiple of four.
  let shownLevels: OwnedRow<Float>
  /// The levels in dB SPL that are the input of the gain curves, `[channel][detector]`. The number
  /// of detectors is rounded up to a multiple of four.
  let curveLevels: OwnedRow<Float>

  /// The number of remaining windows in which the levels of a channel stay constant, `[channel]`.
  /// After invalid samples, the levels stay constant for a short time.
  private let heldWindows: OwnedRow<Int32>
  /// The channels with invalid samples in the current window.
  private var broken = ChannelSet()

  /// The measurement errors for a tone between two neighbouring bands, `[edge]`. An edge is the
  /// border between two neighbouring bands. Edge 0 is the lower edge of the first band.
  let edges: OwnedRow<EdgeLoss>

  /// The coefficient of the one-pole filter that smooths the power in each band. The filter is
  /// updated once per window (at most 2 ms).
  private let smoothing: Float

  /// The number of remaining windows until the detectors have settled after the start of the
  /// measurement. Attack and release are not applied before the detectors have settled.
  var settlingWindows = 0

  init(shape: ProcessorShape, layout: BandLayout, sampleRate: Double) {
    self.shape = shape
    timing = RenderTiming(sampleRate: sampleRate)
    let count = shape.pairedChannelCount * shape.detectorVectors
    window = .filled(0, count: shape.pairedChannelCount * timing.window)
    detectors = .filled(DetectorStates(), count: count)
    levels = .filled(LevelStates(), count: count)
    shownLevels = .filled(0, count: count * 4)
    curveLevels = .filled(0, count: count * 4)
    heldWindows = .filled(0, count: shape.channelCount)
    smoothing = Float(
      1 - CMath.exponential(-Double(timing.window) / (Self.smoothingTime * sampleRate)))
    let prototypes = DetectorPrototype.all(layout: layout, sampleRate: sampleRate)
    let below = DetectorPrototype.below(layout: layout, sampleRate: sampleRate)
    edges = .filled(EdgeLoss(), count: shape.bandCount + 1)
    EdgeLoss.write([below] + prototypes, to: edges.row)
    for channel in 0..<shape.channelCount {
      DetectorStates.write(
        prototypes + [below], to: detectors.from(channel * shape.detectorVectors))
    }
  }

  /// Starts the measurement of levels. The detectors start with silence.
  mutating func begin(_ slot: Row<SettingsSlot>) {
    for index in 0..<shape.channelCount * shape.detectorVectors {
      detectors[index].clear()
      levels[index] = LevelStates()
    }
    for index in 0..<shape.channelCount * timing.window { window[index] = 0 }
    clearBroken()
    settlingWindows = timing.settlingWindows
    finishWindow(slot)
  }

  mutating func clearBroken() {
    broken = ChannelSet()
    for channel in 0..<shape.channelCount { heldWindows[channel] = 0 }
  }

  /// Applies new gain curves. Clamps the current levels to the level range of the new curves.
  mutating func adopt(_ slot: Row<SettingsSlot>) {
    for index in 0..<shape.channelCount * shape.detectorVectors {
      let level = curveLevels.float4(at: index &* 4)
      curveLevels.setFloat4(slot[0].compressor.ballistics[index].limited(level), at: index &* 4)
    }
  }

  /// Copies the samples of the current ``RenderRun`` to ``window``.
  mutating func record(_ run: RenderRun) {
    broken.formUnion(run.broken)
    let offset = Int(truncatingIfNeeded: run.position) & (timing.window - 1)
    for channel in 0..<shape.channelCount {
      SampleOperations.copy(
        run.workRow(channel), to: window.from(channel * timing.window + offset),
        count: run.count, minimum: DenormalGuard.detectorFloor, maximum: .greatestFiniteMagnitude,
        filler: DenormalGuard.filler(of: DenormalGuard.detectorFloor, at: run.position))
    }
  }

  /// Updates the levels. Called at the end of a window (at most 2 ms).
  mutating func finishWindow(_ slot: Row<SettingsSlot>) {
    runDetectors()
    holdBroken()
    measure(slot)
    for vector in 0..<shape.detectorVectors { follow(slot, vector) }
    if settlingWindows > 0 { settlingWindows -= 1 }
    for channel in 0..<shape.channelCount where heldWindows[channel] > 0 {
      heldWindows[channel] -= 1
    }
  }

  /// Applies the detectors to the samples of the window.
  private func runDetectors() {
    for channel in stride(from: 0, to: shape.channelCount, by: 2) {
      let left = window.from(channel * timing.window)
      let leftDetectors = detectors.from(channel * shape.detectorVectors)
      DetectorBank.run(
        vectors: shape.detectorVectors, left: left, right: left.from(timing.window),
        count: timing.window, energyStride: timing.energyStride, leftDetectors: leftDetectors,
        rightDetectors: leftDetectors.from(shape.detectorVectors))
    }
  }

  /// If a channel contains invalid samples, keeps the levels of the channel constant until the
  /// invalid samples no longer affect the detectors.
  private mutating func holdBroken() {
    guard !broken.isEmpty else { return }
    for channel in 0..<shape.channelCount where broken.contains(channel) {
      heldWindows[channel] = Int32(truncatingIfNeeded: timing.recoveryWindows + 1)
    }
    broken = ChannelSet()
  }

  /// Converts the energies in the current window into levels in dB SPL.
  private func measure(_ slot: Row<SettingsSlot>) {
    let scale = Float(timing.energyStride) / Float(timing.window)
    for index in 0..<shape.channelCount * shape.detectorVectors {
      let octaves = detectors[index].finish(scale: scale, smoothing: smoothing)
      guard heldWindows[index / shape.detectorVectors] == 0 else { continue }
      levels[index].measured = octaves * Decibels.perOctaveOfPower + slot[0].compressor.fullScale
    }
  }

  /// Updates the levels of four detectors in all channels: applies channel linking, attack and
  /// release. Channel linking moves the level of a channel towards the level of the loudest
  /// channel.
  private func follow(_ slot: Row<SettingsSlot>, _ vector: Int) {
    let vectors = shape.detectorVectors
    let linking = slot[0].compressor.channelLinking
    // Ignores channels with fixed gains, because the listener possibly does not hear these
    // channels.
    var loudest = Float4(repeating: -1_000)
    for channel in 0..<shape.channelCount where slot[0].compressor.channels.contains(channel) {
      loudest = loudest.larger(levels[channel * vectors + vector].measured)
    }
    for channel in 0..<shape.channelCount {
      let index = channel * vectors + vector
      let ballistics = slot[0].compressor.ballistics[index]
      var level = levels[index]
      let measured = level.measured
      let linked = ballistics.limited(measured + (loudest - measured) * linking)
      if settlingWindows > 0 {
        level.shown = measured
        level.inForce = linked
      } else {
        level.shown = ballistics.followed(level.shown, to: measured)
        level.inForce = ballistics.followed(ballistics.limited(level.inForce), to: linked)
      }
      levels[index] = level
      shownLevels.setFloat4(level.shown, at: index * 4)
      curveLevels.setFloat4(ballistics.predicted(level.inForce, to: linked), at: index * 4)
    }
  }

  /// The time constant in seconds of the filter that smooths the power.
  private static let smoothingTime = 0.001
}
