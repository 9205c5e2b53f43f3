internal import HearingBuffers

/// Applies the headphone correction to the host's samples, before all other stages.
///
/// A new correction replaces the previous correction with a cross-fade. The length of the
/// cross-fade is a multiple of the chunk length of 256 frames. The result therefore does not depend
/// on the block size. Later stages limit the corrected samples to the ceiling, even if all other
/// processing is disabled.
struct HeadphoneStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let pairedChannelCount: Int

  /// The states of two filter banks, `[bank][channel][vector]`. One bank applies the current
  /// correction, and the other bank applies the previous correction. Channels are filtered in
  /// pairs. If the number of channels is odd, a silent channel is added.
  private let sections: OwnedRow<SectionStates>
  private let banks = OwnedRow<Correction>.filled(Correction(), count: 2)
  /// The index of the filter bank for the current correction. During a fade, the current correction
  /// fades in.
  private var current = 0

  /// The fade from the previous correction to the current correction.
  private var fade: CrossFade
  private let fadeCurve: OwnedRow<Float>

  /// Scratch memory for a fade: the output of the previous correction for two channels.
  private let rows: OwnedRow<Float>

  init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    pairedChannelCount = (channelCount + 1) / 2 * 2
    sections = .filled(SectionStates(), count: 2 * pairedChannelCount * Self.vectorCount)
    let chunk = RenderTiming.chunk
    fade = CrossFade(
      length: max(1, Int((0.020 * sampleRate / Double(chunk)).rounded())) * chunk, isOn: true)
    fadeCurve = fade.raisedCosineIntegral
    rows = .filled(0, count: 2 * chunk)
  }

  /// Whether the headphone stage changes the samples.
  var isActive: Bool { inForce.isOn || !fade.isComplete }

  private var inForce: Correction { banks[current] }

  private var previous: Correction { banks[1 - current] }

  mutating func reset() {
    fade.settle(isOn: true)
  }

  /// Applies the first settings without a fade, and clears the states of the filter sections.
  mutating func begin(_ slot: Row<SettingsSlot>) {
    load(slot)
    fade.settle(isOn: true)
  }

  /// Clears filter states that are not finite, and applies a new correction if no fade is in
  /// progress. Called at the end of a chunk of 256 frames.
  mutating func endChunk(_ slot: Row<SettingsSlot>) {
    if isActive { clearBroken() }
    guard fade.isComplete, slot[0].headphone.correction.generation != inForce.generation else {
      return
    }
    let wasOn = inForce.isOn
    current = 1 - current
    load(slot)
    guard wasOn || inForce.isOn else { return }
    fade.settle(isOn: false)
    fade.isOn = true
  }

  @inline(never)
  mutating func process(_ run: inout RenderRun) {
    for channel in stride(from: 0, to: channelCount, by: 2) { processPair(&run, channel) }
    fade.advance(run.count)
    for channel in 0..<channelCount {
      let (row, maximum) = (run.workRow(channel), run.limits[channel].rejectionLevel)
      if SampleOperations.peak(row, count: run.count) > maximum {
        // Clamps the samples, because later stages would replace samples above `maximum` by 0.
        for index in 0..<run.count { row[index] = LevelRatio.clamped(row[index], maximum) }
      }
      SampleOperations.scatter(
        row, to: run.hostSamples(channel), stride: run.stride, count: run.count)
    }
  }

  /// Applies the headphone correction to one or two channels, and writes the results to
  /// ``RenderRun/work``.
  private mutating func processPair(_ run: inout RenderRun, _ first: Int) {
    let end = min(first + 2, channelCount)
    for channel in first..<end { run.meters[channel].recordInput(run.load(channel)) }
    let new = (run.workRow(first), run.workRow(first + 1))
    let old = (rows.row, rows.from(RenderTiming.chunk))
    if !fade.isComplete {
      SampleOperations.move(new.0, to: old.0, count: run.count)
      SampleOperations.move(new.1, to: old.1, count: run.count)
      filter(previous, 1 - current, first, old, run.count)
    }
    filter(inForce, current, first, new, run.count)
    guard !fade.isComplete else { return }
    for channel in first..<end {
      let (row, old) = (run.workRow(channel), rows.from((channel - first) * RenderTiming.chunk))
      var fade = fade
      for index in 0..<run.count {
        fade.advance()
        row[index] = old[index] + fadeCurve[fade.position] * (row[index] - old[index])
      }
    }
  }

  /// Filters two channels in place with the correction `targets` and the filter states of `bank`.
  /// At the input, silence is replaced by a very quiet tone. In the result, samples with a
  /// magnitude below −220 dB become 0, even without a correction. Therefore the quiet tone also
  /// becomes 0.
  private func filter(
    _ targets: Correction, _ bank: Int, _ first: Int, _ pair: (Row<Float>, Row<Float>),
    _ count: Int
  ) {
    if targets.isOn {
      let states = sections.from((bank * pairedChannelCount + first) * Self.vectorCount)
      Cascade.pass(
        StaticSections.self, StaticSections.self, CascadeChannel(samples: pair.0, states: states),
        CascadeChannel(samples: pair.1, states: states.from(Self.vectorCount)),
        count: count)
    }
    amplify(pair.0, by: targets.amplitude, count)
    amplify(pair.1, by: targets.amplitude, count)
  }

  private func amplify(_ row: Row<Float>, by gain: Float, _ count: Int) {
    let peak = SampleOperations.amplify(
      row, to: row, count: count, from: gain, slope: 0, offset: 0,
      minimum: DenormalGuard.outputFloor)
    guard _slowPath(!(peak <= .greatestFiniteMagnitude)) else { return }
    SampleOperations.copy(
      row, to: row, count: count, minimum: 0, maximum: .greatestFiniteMagnitude)
  }

  /// Loads the headphone correction from the settings in `slot`, and clears the filter states for
  /// this correction.
  private mutating func load(_ slot: Row<SettingsSlot>) {
    banks[current] = slot[0].headphone.correction
    let vectors = Self.vectorCount
    for channel in 0..<pairedChannelCount {
      let states = sections.from((current * pairedChannelCount + channel) * vectors)
      for vector in 0..<vectors {
        states[vector] = SectionStates(now: slot[0].headphone.sections[vector].coefficients)
      }
    }
  }

  private func clearBroken() {
    for vector in 0..<2 * pairedChannelCount * Self.vectorCount
    where !sections[vector].isFinite {
      sections[vector].clear()
    }
  }
}
