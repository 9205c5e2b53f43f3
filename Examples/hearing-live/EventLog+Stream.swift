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
    let highest = options.format.representableOutput(fullScaleSPL: options.fullScaleSPL)
    warnOfMaximumOutput(highest, options.format, below: listener)
  }

  /// Warns if the samples cannot represent the listener's maximum output.
  func warnOfMaximumOutput(_ highest: Double, _ format: LiveFormat, below listener: LiveListener) {
    guard listener.isKnown, highest < listener.maximumOutput else { return }
    warn(
      "the output is limited to \(String(format: "%.1f", highest)) dB SPL, "
        + "the highest level that \(format.rawValue) can represent")
  }

  /// Reports that processing has ended, and what was lost.
  func ended(_ ending: LiveEnding, _ stream: LiveStream) {
    write(
      "ended",
      [
        "reason": ending.rawValue, "clippedSamples": stream.clippedSampleCount,
        "strayBytes": stream.strayByteCount,
      ])
    if stream.strayByteCount > 0 {
      warn("the input ended within a frame; \(stream.strayByteCount) bytes were dropped")
    }
    if stream.clippedSampleCount > 0 { warn("\(stream.clippedSampleCount) samples clipped") }
  }
}
