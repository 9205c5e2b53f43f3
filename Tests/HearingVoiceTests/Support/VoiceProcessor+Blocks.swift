import HearingVoice
import SignalTestSupport

/// Renders and captures single blocks. This simulates a host with two threads on the thread of the
/// test.
extension VoiceProcessor {
  /// Renders one block. The far voice has one channel, and the other audio is constant.
  ///
  /// - Returns: The left channel of playback.
  @discardableResult
  func render(farVoice: some Collection<Float>, otherAudio: Float = 0) -> [Float] {
    let count = farVoice.count
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * count)
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 5)
    defer {
      samples.deallocate()
      pointers.deallocate()
    }
    samples.initialize(repeating: otherAudio, count: 4 * count)
    for (index, sample) in farVoice.enumerated() { samples[index] = sample }
    for (index, row) in [0, 1, 1, 2, 3].enumerated() {
      (pointers + index).initialize(to: samples + row * count)
    }
    render(
      farVoice: pointers, otherAudio: pointers + 1, playback: pointers + 3, frameCount: count)
    return Array(UnsafeBufferPointer(start: samples + 2 * count, count: count))
  }

  /// Captures one block of microphone samples.
  func capture(microphone: some Collection<Float>) {
    var (samples, uplink) = (Array(microphone), Signals.silence(microphone.count))
    samples.withUnsafeMutableBufferPointer { samples in
      uplink.withUnsafeMutableBufferPointer { uplink in
        guard let microphone = samples.baseAddress, let uplink = uplink.baseAddress else { return }
        capture(microphone: microphone, uplink: uplink, frameCount: samples.count)
      }
    }
  }
}
