package import HearingDSP
package import HearingVoice

/// A call with signals in arrays. It contains the input signals and the changes of settings.
package struct TestCall {
  package var microphone: [Float]
  package var farVoice: [[Float]]
  package var otherAudio: [[Float]]
  /// Changes of settings, in the order of their frames. Each change is made before the frame with
  /// this number is rendered.
  package var changes: [(frame: Int, change: (VoiceProcessor) -> Void)] = []

  package struct Result {
    package var uplink: [Float]
    package var playback: [[Float]]
    package var events: [RenderEvent]

    /// All voice changes in events of one kind. Each change has the frame of its event.
    package func reported(_ kind: RenderEvent.Kind) -> [(frame: Int64, change: VoiceState.Change)] {
      events.compactMap { event in
        guard event.kind == kind, let change = event.voiceChange else { return nil }
        return (event.frame, change)
      }
    }

    /// The target gains of ducking in dB, in the order in which they were reported.
    package var duckingGains: [Double] { events.filter { $0.kind == .ducking }.map(\.value) }
  }

  /// Creates a call of `frames` frames. Signals that are missing or too short are filled with
  /// silence.
  package init(
    frames: Int, microphone: [Float] = [], farVoice: [Float] = [], otherAudio: [Float] = []
  ) {
    func padded(_ samples: [Float]) -> [Float] {
      Array(samples.prefix(frames)) + Signals.silence(max(0, frames - samples.count))
    }
    self.microphone = padded(microphone)
    self.farVoice = [padded(farVoice)]
    self.otherAudio = [padded(otherAudio), padded(otherAudio)]
  }

  /// Renders the call. The lengths of the blocks are the elements of `blocks`, in repeating order.
  /// A block ends early if the settings change.
  package func rendered(by processor: VoiceProcessor, blocks: [Int] = [480]) -> Result {
    let count = microphone.count
    let rows = [microphone] + farVoice + otherAudio
    var events: [RenderEvent] = []
    var changes = changes[...]
    var position = 0
    var blockIndex = 0
    var uplink: [Float] = []
    var playback: [[Float]] = [[], []]
    while position < count {
      while let next = changes.first, next.frame <= position {
        next.change(processor)
        changes = changes.dropFirst()
      }
      let size = min(
        blocks[blockIndex % blocks.count], count - position,
        (changes.first?.frame ?? count) - position)
      blockIndex += 1
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

  /// Renders one block. The input rows are the microphone, the far voice, and other audio (left and
  /// right). The output rows are the uplink and playback (left and right).
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
