import HearingAudio
import HearingDSP
import HearingFitting
import HearingProcessing
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

/// Tests a typical sequence of slice sizes on a phone. A slice is the audio of one render call:
///
/// - 1,024 frames at first,
/// - 4,096 frames while the screen is locked,
/// - 5,513 frames after a hearing device connects,
/// - 1,024 frames again after the app has set the buffer duration.
final class HostScenarioTests: XCTestCase {
  /// An app with an active session. The app contains a processor, a slice guard that calls the
  /// processor, an audio host, and an object that follows the audio route.
  private struct App {
    let scheduler = ManualScheduler()
    let host = PhoneHost()
    let sliceGuard: SliceGuard
    let processor: BandGainProcessor
    let session: ProcessingSession
    let controller: ProcessingController
    let binding: ProcessorBinding
    let follower: RouteFollower
    let monitor: RenderEventMonitor
    let episodes = Recorder<SliceEpisode>()
    let log = Recorder<String>()
    let token: ObservationToken

    init(splitsSlices: Bool) throws {
      controller = ProcessingController(scheduler: scheduler)
      session = try controller.activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
      let ear = try EarPreset(frequencies: [1_000], gains: [12])
      session.preset.apply(Preset(left: ear, right: ear))
      session.isEnabled.apply(true)
      processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: PhoneHost.sampleRate, channelCount: 2))
      binding = session.bind(to: processor)
      follower = RouteFollower(session)
      sliceGuard = SliceGuard(
        sampleRate: PhoneHost.sampleRate, channelCount: 2, splitsSlices: splitsSlices)
      monitor = RenderEventMonitor(scheduler: scheduler)
      token = sliceGuard.observeEpisodes(through: monitor) { [host, episodes, log] episode in
        episodes.record(episode)
        log.record("too many frames")
        host.preferredBufferDuration = episode.preferredBufferDuration
      } ended: { [log] in
        log.record("slices fit again")
      }
      follower.enter(AudioRoute(.speaker))
    }
  }

  private struct Answer: Equatable {
    var frameCount: Int
    var status: RenderStatus
    var isSilence: Bool
  }

  /// Simulates the render thread of the host. Renders continuous input in slices of the size that
  /// the host chooses.
  private final class Stream {
    let app: App
    /// A second processor that is bound to the same session. Each of its render calls has at most
    /// 1,024 frames.
    let reference: BandGainProcessor
    private let referenceBinding: ProcessorBinding
    private let input: [[Float]]
    private var position = 0
    var failures: [RenderStatus] = []
    var counts = RealTimeProbeCounts()
    private(set) var answers: [Answer] = []
    private(set) var output: [[Float]] = [[], []]
    private(set) var expected: [[Float]] = [[], []]

    init(_ app: App) throws {
      self.app = app
      reference = try BandGainProcessor(spec: app.processor.spec)
      referenceBinding = app.session.bind(to: reference)
      input = (0..<2).map { Signals.noise(count: 80_000, rms: 0.001, seed: 7 + $0) }
    }

    /// Renders `count` slices. Advances the scheduler by the duration of each slice.
    func run(_ count: Int = 1) {
      for _ in 0..<count {
        let frameCount = app.host.sliceFrameCount
        let range = position..<position + frameCount
        let block = AudioBlock(input.map { Array($0[range]) })
        let failure = failures.isEmpty ? RenderStatus.success : failures.removeFirst()
        answers.append(render(block, failure))
        for channel in 0..<2 { output[channel] += block.samples[channel] }
        expect(range)
        position += frameCount
        app.scheduler.advance(
          by: .seconds(Double(frameCount) / PhoneHost.sampleRate))
      }
    }

    @inline(never)
    private func render(_ block: AudioBlock, _ failure: RenderStatus) -> Answer {
      let processor = app.processor
      let sliceGuard = app.sliceGuard
      let channels = block.channels
      let frameCount = block.frameCount
      var isSilence = false
      real_time_probe_start()
      let status = sliceGuard.render(
        channels, frameCount: frameCount, outputIsSilence: &isSilence
      ) { slice in
        if failure != .success { return failure }
        processor.process(slice)
        return .success
      }
      add(real_time_probe_stop())
      return Answer(frameCount: frameCount, status: status, isSilence: isSilence)
    }

    private func add(_ more: RealTimeProbeCounts) {
      counts.allocations += more.allocations + more.deallocations + more.objects
      counts.locks += more.locks
      counts.retains += more.retains + more.releases
      counts.accesses += more.accesses
    }

    private func expect(_ range: Range<Int>) {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 1_024) {
        let part = input.map { Array($0[start..<min(start + 1_024, range.upperBound)]) }
        let block = AudioBlock(part)
        reference.process(block)
        for channel in 0..<2 { expected[channel] += block.samples[channel] }
      }
    }
  }

  /// Renders the sequence of slice sizes that the description of this class lists.
  private func play(_ stream: Stream) {
    let app = stream.app
    stream.run(3)
    app.host.lockScreen(true)
    stream.run(2)
    // The app changes its buffer duration. After that, the hearing device connects.
    app.host.preferredBufferDuration = 0.125
    app.host.connectHearingDevice(true)
    app.follower.enter(AudioRoute(.hearingDevice))
    stream.run(1)
    // In the slice above, the host requested too many frames. In response, the app has set the
    // buffer duration of the host again.
    app.host.lockScreen(false)
    stream.run(3)
    app.host.connectHearingDevice(false)
    app.follower.enter(AudioRoute(.wired))
    stream.run(3)
  }

  private func assertContract(_ stream: Stream, line: UInt = #line) {
    #if !DEBUG
      guard real_time_probe_works() else { return }
      let counts = stream.counts
      XCTAssertEqual(
        counts.allocations + counts.locks + counts.retains + counts.accesses, 0, "\(counts)",
        line: line)
    #endif
  }

  func test_splitting_losesNoSample_andTheHostReturnsToSmallSlices() throws {
    let stream = try Stream(App(splitsSlices: true))
    play(stream)
    XCTAssertEqual(
      stream.answers.map(\.frameCount),
      [1_024, 1_024, 1_024, 4_096, 4_096, 5_513, 1_024, 1_024, 1_024, 1_024, 1_024, 1_024])
    XCTAssertTrue(stream.answers.allSatisfy { $0.status == .success && !$0.isSilence })
    XCTAssertEqual(stream.output, stream.expected, "the same as with at most 1,024 frames")
    XCTAssertEqual(stream.app.log.events, ["too many frames", "slices fit again"])
    XCTAssertEqual(
      stream.app.episodes.events.map { [$0.frameCount, Int($0.frame)] }, [[5_513, 11_264]])
    XCTAssertEqual(stream.app.host.preferredBufferDuration, 4_096 / 44_100)
    assertContract(stream)
  }

  func test_withoutSplitting_silencesOneSlice_andTheHostReturnsToSmallSlices() throws {
    let stream = try Stream(App(splitsSlices: false))
    play(stream)
    XCTAssertEqual(
      stream.answers.filter { $0.status != .success },
      [Answer(frameCount: 5_513, status: .tooManyFrames, isSilence: true)])
    let silent = 11_264..<11_264 + 5_513
    XCTAssertTrue(stream.output.allSatisfy { $0[silent].allSatisfy { $0 == 0 } })
    XCTAssertFalse(stream.output[0][11_000..<11_264].contains(0))
    XCTAssertEqual(stream.app.log.events, ["too many frames", "slices fit again"])
    assertContract(stream)
  }

  func test_rendererError_silencesOnlyTheFailedSlices_withAndWithoutSplitting() throws {
    for splitsSlices in [true, false] {
      let stream = try Stream(App(splitsSlices: splitsSlices))
      let failure = RenderStatus(rawValue: -10_867)
      stream.failures = [.success, failure, .success, .tooManyFrames, .success]
      play(stream)
      let refused = !splitsSlices ? [RenderStatus.tooManyFrames] : []
      XCTAssertEqual(
        stream.answers.map(\.status).filter { $0 != .success },
        [failure, .tooManyFrames] + refused)
      XCTAssertTrue(stream.answers.allSatisfy { $0.isSilence == ($0.status != .success) })
      // The renderer itself can also return "too many frames". This result is reported in the same
      // way.
      XCTAssertEqual(
        stream.app.log.events,
        ["too many frames", "slices fit again", "too many frames", "slices fit again"])
      XCTAssertEqual(stream.app.episodes.events.map(\.frameCount), [4_096, 5_513])
      assertContract(stream)
    }
  }

  func test_hearingDevice_whileConnected_interruptsTheSession_andOutputEqualsInput() throws {
    let app = try App(splitsSlices: true)
    let stream = try Stream(app)
    stream.run(4)
    XCTAssertTrue(app.session.isEnabled.value)
    app.follower.enter(AudioRoute(.hearingDevice))
    XCTAssertFalse(app.session.isEnabled.value)
    XCTAssertTrue(
      app.session.interruptions.contains(.hearingDevice))
    // A cross-fade lasts at most 10 ms. After it, the output is bit-identical to the input.
    stream.run(1)
    let start = stream.output[0].count
    stream.run(2)
    let untouched = (0..<2).map { Signals.noise(count: 80_000, rms: 0.001, seed: 7 + $0) }
    for channel in 0..<2 {
      XCTAssertEqual(
        Array(stream.output[channel][start...]),
        Array(untouched[channel][start..<stream.output[channel].count]))
    }
    app.follower.enter(AudioRoute(.wired))
    XCTAssertTrue(app.session.isEnabled.value)
    XCTAssertEqual(app.session.interruptions, [])
    stream.run(2)
    XCTAssertNotEqual(
      stream.output[0].suffix(512), untouched[0][..<stream.output[0].count].suffix(512))
  }
}
