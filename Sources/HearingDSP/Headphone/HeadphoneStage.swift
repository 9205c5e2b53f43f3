internal import HearingBuffers

/// Corrects the headphone's response in the host's samples, before all other stages.
///
/// The other stages get its output as their input. A new correction cross-fades with the previous
/// one over whole chunks, so that the result does not depend on the block size. Its output stays
/// below the ceiling even if all other processing is disabled.
struct HeadphoneStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let pairedChannelCount: Int

  /// Two banks of sections, `[bank][channel][vector]`, with a silent last channel if their number is
  /// odd.
  private let sections: OwnedRow<SectionStates>
  private var banks = (HeadphoneTargets(), HeadphoneTargets())
  /// The index of the bank in force, or of the bank that fades in.
  private var current = 0

  /// The number of elapsed frames of the current fade; ``fadeLength`` if there is no fade.
  private var fadePosition: Int
  private let fadeLength: Int
  private let fadeCurve: OwnedRow<Float>

  /// The output of the previous bank for a pair of channels; later the ratios to the ceiling.
  private let rows: OwnedRow<Float>
  private var limiter: OutputLimiter

  init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    pairedChannelCount = (channelCount + 1) / 2 * 2
    let count = 2 * pairedChannelCount * HeadphoneTargets.vectorCount
    sections = .filled(SectionStates(), count: count)
    let chunk = RenderTiming.chunk
    fadeLength = max(1, Int((0.020 * sampleRate / Double(chunk)).rounded())) * chunk
    fadePosition = fadeLength
    fadeCurve = RaisedCosine.integral(steps: fadeLength)
    rows = .filled(0, count: 2 * chunk)
    limiter = OutputLimiter(sampleRate: sampleRate)
  }

  /// Whether it changes the sound.
  var isActive: Bool {
    @inline(__always) get { inForce.isOn || isFading }
  }

  private var isFading: Bool {
    @inline(__always) get { fadePosition < fadeLength }
  }

  private var inForce: HeadphoneTargets {
    @inline(__always) get { current == 0 ? banks.0 : banks.1 }
  }

  private var before: HeadphoneTargets {
    @inline(__always) get { current == 0 ? banks.1 : banks.0 }
  }

  mutating func reset() {
    fadePosition = fadeLength
    limiter.reset()
    clear(0)
    clear(1)
  }

  /// Applies the first settings without a fade.
  mutating func begin(_ slot: Row<SettingsSlot>) {
    load(slot)
    fadePosition = fadeLength
  }

  /// Called at a chunk edge. Flushes denormals, clears states that are not finite, and applies a
  /// new correction unless a fade is in progress.
  mutating func endChunk(_ slot: Row<SettingsSlot>) {
    if isActive { flush() }
    guard !isFading, slot[0].headphone.generation != inForce.generation else { return }
    let wasOn = inForce.isOn
    current = 1 - current
    load(slot)
    if wasOn || inForce.isOn { fadePosition = 0 }
  }

  @inline(never)
  mutating func process(_ run: inout RenderRun) {
    var channel = 0
    while channel < channelCount {
      processPair(&run, channel)
      channel += 2
    }
    if isFading { fadePosition = min(fadePosition + run.count, fadeLength) }
    limit(run)
    for channel in 0..<channelCount {
      SampleOperations.scatter(
        run.workRow(channel), to: run.hostSamples(channel), stride: run.stride,
        count: run.count)
    }
  }

  /// Corrects one or two channels in their work rows.
  @inline(__always)
  private mutating func processPair(_ run: inout RenderRun, _ first: Int) {
    let end = min(first + 2, channelCount)
    for channel in first..<end {
      let (_, isBroken) = InputStage.copy(
        run.hostSamples(channel), stride: run.stride, to: run.workRow(channel), count: run.count,
        least: SampleOperations.trace, most: run.settings[channel].rejectionLevel)
      if _slowPath(isBroken) { run.recordRejected(channel) }
    }
    if isFading {
      for channel in first..<end {
        SampleOperations.move(
          run.workRow(channel), to: rows.from((channel - first) * RenderTiming.chunk),
          count: run.count)
      }
      filter(before, 1 - current, first, rows.row, rows.from(RenderTiming.chunk), run.count)
    }
    filter(inForce, current, first, run.workRow(first), run.workRow(first + 1), run.count)
    guard isFading else { return }
    for channel in first..<end {
      let (row, old) = (run.workRow(channel), rows.from((channel - first) * RenderTiming.chunk))
      for index in 0..<run.count {
        let share = fadeCurve[min(fadePosition + index + 1, fadeLength)]
        row[index] = old[index] + share * (row[index] - old[index])
      }
    }
  }

  /// Sends one or two rows through a bank.
  @inline(__always)
  private func filter(
    _ targets: HeadphoneTargets, _ bank: Int, _ first: Int, _ left: Row<Float>,
    _ right: Row<Float>, _ count: Int
  ) {
    guard targets.isOn else { return }
    let isPair = first + 1 < channelCount
    let vectors = HeadphoneTargets.vectorCount
    let own = sections.from((bank * pairedChannelCount + first) * vectors)
    var done = 0
    let atOnce = targets.hasManyShelves ? 1 : vectors
    while done < vectors {
      Cascade.run(
        vectors: atOnce, ramp: .none, isPair: isPair, left: left, right: right, count: count,
        leftSections: CascadeSections(own.from(done)),
        rightSections: CascadeSections(own.from(vectors + done)))
      done += atOnce
    }
    for turn in 0..<(isPair ? 2 : 1) {
      let row = turn == 0 ? left : right
      let peak = SampleOperations.amplify(
        row, to: row, count: count, from: targets.amplitude, slope: 0, offset: 0)
      if _slowPath(!(peak <= .greatestFiniteMagnitude)) {
        SampleOperations.copy(
          row, to: row, count: count, least: 0, most: .greatestFiniteMagnitude)
      }
    }
  }

  /// Keeps the work rows below the ceilings, with gains that all channels share.
  @inline(__always)
  private mutating func limit(_ run: RenderRun) {
    var isLoud = false
    for channel in 0..<channelCount {
      let ceiling = run.settings[channel].ceiling
      let peak = LevelRatio.measure(
        run.workRow(channel), count: run.count, ceiling: ceiling, to: rows.row,
        keepsGreater: channel > 0)
      isLoud = isLoud || peak > ceiling
    }
    guard isLoud || limiter.isRecovering else { return }
    limiter.follow(rows.row, count: run.count)
    for channel in 0..<channelCount {
      LevelRatio.apply(
        rows.row, to: run.workRow(channel), count: run.count,
        ceiling: run.settings[channel].ceiling)
    }
  }

  /// Loads the correction of `slot` into the current bank, and clears its states.
  private mutating func load(_ slot: Row<SettingsSlot>) {
    if current == 0 {
      banks.0 = slot[0].headphone
    } else {
      banks.1 = slot[0].headphone
    }
    clear(current)
    let vectors = HeadphoneTargets.vectorCount
    for channel in 0..<pairedChannelCount {
      let own = sections.from((current * pairedChannelCount + channel) * vectors)
      for vector in 0..<vectors {
        own[vector].now = slot[0].headphoneSections[vector].coefficients
      }
    }
  }

  private func clear(_ bank: Int) {
    let count = pairedChannelCount * HeadphoneTargets.vectorCount
    for vector in bank * count..<(bank + 1) * count { sections[vector].clear() }
  }

  private func flush() {
    for vector in 0..<2 * pairedChannelCount * HeadphoneTargets.vectorCount {
      sections[vector].flush()
      if !sections[vector].isFinite { sections[vector].clear() }
    }
  }
}
