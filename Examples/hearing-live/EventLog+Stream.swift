import Foundation
import HearingFitting

extension EventLog {
  /// Sound can pass from now on.
  func started(_ options: LiveOptions, control: String?) {
    if options.controlPath == "-", let control { warn("commands are read from \(control)") }
    var details: [String: Any] = [
      "rate": options.sampleRate, "channels": options.channelCount,
      "format": options.format.rawValue, "slice": options.sliceFrameCount,
      "delaySeconds": Double(options.sliceFrameCount) / Double(options.sampleRate),
    ]
    details["control"] = control
    tell("started", details)
    guard options.audiogram != nil || options.presetPath != nil else { return }
    let carried = options.carriedOutput
    guard carried < options.maximumOutput ?? EarPreset.defaultMaximumOutput else { return }
    warn(
      "processed sound is held below \(String(format: "%.1f", carried)) dB SPL, "
        + "all that \(options.format.rawValue) can carry")
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
