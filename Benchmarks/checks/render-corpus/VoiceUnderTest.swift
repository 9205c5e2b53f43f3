import HearingDSP

#if canImport(HearingVoice)
  import HearingVoice
#endif

/// The voice path as the corpus uses it. All calls to the public API of the voice path are in this
/// file.
final class CallUnderTest {
  private let processor: VoiceProcessor
  private let stage: UplinkGain

  /// - Parameter far: The processor of the far voice. It must have two channels.
  init(
    sampleRate: Double, farChannelCount: Int, far: ProcessorUnderTest?, hasStage: Bool,
    tail: Double
  ) throws {
    stage = UplinkGain()
    processor = try VoiceProcessor(
      sampleRate: sampleRate, farChannelCount: farChannelCount, farProcessor: far?.processor,
      uplinkStages: hasStage ? [stage.uplinkStage] : [], echoTail: tail)
    setDucking(isAdvanced: false, level: 0)
  }

  func setMuted(_ isMuted: Bool) { processor.isMuted = isMuted }

  func setDetecting(_ isDetecting: Bool) {
    processor.isVoiceActivityDetectionEnabled = isDetecting
  }

  func setDucking(isAdvanced: Bool, level: Int) {
    processor.otherAudioDucking = duckingConfiguration(isAdvanced: isAdvanced, level: level)
  }

  @inline(__always)
  func process(
    microphone: SampleBlock, farVoice: SampleBlock, otherAudio: SampleBlock, uplink: SampleBlock,
    playback: SampleBlock, frameCount: Int
  ) {
    processor.process(
      microphone: microphone.channels[0], farVoice: UnsafePointer(farVoice.channels),
      otherAudio: UnsafePointer(otherAudio.channels), uplink: uplink.channels[0],
      playback: UnsafePointer(playback.channels), frameCount: frameCount)
  }

  func reset() { processor.reset() }

  func addState(to record: inout CaseRecord) {
    record.levels.add(processor.duckingGain)
    record.levels.add(processor.isTalkingWhileMuted)
    record.levels.add(processor.isVoiceActive(.near))
    record.levels.add(processor.isVoiceActive(.far))
  }

  func drainEvents(to record: inout CaseRecord) {
    addEvents(of: processor.events, to: &record)
  }
}

/// A filter for the uplink, as an app can add it to a call. It stores the last sample.
private final class UplinkGain {
  private let last = UnsafeMutablePointer<Float>.allocate(capacity: 1)

  init() { last.initialize(to: 0) }

  deinit { last.deallocate() }

  var uplinkStage: UplinkStage {
    UplinkStage(context: UnsafeMutableRawPointer(last)) { context, samples, count in
      guard let last = context?.assumingMemoryBound(to: Float.self) else { return }
      for index in 0..<count {
        let sample = samples[index]
        samples[index] = 0.8 * sample - 0.3 * last.pointee
        last.pointee = sample
      }
    }
  }
}

final class CancellerUnderTest {
  private var canceller: EchoCanceller

  init(sampleRate: Double, tail: Double) throws {
    canceller = try EchoCanceller(sampleRate: sampleRate, tail: tail)
  }

  func process(_ microphone: SampleBlock, reference: SampleBlock, frameCount: Int) {
    canceller.process(
      microphone.channels[0], reference: reference.channels[0], frameCount: frameCount)
  }

  func reset() { canceller.reset() }
}

final class DetectorUnderTest {
  private var detector: VoiceActivityDetector
  private var state = VoiceState()

  init(sampleRate: Double) throws {
    detector = try VoiceActivityDetector(sampleRate: sampleRate)
  }

  func process(_ sound: SampleBlock, frameCount: Int, into record: inout CaseRecord) {
    detector.process(sound.channels[0], frameCount: frameCount) { decision in
      record.levels.add(decision.isVoice)
      record.levels.add(UInt64(bitPattern: decision.frame))
      record.levels.add(decision.score)
      record.levels.add(decision.level)
      if decision.isVoice { record.coverage.voiceDecisions += 1 }
      if let change = state.add(isVoice: decision.isVoice) {
        record.events.add(change == .started)
        record.events.add(UInt64(bitPattern: decision.frame))
      }
    }
  }

  func reset() {
    detector.reset()
    state.reset()
  }
}

final class DuckerUnderTest {
  private var ducker: OtherAudioDucker

  init(sampleRate: Double, channelCount: Int) throws {
    ducker = try OtherAudioDucker(
      spec: ProcessingSpec(sampleRate: sampleRate, channelCount: channelCount),
      configuration: duckingConfiguration(isAdvanced: true, level: 0))
  }

  func setDucking(isAdvanced: Bool, level: Int) {
    ducker.configuration = duckingConfiguration(isAdvanced: isAdvanced, level: level)
  }

  func setTalking(_ isTalking: Bool) { ducker.isSomebodyTalking = isTalking }

  func process(_ sound: SampleBlock, frameCount: Int) {
    ducker.process(UnsafePointer(sound.channels), frameCount: frameCount)
  }

  func reset() { ducker.reset() }

  func addState(to record: inout CaseRecord) {
    record.levels.add(ducker.gain)
    record.levels.add(ducker.targetGain)
  }
}

final class EventsUnderTest {
  private let ring: RenderEventRing

  init(capacity: Int) { ring = RenderEventRing(capacity: capacity) }

  func publish(kind: UInt32, frame: Int64, value: Double) {
    ring.publish(RenderEvent(.init(rawValue: kind), frame: frame, value: value))
  }

  func drain(to record: inout CaseRecord) { addEvents(of: ring, to: &record) }
}

private func addEvents(of ring: RenderEventRing, to record: inout CaseRecord) {
  for event in ring.drain() {
    record.events.add(UInt64(event.kind.rawValue))
    record.events.add(UInt64(bitPattern: event.frame))
    record.events.add(event.value)
    record.coverage.events[event.kind.rawValue, default: 0] += 1
  }
  record.events.add(ring.missedCount)
}

private func duckingConfiguration(
  isAdvanced: Bool, level: Int
) -> OtherAudioDuckingConfiguration {
  let levels: [OtherAudioDuckingConfiguration.Level] = [.default, .min, .mid, .max]
  return OtherAudioDuckingConfiguration(
    enableAdvancedDucking: isAdvanced, duckingLevel: levels[level])
}
