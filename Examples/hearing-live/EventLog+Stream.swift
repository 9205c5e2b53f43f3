import ExampleSupport
import Foundation
import HearingFitting

extension EventLog {
  /// Reports that processing has started.
  func started(_ options: LiveOptions, _ listener: LiveListener, control: String?) {
    if options.controlPath == "-", let control { warn("commands are read from \(control)") }
    var details: [String: Any] = [
      "rate": options.sampleRate, "channels": options.channelCount,
      "format": options.format.rawValue, "slice": options.sliceFrameCount,
      "delaySeconds": Double(options.sliceFrameCount) / Double(options.sampleRate),
    ]
    details["control"] = control
    write("started", details)
    for warning in listener.profile?.record?.warnings ?? [] {
      warn("\(options.audiogram ?? ""): \(warning)")
    }
    let maximum = options.format.representableOutput(fullScaleSPL: options.fullScaleSPL)
    warnOfMaximumOutput(maximum, options.format, below: listener)
  }

  /// Warns if the sample format cannot represent the listener's maximum output.
  func warnOfMaximumOutput(_ maximum: Double, _ format: LiveFormat, below listener: LiveListener) {
    guard listener.isKnown, maximum < listener.maximumOutput else { return }
    warn(
      "the output is limited to \(String(format: "%.1f", maximum)) dB SPL, "
        + "the highest level that \(format.rawValue) can represent")
  }

  /// Reports that the output contains floating-point samples with a magnitude of more than 1.0.
  func exceededFullScale() {
    write("overFullScale", [:])
    warn("output samples are beyond ±1.0: players and integer formats clip them")
  }

  /// Reports that processing has ended, with the numbers of clipped samples and dropped bytes.
  func ended(_ ending: LiveEnding, _ stream: LiveStream) {
    write(
      "ended",
      [
        "reason": ending.rawValue, "clippedSamples": stream.clippedSampleCount,
        "overFullScaleSamples": stream.overFullScaleSampleCount,
        "strayBytes": stream.strayByteCount,
      ])
    if stream.strayByteCount > 0 {
      warn("the input ended within a frame; \(stream.strayByteCount) bytes were dropped")
    }
    if stream.overFullScaleSampleCount > 0 {
      warn("\(stream.overFullScaleSampleCount) output samples were beyond ±1.0")
    }
    if stream.clippedSampleCount > 0 { warn("\(stream.clippedSampleCount) samples clipped") }
  }
}
