import SignalTestSupport
import HearingDSP
import HearingVoice

/// A call on plain arrays: what goes in, when settings change, and what comes out.
struct TestCall {
  var microphone: [Float]
  var farVoice: [[Float]]
  var otherAudio: [[Float]]
  /// Done before the frame is rendered; in order of frames.
  var changes: [(frame: Int, change: (VoiceProcessor) -> Void)] = []

  struct Result {
    var uplink: [Float]
    var playback: [[Float]]
    var events: [RenderEvent]

    /// What was told of one kind of voice: when in frames, and what.
    func told(_ kind: RenderEvent.Kind) -> [(frame: Int64, change: VoiceState.Change)] {
      events.compactMap { event in
        guard event.kind == kind, let change = event.voiceChange else { return nil }
        return (event.frame, change)
      }
    }

    /// The gains in dB that ducking set off for.
    var duckingGains: [Double] { events.filter { $0.kind == .ducking }.map(\.value) }
  }

  /// A call of so many frames, silent where nothing is given.
  init(
    frames: Int, microphone: [Float] = [], farVoice: [Float] = [], otherAudio: [Float] = []
  ) {
    func padded(_ samples: [Float]) -> [Float] {
      Array(samples.prefix(frames)) + Signals.silence(max(0, frames - samples.count))
    }
    self.microphone = padded(microphone)
    self.farVoice = [padded(farVoice)]
    self.otherAudio = [padded(otherAudio), padded(otherAudio)]
  }

  /// Renders it in blocks of the given lengths taken in turn, cut where settings change.
  func rendered(by processor: VoiceProcessor, blocks: [Int] = [480]) -> Result {
    let count = microphone.count
    let rows = [microphone] + farVoice + otherAudio
    var events: [RenderEvent] = []
    var changes = changes[...]
    var position = 0
    var turn = 0
    var uplink: [Float] = []
    var playback: [[Float]] = [[], []]
    while position < count {
      while let next = changes.first, next.frame <= position {
        next.change(processor)
        changes = changes.dropFirst()
      }
      let size = min(
        blocks[turn % blocks.count], count - position,
        (changes.first?.frame ?? count) - position)
      turn += 1
      let output = Self.render(
        processor, rows.map { Array($0[position..<position + size]) }, count: size)
      uplink += output[0]
      playback[0] += output[1]
      playback[1] += output[2]
      events += processor.events.drain()
      position += size
    }
    return Result(uplink: uplink, playback: playback, events: events)
  }

  /// One block: microphone, far voice, left and right of other audio to uplink, left and right.
  private static func render(
    _ processor: VoiceProcessor, _ rows: [[Float]], count: Int
  ) -> [[Float]] {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: (rows.count + 3) * count + 1)
    memory.initialize(repeating: .nan, count: (rows.count + 3) * count + 1)
    defer { memory.deallocate() }
    let starts = (0..<rows.count + 3).map { memory + $0 * count }
    for (start, row) in zip(starts, rows) { start.update(from: row, count: count) }
    let far = processor.farChannelCount
    starts.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      processor.process(
        microphone: base[0], farVoice: base + 1, otherAudio: base + 1 + far,
        uplink: base[3 + far], playback: base + 4 + far, frameCount: count)
    }
    return starts.suffix(3).map { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }
}
