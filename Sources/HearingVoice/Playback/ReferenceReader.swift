internal import HearingDSP
internal import HearingBuffers
import Synchronization

/// Reads the reference (the playback signal) at the rate of the capture clock, on the capture
/// thread.
///
/// The render thread writes the reference. The delay from writing to reading is as short as the
/// timing of the two threads permits. The microphone signal cannot contain the echo of samples that
/// are not rendered yet. Therefore the reader never waits for such samples. If samples are missing,
/// the read position moves back, until the last written sample is 2 ms ahead of the read position.
/// To compensate for the drift of the two clocks, the reader interpolates the reference with a
/// windowed sinc filter of 16 taps.
struct ReferenceReader: ~Copyable {
  let link: Row<HostLink>

  private var drift: ClockDrift
  private let sampleRate: Double
  private let targetMemory = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)
  /// A copy of samples from the ring of `link`. The function `read` interpolates between these
  /// samples.
  private let sourceMemory = OwnedRow<Float>.filled(0, count: 2 * sourceSize)
  /// The coefficients of the interpolator. The table has `phases` + 1 rows, and each row has `taps`
  /// coefficients.
  private let table = OwnedRow<Float>.filled(0, count: (phases + 1) * taps)

  private var hasBegun = false
  /// The position of the next sample to read. A position is a number of samples that the render
  /// thread has written since the last reset.
  private var position = 0.0
  private var captured: Int64 = 0
  private var overruns: UInt32 = 0
  /// The number of samples that the render thread had written before the last call of `read`.
  private var lastWritten: Int64 = 0
  /// The number of captured samples since the last change of `lastWritten`.
  private var idle: Int64 = 0
  private var decisionCount: UInt32 = 0

  private static let taps = 16
  private static let phases = 128
  /// The maximum number of samples that one call of `read` copies from the ring.
  private static let sourceSize = UplinkRun.capacity + taps

  init(_ link: Row<HostLink>, sampleRate: Double) {
    self.link = link
    self.sampleRate = sampleRate
    drift = ClockDrift(sampleRate: sampleRate)
    for phase in 0...Self.phases {
      for tap in 0..<Self.taps {
        let x = Double(tap - Self.taps / 2 + 1) - Double(phase) / Double(Self.phases)
        let half = Double(Self.taps / 2)
        let window = abs(x) < half ? 0.5 + 0.5 * CMath.cosine(.pi * x / half) : 0
        table[phase * Self.taps + tap] = Float(CMath.sinc(.pi * x) * window)
      }
    }
  }

  /// Whether the render thread has stopped. The thread counts as stopped if no sample has been
  /// rendered during one second of captured samples.
  var hasStopped: Bool { hasBegun && idle > Int64(sampleRate) }

  /// Returns the next `count` samples of the reference, at most ``UplinkRun/capacity``. Before the
  /// first rendered sample, the result contains zeros.
  mutating func read(_ count: Int) -> PlaybackRows {
    let target = PlaybackRows(targetMemory.row)
    let written = link[0].written.load(ordering: .acquiring)
    defer { captured += Int64(count) }
    let formerOverruns = overruns
    overruns = link[0].overruns.load(ordering: .relaxed)
    if overruns != formerOverruns || (!hasBegun && written > 0) {
      drift = ClockDrift(sampleRate: sampleRate)
      (hasBegun, captured) = (true, 0)
      position = Double(written - Int64(count + Self.taps)) - ClockDrift.lead * sampleRate
    }
    guard hasBegun else {
      targetMemory.fill(0)
      return target
    }
    let step = 1 + pace
    let last = position + step * Double(count - 1)
    var lead = Double(written - Int64(Self.taps / 2 + 2)) - last
    if lead < 0 {
      let missing = Double((ClockDrift.lead * sampleRate - lead).roundedUp)
      position -= missing
      lead += missing
      link[0].underruns.wrappingAdd(1, ordering: .relaxed)
    }
    let source = PlaybackRows(
      mean: sourceMemory.row, difference: sourceMemory.from(Self.sourceSize))
    let first = -(-position).roundedUp - Int64(Self.taps / 2 - 1)
    let offset = position - Double(first)
    var isStereo = false
    for index in 0...Int(offset + step * Double(count - 1)) + Self.taps / 2 {
      source[index] = link[0].sample(first + Int64(index))
      isStereo = isStereo || source.difference[index] != 0
    }
    for index in 0..<count {
      target[index] = sample(at: offset + step * Double(index), in: source, isStereo)
    }
    position += step * Double(count)
    link[0].needed.store(Int64(position) - Int64(Self.taps), ordering: .releasing)
    follow(written: written, count: Int64(count), lead: lead)
    link[0].drift.store(drift.isKnown ? Float(drift.slope * 1e6) : .nan, ordering: .relaxed)
    link[0].lag.store(written - Int64(position), ordering: .relaxed)
    return target
  }

  /// Measures the drift of the clocks. If the render thread or the capture thread has stopped, this
  /// function restarts the measurement.
  private mutating func follow(written: Int64, count: Int64, lead: Double) {
    idle = written == lastWritten ? idle + count : 0
    let wasCapturing = written - lastWritten - count < Int64(sampleRate)
    lastWritten = written
    if !wasCapturing { hasBegun = false }
    if hasStopped { drift = ClockDrift(sampleRate: sampleRate) }
    guard hasBegun && !hasStopped else { return }
    // If microphone samples have been lost, the next microphone samples contain the echo of newer
    // reference samples. Therefore the read position moves forward.
    position += drift.add(
      count: Int(count), difference: written - captured - count, lead: lead)
  }

  /// The number of reference samples per captured sample, minus 1.
  ///
  /// The pace is the drift of the clocks plus a small correction. The lead is the number of written
  /// samples that the reader does not need yet. If the minimum lead of the last 8 s is above 4 ms,
  /// the correction slowly reduces this lead to 4 ms. The lead decreases by at most 0.1 ms per
  /// second. The echo filter must adapt to each correction, and removes less echo while it adapts.
  /// Therefore a lead of less than 4 ms is not corrected. For example, in a test with noise, a
  /// correction of 10 ppm lowered the echo reduction by 8 dB.
  private var pace: Double {
    guard let minimum = drift.minimumLead else { return 0 }
    let excess = minimum / sampleRate - ClockDrift.lead
    return drift.slope + min(max((excess - 0.002) * 0.02, 0), 0.0001)
  }

  /// Interpolates between the samples in `source`. The parameter `position` must be at least `taps`
  /// / 2 − 1. If `isStereo` is false, all samples of `source.difference` must be 0.
  private func sample(
    at position: Double, in source: PlaybackRows, _ isStereo: Bool
  ) -> SIMD2<Float> {
    let whole = Int(position)
    let source = source.from(whole - (Self.taps / 2 - 1))
    let scaled = (position - Double(whole)) * Double(Self.phases)
    let phase = Int(scaled)
    let fraction = Float(scaled - Double(phase))
    let (row, next) = (table.from(phase * Self.taps), table.from((phase + 1) * Self.taps))
    var (mean, difference) = (Float4.zero, Float4.zero)
    for tap in groupStarts(Self.taps) {
      let weights = row.float4(at: tap) + (next.float4(at: tap) - row.float4(at: tap)) * fraction
      mean += weights * source.mean.float4(at: tap)
      if isStereo { difference += weights * source.difference.float4(at: tap) }
    }
    return SIMD2(mean.sum(), difference.sum())
  }

  /// Returns the decisions on the far voice since the last call of this function. Each decision
  /// covers 10 ms. If there are more than 32 decisions, only the newest 32 decisions are returned.
  /// Bit 0 of `history` is the newest decision.
  mutating func popDecisions() -> (history: UInt32, count: UInt32) {
    let word = link[0].decisions.load(ordering: .acquiring)
    let former = decisionCount
    decisionCount = UInt32(truncatingIfNeeded: word >> 32)
    return (UInt32(truncatingIfNeeded: word), min(decisionCount &- former, 32))
  }

  /// Resets the reader and the link. Call this function only while no thread renders or captures.
  mutating func reset() {
    link[0].reset()
    // The function `read` resets the drift, the position and the number of captured samples when
    // the first rendered sample is available.
    (hasBegun, overruns, decisionCount, lastWritten, idle) = (false, 0, 0, 0, 0)
  }
}
