import HearingDSP

// Functions with which the audio worklet applies settings, processes sound and reads levels. Each
// function returns 0 or a count if it succeeds, otherwise the code of a `WebFailure`.

/// The renderer of this instance. The declaration is safe because WebAssembly code runs on one
/// thread per instance.
nonisolated(unsafe) private var renderer: WebRenderer?

private func started() throws(WebFailure) -> WebRenderer {
  guard let renderer else { throw .notStarted }
  return renderer
}

/// Creates a renderer with two channels and without gains. Returns its latency in frames. A second
/// call replaces the renderer.
///
/// - Parameters:
///   - sampleRate: The sample rate in Hz.
///   - lookAhead: The look-ahead of the limiter in seconds.
@_expose(wasm, "hearing_start") @c(hearing_start)
func hearingStart(_ sampleRate: Double, _ lookAhead: Double) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let new = try WebRenderer(sampleRate: sampleRate, lookAhead: lookAhead)
    renderer = new
    return Int32(new.latency)
  }
}

/// The address of the samples of channel 0 or 1. The samples are processed in place. Before
/// `hearing_start`, the address is 0.
@_expose(wasm, "hearing_samples") @c(hearing_samples)
func hearingSamples(_ channel: Int32) -> UnsafeMutablePointer<Float>? {
  channel == 0 ? renderer?.samples.left : renderer?.samples.right
}

/// The maximum number of frames that `hearing_process` accepts.
@_expose(wasm, "hearing_samples_capacity") @c(hearing_samples_capacity)
func hearingSamplesCapacity() -> Int32 { Int32(WebRenderer.capacity) }

/// Writes the centre frequencies in Hz of the processor's bands for a sample rate in Hz. Returns
/// their count.
@_expose(wasm, "hearing_centers") @c(hearing_centers)
func hearingCenters(_ sampleRate: Double) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard sampleRate.isFinite, let layout = BandLayout.audiometric.limited(to: sampleRate) else {
      throw .numberOutOfRange
    }
    return try Exchange.write(layout.centers)
  }
}

/// Applies the settings from the `count` numbers that `hearing_settings` wrote. If this fails, the
/// previous settings remain.
@_expose(wasm, "hearing_apply") @c(hearing_apply)
func hearingApply(_ count: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let renderer = try started()
    try renderer.apply(SettingsCode.decode(Exchange.read(count)))
    return 0
  }
}

/// Selects the sound that is heard.
///
/// - Parameters:
///   - isProcessed: 1 for the processed sound, 0 for the unprocessed sound.
///   - matchesLoudness: 1 for equal loudness, 0 for the original loudness.
@_expose(wasm, "hearing_compare") @c(hearing_compare)
func hearingCompare(_ isProcessed: Int32, _ matchesLoudness: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let renderer = try started()
    renderer.comparison.isProcessed = isProcessed != 0
    renderer.comparison.matchesLoudness = matchesLoudness != 0
    return 0
  }
}

/// Simulates a hearing loss with the `count` thresholds that `hearing_loss` wrote. If `count` is 0,
/// the simulation is off. After a failure, the previous simulation remains.
@_expose(wasm, "hearing_simulate") @c(hearing_simulate)
func hearingSimulate(_ count: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let renderer = try started()
    try renderer.simulate(Exchange.read(count))
    return 0
  }
}

private func isAccepted(_ frameCount: Int32) -> Bool {
  frameCount >= 0 && frameCount <= WebRenderer.capacity
}

/// Processes the first `frameCount` samples of both channels in place. Uses only the processor, not
/// the comparison and the meter. Allocates nothing.
@_expose(wasm, "hearing_processor") @c(hearing_processor)
func hearingProcessor(_ frameCount: Int32) -> Int32 {
  guard let renderer else { return WebFailure.notStarted.rawValue }
  guard isAccepted(frameCount) else { return WebFailure.countOutOfRange.rawValue }
  renderer.processAlone(frameCount: Int(frameCount))
  return 0
}

/// Replaces the first `frameCount` samples of both channels by the selected sound. Allocates
/// nothing.
@_expose(wasm, "hearing_process") @c(hearing_process)
func hearingProcess(_ frameCount: Int32) -> Int32 {
  guard let renderer else { return WebFailure.notStarted.rawValue }
  guard isAccepted(frameCount) else { return WebFailure.countOutOfRange.rawValue }
  renderer.process(frameCount: Int(frameCount))
  return 0
}

/// Writes the levels of both channels. Returns the count of numbers. For each channel, writes the
/// input levels (dB SPL) of all bands, then their gains (dB).
@_expose(wasm, "hearing_levels") @c(hearing_levels)
func hearingLevels() -> Int32 {
  WebFailure.code { () throws(WebFailure) in try Exchange.write(started().levels) }
}
