import HearingAudio
import HearingDSP
import HearingVoice
import HearingProcessing
import TestSupport
import XCTest

final class VoiceProcessorListenersTests: XCTestCase {
  private let scheduler = ManualScheduler()
  private let log = Recorder<VoiceState.Change>()

  private func makeProcessor() throws -> VoiceProcessor {
    try VoiceProcessor(sampleRate: 8_000)
  }

  private func listen(
    to processor: VoiceProcessor, _ monitor: RenderEventMonitor
  ) -> ObservationToken {
    processor.observeMutedTalker(through: monitor) { [log] in log.record($0) }
  }

  /// Publishes an event as the render thread does. The number `period` increases with each change
  /// between muted and unmuted. Therefore the first muted period has number 1, and the second has
  /// number 3.
  private func publish(
    _ change: VoiceState.Change, mute period: UInt32, _ processor: VoiceProcessor
  ) {
    processor.events.publish(RenderEvent(.mutedTalker, frame: 80, change: change, period: period))
  }

  func test_mutedTalker_deliversEachChangeOnce_onTheMonitorsThread() throws {
    let processor = try makeProcessor()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let token = listen(to: processor, monitor)
    processor.isMuted = true
    for change in [.started, .ended, .started] as [VoiceState.Change] {
      publish(change, mute: 1, processor)
    }
    XCTAssertEqual(log.events, [], "listeners are not called on the publishing thread")
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(log.events, [.started, .ended, .started])
    withExtendedLifetime(token) {}
  }

  @MainActor
  func test_mutedTalkerOnMainActor_deliversChangesInOrder_whileOnlyTheTokenRetainsTheMonitor()
    async throws
  {
    let processor = try makeProcessor()
    let all = expectation(description: "three changes")
    all.expectedFulfillmentCount = 3
    let token = processor.observeMutedTalkerOnMainActor(
      through: RenderEventMonitor(scheduler: scheduler)
    ) { [log] change in
      MainActor.assertIsolated()
      log.record(change)
      all.fulfill()
    }
    processor.isMuted = true
    for change in [.started, .ended, .started] as [VoiceState.Change] {
      publish(change, mute: 1, processor)
    }
    scheduler.advance(by: .milliseconds(20))
    await fulfillment(of: [all], timeout: 60)
    XCTAssertEqual(log.events, [.started, .ended, .started])
    withExtendedLifetime(token) {}
  }

  func test_mutedTalker_repeatedEvents_areDeliveredOnce() throws {
    let processor = try makeProcessor()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let token = listen(to: processor, monitor)
    processor.isMuted = true
    for change in [.ended, .started, .started, .ended, .ended] as [VoiceState.Change] {
      publish(change, mute: 1, processor)
    }
    monitor.drain()
    XCTAssertEqual(log.events, [.started, .ended])
    withExtendedLifetime(token) {}
  }

  func test_mutedTalker_unmutedBeforeDelivery_isNotDelivered() throws {
    let processor = try makeProcessor()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let token = listen(to: processor, monitor)
    processor.isMuted = true
    publish(.started, mute: 1, processor)
    processor.isMuted = false
    monitor.drain()
    XCTAssertEqual(log.events, [])
    // An event that belongs to the first muted period is not delivered in the second muted period
    // either.
    publish(.started, mute: 1, processor)
    processor.isMuted = true
    monitor.drain()
    XCTAssertEqual(log.events, [])
    publish(.started, mute: 3, processor)
    monitor.drain()
    XCTAssertEqual(log.events, [.started])
    withExtendedLifetime(token) {}
  }

  func test_mutedTalker_mutedTwice_reportsTheStartOfTalkTwice() throws {
    let processor = try makeProcessor()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let token = listen(to: processor, monitor)
    processor.isMuted = true
    publish(.started, mute: 1, processor)
    monitor.drain()
    processor.isMuted = false
    processor.isMuted = true
    publish(.started, mute: 3, processor)
    publish(.ended, mute: 3, processor)
    monitor.drain()
    XCTAssertEqual(log.events, [.started, .started, .ended])
    withExtendedLifetime(token) {}
  }

  func test_voiceActivity_isDeliveredPerSide_andOnlyWhileEnabled() throws {
    let processor = try makeProcessor()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let sides = Recorder<String>()
    let tokens = VoiceSide.allCases.map { side in
      processor.observeVoiceActivity(side, through: monitor) { change in
        sides.record("\(side) \(change)")
      }
    }
    func publish(_ side: VoiceSide, _ change: VoiceState.Change, _ period: UInt32) {
      processor.events.publish(
        RenderEvent(.voice(side), frame: 80, change: change, period: period))
    }
    processor.isVoiceActivityDetectionEnabled = true
    publish(.near, .started, 1)
    publish(.far, .started, 1)
    publish(.near, .ended, 1)
    monitor.drain()
    XCTAssertEqual(sides.events, ["near started", "far started", "near ended"])
    publish(.near, .started, 1)
    processor.isVoiceActivityDetectionEnabled = false
    monitor.drain()
    XCTAssertEqual(sides.events.count, 3)
    withExtendedLifetime(tokens) {}
  }

  func test_observeMutedTalker_doesNotRetainTheProcessor_andCancelReleasesTheListener() throws {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let freed = Recorder<String>()
    var processor: VoiceProcessor? = try makeProcessor()
    weak let released = processor
    var canary: Canary? = Canary { freed.record("listener") }
    let token = try XCTUnwrap(processor).observeMutedTalker(through: monitor) { [canary] _ in
      canary?.sing()
    }
    canary = nil
    processor = nil
    XCTAssertNil(released)
    XCTAssertEqual(freed.events, [], "the token retains the listener")
    token.cancel()
    XCTAssertEqual(freed.events, ["listener"])
  }

  /// Two different vowels that alternate. There are four vowels per second, and their pitch glides.
  private func talk(seconds: Double) -> [Float] {
    var phase = 0.0
    return (0..<Int(8_000 * seconds)).map { index in
      let time = Double(index) / 8_000
      let syllable = (4 * time).truncatingRemainder(dividingBy: 1)
      phase += (130 + 25 * sin(2 * .pi * 1.3 * time)) / 8_000
      let formants: [Double] = Int(4 * time) % 2 == 0 ? [700, 1_200, 2_500] : [400, 2_000, 2_700]
      var sum = 0.0
      for harmonic in 1...20 {
        let frequency = 130 * Double(harmonic)
        let lift = formants.reduce(0.02) { $0 + 1 / (1 + pow(($1 - frequency) / 90, 2)) }
        sum += lift / Double(harmonic).squareRoot() * sin(2 * .pi * Double(harmonic) * phase)
      }
      return Float(0.1 * sum * sin(.pi * syllable))
    }
  }

  /// Tests the complete path from rendered frames to the listener closure.
  func test_reset_duringTalk_reportsTheEnd_andLaterTalkStartsAgain() throws {
    let processor = try makeProcessor()
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let near = Recorder<VoiceState.Change>()
    let tokens = [
      listen(to: processor, monitor),
      processor.observeVoiceActivity(.near, through: monitor) { near.record($0) },
    ]
    processor.isMuted = true
    processor.isVoiceActivityDetectionEnabled = true
    let sound = talk(seconds: 1)
    func render(_ microphone: [Float]) {
      let silence = microphone.map { _ in Float(0) }
      processor.process(
        microphone: AudioBlock([microphone]), farVoice: AudioBlock([silence]),
        otherAudio: AudioBlock([silence, silence]),
        uplink: AudioBlock(channelCount: 1, capacity: microphone.count),
        playback: AudioBlock(channelCount: 2, capacity: microphone.count))
      monitor.drain()
    }
    render(sound)
    XCTAssertEqual(log.events, [.started])
    XCTAssertTrue(processor.isTalkingWhileMuted)
    processor.reset()
    XCTAssertFalse(processor.isTalkingWhileMuted)
    XCTAssertFalse(processor.isVoiceActive(.near))
    render(Array(repeating: 0, count: 800))
    XCTAssertEqual(log.events, [.started, .ended])
    render(sound)
    XCTAssertEqual(log.events, [.started, .ended, .started])
    XCTAssertEqual(near.events, log.events)
    withExtendedLifetime(tokens) {}
  }

  /// Constant input is not detected as voice. Therefore the test only checks that the blocks are
  /// rendered and that no event is published.
  func test_process_audioBlocks_rendersPlaybackAndUplink() throws {
    let processor = try makeProcessor()
    let ones = Array(repeating: Float(0.5), count: 400)
    let (uplink, playback) = (
      AudioBlock(channelCount: 1, capacity: 400), AudioBlock(channelCount: 2, capacity: 400)
    )
    processor.process(
      microphone: AudioBlock([ones.map { _ in 0 }]), farVoice: AudioBlock([ones]),
      otherAudio: AudioBlock([ones, ones]), uplink: uplink, playback: playback)
    XCTAssertEqual(uplink.samples[0].count, 400)
    let expected = Float(0.5 + 0.5 * pow(10, -0.5))
    for channel in playback.samples {
      XCTAssertTrue(channel.allSatisfy { abs($0 - expected) < 1e-5 })
    }
  }

  func test_processAndCapture_stereoMicrophone_usesTheMeanOfBothChannels() throws {
    let noise = (0..<400).map { Float(0.1 * sin(0.7 * Double($0))) }
    let silence = noise.map { _ in Float(0) }
    for microphone in [AudioBlock([noise.map { 0.5 * $0 }]), AudioBlock([noise, silence])] {
      for captures in [false, true] {
        let processor = try makeProcessor()
        let uplink = AudioBlock(channelCount: 1, capacity: 400)
        if captures {
          processor.capture(microphone: microphone, uplink: uplink)
        } else {
          processor.process(
            microphone: microphone, farVoice: AudioBlock([silence]),
            otherAudio: AudioBlock([silence, silence]), uplink: uplink,
            playback: AudioBlock(channelCount: 2, capacity: 400))
        }
        XCTAssertEqual(uplink.samples[0], noise.map { 0.5 * $0 })
      }
    }
  }

  func test_renderAndCapture_withAudioBlocks_giveTheSameOutputAsWithPointers() throws {
    let (first, second) = (try makeProcessor(), try makeProcessor())
    let noise = (0..<400).map { Float(0.1 * sin(0.7 * Double($0))) }
    let (voice, music) = (AudioBlock([noise]), AudioBlock([noise, noise.reversed()]))
    let blocks = (0..<2).map { _ in
      (AudioBlock(channelCount: 2, capacity: 400), AudioBlock(channelCount: 1, capacity: 400))
    }
    first.render(farVoice: voice, otherAudio: music, playback: blocks[0].0)
    first.capture(microphone: voice, uplink: blocks[0].1)
    for block in [blocks[1].0, blocks[1].1] { block.frameCount = 400 }
    second.render(
      farVoice: voice.channels, otherAudio: music.channels, playback: blocks[1].0.channels,
      frameCount: 400)
    second.capture(
      microphone: voice.channels[0], uplink: blocks[1].1.channels[0], frameCount: 400)
    XCTAssertEqual(blocks[0].0.samples, blocks[1].0.samples)
    XCTAssertEqual(blocks[0].1.samples, blocks[1].1.samples)
    XCTAssertNotEqual(blocks[0].0.samples[0], [Float](repeating: 0, count: 400))
  }
}
