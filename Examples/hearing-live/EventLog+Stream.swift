import Foundation
import HearingFitting

extension EventLog {
  /// Sound can pass from now on.
  func started(_ options: LiveOptions, _ listener: LiveListener, control: String?) {
    if options.controlPath == "-", let control { warn("commands are read from \(control)") }
    var details: [String: Any] = [
      "rate": options.sampleRate, "channels": options.channelCount,
      "format": options.format.rawValue, "slice": options.sliceFrameCount,
      "delaySeconds": Double(options.sliceFrameCount) / Double(options.sampleRate),
    ]
    details["control"] = control
    tell("started", details)
    let carried = options.format.carriedOutput(fullScaleSPL: options.fullScaleSPL)
    warnOfCeiling(carried, options.format, below: listener)
  }

  /// Tells that samples carry less than a listener's ceiling, if it is so.
  func warnOfCeiling(_ carried: Double, _ format: LiveFormat, below listener: LiveListener) {
    guard listener.isKnown, carried < listener.maximumOutput else { return }
    warn(
      "processed sound is held below \(String(format: "%.1f", carried)) dB SPL, "
        + "all that \(format.rawValue) can carry")
  }

  /// No more sound will pass.
  func ended(_ ending: LiveEnding, _ stream: LiveStream) {
    tell(
      "ended",
      [
        "reason": ending.rawValue, "clippedSamples": stream.clippedSampleCount,
        "strayBytes": stream.strayByteCount,
      ])
    if stream.strayByteCount > 0 {
      warn("the input ended within a frame: \(stream.strayByteCount) bytes are left out")
    }
    if stream.clippedSampleCount > 0 { warn("\(stream.clippedSampleCount) samples clipped") }
  }
}
