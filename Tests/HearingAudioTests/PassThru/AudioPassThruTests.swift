import Foundation
import HearingAudio
import HearingProcessing
import TestSupport
import XCTest

/// A request at 8 kHz with 8-bit samples. In this format, 1 ms of audio has eight bytes.
private func request(
  _ milliseconds: Int = 1, handler: (@Sendable (Data?) -> Void)? = nil
) -> AudioPassThruRequest {
  var request = AudioPassThruRequest(
    samplingRate: .hz8000, sampleSize: .bits8, maximumDuration: milliseconds)
  request.audioDataHandler = handler
  return request
}

/// Records the response or the error of a result.
private func watch(
  _ result: AudioPassThru.Result, _ events: Recorder<String>, _ name: String = "result"
) -> ObservationToken {
  result.sink { completion in
    if case .failure(let error) = completion { events.record("\(name): \(error)") }
  } receiveValue: { response in
    events.record("\(name): \(response.ending) \(response.frameCount)")
  }
}

final class AudioPassThruTests: XCTestCase {
  private typealias Request = AudioPassThruRequest

  private func bytes(_ range: Range<UInt8>) -> Data { Data(range) }

  func test_receive_deliversChunksToTheHandlerThenToSubscribers_inOrder() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    let token = passThru.audioData.sink { events.record("watcher \(Array($0))") }
    let result = passThru.perform(
      request { events.record("handler \($0.map { Array($0) } ?? [])") })
    passThru.receive(bytes(0..<2))
    passThru.receive(bytes(2..<5))
    XCTAssertEqual(
      events.events,
      ["handler [0, 1]", "watcher [0, 1]", "handler [2, 3, 4]", "watcher [2, 3, 4]"])
    withExtendedLifetime((token, result)) {}
  }

  func test_receive_withoutHandlerOrRequest_deliversToSubscribers() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let chunks = Recorder<Data>()
    let token = passThru.audioData.sink { chunks.record($0) }
    passThru.receive(bytes(0..<1))
    let result = passThru.perform(request())
    passThru.receive(bytes(1..<3))
    passThru.end()
    passThru.receive(bytes(3..<9))
    XCTAssertEqual(chunks.events, [bytes(0..<1), bytes(1..<3), bytes(3..<9)])
    withExtendedLifetime((token, result)) {}
  }

  func test_receive_sliceOfData_isDeliveredWithIndicesFromZero() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let firsts = Recorder<Int>()
    let token = passThru.audioData.sink { firsts.record($0.startIndex) }
    passThru.receive(bytes(0..<9)[3...])
    _ = passThru.perform(request { firsts.record($0?.startIndex ?? -1) })
    passThru.receive(bytes(0..<9)[3..<5])
    XCTAssertEqual(firsts.events, [0, 0, 0])
    token.cancel()
  }

  func test_receive_emptyNotification_callsHandlerWithNil() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    let token = passThru.audioData.sink { events.record("watcher \($0.count)") }
    passThru.receive(Data())
    _ = passThru.perform(request { events.record($0 == nil ? "nil" : "data") })
    passThru.receive(Data())
    XCTAssertEqual(events.events, ["watcher 0", "nil", "watcher 0"])
    token.cancel()
  }

  func test_receive_chunkBeyondTheMaximumDuration_deliversOnlyTheRemainingBytes() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    let watcher = passThru.audioData.sink { events.record("watcher \($0.count)") }
    let result = passThru.perform(request { events.record("handler \($0?.count ?? -1)") })
    let token = watch(result, events)
    passThru.receive(bytes(0..<5))
    passThru.receive(bytes(0..<100))
    passThru.receive(bytes(0..<7))
    XCTAssertEqual(
      events.events,
      [
        "handler 5", "watcher 5", "handler 3", "watcher 3", "result: durationReached 8",
        "watcher 7",
      ])
    withExtendedLifetime((watcher, token)) {}
  }

  func test_perform_durationWithAFractionOfAFrame_isRoundedDownToWholeFrames() {
    let request = Request(samplingRate: .hz22050, sampleSize: .bits16, maximumDuration: 1)
    XCTAssertEqual(request.maximumFrameCount, 22)
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    let token = watch(passThru.perform(request), events)
    passThru.receive(Data(count: 43))
    XCTAssertEqual(events.events, [])
    passThru.receive(Data(count: 1))
    XCTAssertEqual(events.events, ["result: durationReached 22"])
    token.cancel()
  }

  func test_everyEnding_releasesTheHandlerBeforeTheResult_andLaterChunksReachNoHandler() {
    let endings: [(String, @Sendable (AudioPassThru) -> Void)] = [
      ("durationReached 8", { $0.receive(Data(count: 8)) }),
      ("endedByApp 0", { $0.end() }),
      ("sourceFinished 0", { $0.sourceDidFinish() }),
      (
        "the source of the sound failed: unplugged",
        { $0.sourceDidFail(reason: "unplugged") }
      ),
      ("the connection was closed", { $0.disconnect() }),
    ]
    for (ending, perform) in endings {
      let passThru = AudioPassThru(scheduler: ManualScheduler())
      let events = Recorder<String>()
      let result = {
        let canary = Canary { events.record("released") }
        return passThru.perform(
          request { data in
            canary.sing()
            if data?.count != 8 { events.record("handler") }
          })
      }()
      let token = watch(result, events)
      perform(passThru)
      passThru.receive(Data(count: 1))
      passThru.receive(Data())
      XCTAssertEqual(events.events, ["released", "result: \(ending)"])
      token.cancel()
    }
  }

  func test_perform_duringARequest_fails_andTheFirstRequestContinues() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    let first = watch(passThru.perform(request { _ in events.record("first") }), events, "1")
    let second = watch(passThru.perform(request { _ in events.record("second") }), events, "2")
    passThru.receive(Data(count: 3))
    passThru.end()
    XCTAssertEqual(
      events.events,
      ["2: another request for audio data is running", "first", "1: endedByApp 3"])
    withExtendedLifetime((first, second)) {}
  }

  func test_perform_afterAnEndedRequest_hasNoStateFromTheEndedRequest() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    for round in 1...3 {
      let token = watch(passThru.perform(request()), events, "\(round)")
      passThru.receive(Data(count: 5))
      if round == 1 { passThru.end() }
      if round == 2 { passThru.disconnect() }
      if round == 3 { passThru.receive(Data(count: 5)) }
      token.cancel()
    }
    XCTAssertEqual(
      events.events, ["1: endedByApp 5", "2: the connection was closed", "3: durationReached 8"])
  }

  func test_perform_invalidRequest_failsWithTheReason_andPresentsNothing() {
    let events = Recorder<String>()
    var presenter = AudioPassThruPresenter()
    presenter.showTexts = { _, _ in events.record("texts") }
    presenter.muteOtherAudio = { _ in events.record("mute") }
    let passThru = AudioPassThru(presenter: presenter, scheduler: ManualScheduler())
    var invalid = request()
    invalid.audioType = "mp3"
    invalid.displayText1 = "a"
    invalid.mutesOtherAudio = true
    let token = watch(passThru.perform(invalid), events)
    token.cancel()
    XCTAssertEqual(
      events.events,
      ["result: audio data of the type \"mp3\" cannot be received; only \"pcm\" can"])
    XCTAssertFalse(events.events.contains("texts") || events.events.contains("mute"))
  }

  func test_end_withoutARequest_doesNotEndTheNextRequest() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    passThru.end()
    passThru.sourceDidFinish()
    passThru.sourceDidFail(reason: "none")
    passThru.disconnect()
    let events = Recorder<String>()
    let token = watch(passThru.perform(request()), events)
    passThru.receive(Data(count: 8))
    XCTAssertEqual(events.events, ["result: durationReached 8"])
    token.cancel()
  }

  func test_end_insideTheHandler_endsAfterTheChunk_andTheResultMayStartANewRequest() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let events = Recorder<String>()
    let tokens = Holder<[ObservationToken]>([])
    let first = passThru.perform(
      request { [weak passThru] data in
        events.record("first \(data?.count ?? -1)")
        passThru?.end()
      })
    let token = first.sink { _ in
    } receiveValue: { [weak passThru] response in
      events.record("\(response.ending) \(response.frameCount)")
      guard let passThru else { return }
      let second = passThru.perform(request { events.record("second \($0?.count ?? -1)") })
      tokens.value?.append(watch(second, events, "2"))
    }
    passThru.receive(Data(count: 3))
    passThru.receive(Data(count: 8))
    XCTAssertEqual(
      events.events, ["first 3", "endedByApp 3", "second 8", "2: durationReached 8"])
    token.cancel()
  }

  func test_release_duringARequest_failsTheRequest_andUnmutesOtherAudio() {
    let events = Recorder<String>()
    var presenter = AudioPassThruPresenter()
    presenter.muteOtherAudio = { events.record("mute \($0)") }
    var passThru: AudioPassThru? = AudioPassThru(presenter: presenter, scheduler: ManualScheduler())
    var muting = request()
    muting.mutesOtherAudio = true
    let token = passThru.map { watch($0.perform(muting), events) }
    passThru = nil
    XCTAssertEqual(
      events.events, ["mute true", "mute false", "result: the connection was closed"])
    token?.cancel()
  }

  func test_perform_setsTextMuteAndPrompt_andClearsTextAndMuteBeforeTheResult() {
    let events = Recorder<String>()
    var presenter = AudioPassThruPresenter()
    presenter.muteOtherAudio = { events.record("mute \($0)") }
    presenter.showTexts = { events.record("texts \($0 ?? "-"), \($1 ?? "-")") }
    presenter.playPrompt = { chunks, _ in
      XCTAssertEqual(chunks, [.text("Speak"), .file("chime")])
      events.record("prompt")
    }
    let passThru = AudioPassThru(presenter: presenter, scheduler: ManualScheduler())
    var asking = request { _ in events.record("handler") }
    asking.mutesOtherAudio = true
    asking.initialPrompt = ["Speak", .file("chime")]
    asking.displayText2 = "two"
    let token = watch(passThru.perform(asking), events)
    passThru.receive(Data(count: 8))
    XCTAssertEqual(
      events.events,
      [
        "texts -, two", "mute true", "prompt", "handler", "mute false", "texts -, -",
        "result: durationReached 8",
      ])
    let plain = watch(passThru.perform(request()), events, "plain")
    passThru.end()
    XCTAssertEqual(events.events.suffix(1), ["plain: endedByApp 0"])
    XCTAssertEqual(events.events.count, 8)
    withExtendedLifetime((token, plain)) {}
  }

  func test_receive_chunksSplitAtEveryPossibleByte_giveTheSameBytesAndResponse() async throws {
    let sound = Data((0..<40).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    for size in Request.SampleSize.allCases {
      for first in 0...sound.count {
        for second in first...sound.count {
          let passThru = AudioPassThru(scheduler: ManualScheduler())
          let heard = Recorder<Data>()
          var request = Request(samplingRate: .hz8000, sampleSize: size, maximumDuration: 100)
          request.audioDataHandler = { if let data = $0 { heard.record(data) } }
          let result = passThru.perform(request)
          passThru.receive(sound[..<first])
          passThru.receive(sound[first..<second])
          passThru.receive(sound[second...])
          passThru.sourceDidFinish()
          XCTAssertEqual(Data(heard.events.joined()), sound)
          let response = try await result.get()
          XCTAssertEqual(response.frameCount, 40 * 8 / size.rawValue)
          XCTAssertEqual(response.strayByteCount, 0)
        }
      }
    }
  }

  func test_sourceDidFinish_afterHalfOfA16BitSample_reportsOneStrayByte() async throws {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let result = passThru.perform(
      Request(samplingRate: .hz8000, sampleSize: .bits16, maximumDuration: 100))
    passThru.receive(Data(count: 5))
    passThru.sourceDidFinish()
    let response = try await result.get()
    XCTAssertEqual(response.ending, .sourceFinished)
    XCTAssertEqual(response.frameCount, 2)
    XCTAssertEqual(response.strayByteCount, 1)
    XCTAssertEqual(response.clippedSampleCount, 0)
  }

  func test_manyThreads_eachRequestGetsOneResult_andHandlersNeitherOverlapNorRunAfterTheResult() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    let started = Recorder<Int>()
    let ended = Recorder<Int>()
    let late = Recorder<Int>()
    let overlaps = Recorder<Int>()
    let isInside = Guarded(false)
    let over = Guarded<Set<Int>>([])
    let tokens = Guarded<[ObservationToken]>([])
    let threads = (0..<4).map { number in
      OtherThread {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        for round in 0..<400 {
          let identity = number * 1_000 + round
          switch Int.random(in: 0..<8, using: &random) {
          case 0, 1:
            started.record(identity)
            let result = passThru.perform(
              request { _ in
                if isInside.withLock({ inside in
                  defer { inside = true }
                  return inside
                }) {
                  overlaps.record(identity)
                }
                if over.withLock({ $0.contains(identity) }) { late.record(identity) }
                isInside.withLock { $0 = false }
              })
            let token = result.sink { completion in
              over.withLock { _ = $0.insert(identity) }
              ended.record(identity)
            } receiveValue: { _ in
            }
            tokens.withLock { $0.append(token) }
          case 2: passThru.end()
          case 3: passThru.disconnect()
          case 4: passThru.sourceDidFinish()
          default: passThru.receive(Data(count: Int.random(in: 0..<6, using: &random)))
          }
        }
      }
    }
    for thread in threads { thread.join() }
    passThru.disconnect()
    XCTAssertEqual(ended.events.sorted(), started.events.sorted())
    XCTAssertEqual(late.events, [])
    XCTAssertEqual(overlaps.events, [])
  }

  func test_clock_withoutAnyChunk_endsTheRequestAfterTheMaximumDuration() {
    let scheduler = ManualScheduler()
    let passThru = AudioPassThru(scheduler: scheduler)
    let events = Recorder<String>()
    let token = watch(passThru.perform(request(50)), events)
    scheduler.advance(by: .milliseconds(49))
    XCTAssertEqual(events.events, [])
    scheduler.advance(by: .milliseconds(1))
    XCTAssertEqual(events.events, ["result: durationReached 0"])
    token.cancel()
  }

  func test_clockStart_ofFirstChunk_startsTheClockAtTheFirstChunk_andNilNeverStartsTheClock() {
    let scheduler = ManualScheduler()
    let passThru = AudioPassThru(scheduler: scheduler)
    let events = Recorder<String>()
    var slow = request(50)
    slow.clockStart = .firstChunk
    let first = watch(passThru.perform(slow), events)
    scheduler.advance(by: .seconds(10))
    passThru.receive(Data(count: 8))
    scheduler.advance(by: .milliseconds(30))
    passThru.receive(Data(count: 8))
    XCTAssertEqual(events.events, [])
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(events.events, ["result: durationReached 16"])
    slow.clockStart = nil
    let second = watch(passThru.perform(slow), events)
    passThru.receive(Data(count: 8))
    scheduler.advance(by: .seconds(1_000))
    XCTAssertEqual(events.events.count, 1)
    passThru.end()
    XCTAssertEqual(events.events.last, "result: endedByApp 8")
    withExtendedLifetime((first, second)) {}
  }

  func test_clock_withAPrompt_startsWhenThePromptHasFinished_orWithTheFirstChunk() {
    let scheduler = ManualScheduler()
    let finished = Recorder<@Sendable () -> Void>()
    var presenter = AudioPassThruPresenter()
    presenter.playPrompt = { _, finish in finished.record(finish) }
    let passThru = AudioPassThru(presenter: presenter, scheduler: scheduler)
    let events = Recorder<String>()
    var asking = request(50)
    asking.initialPrompt = Request.prompt("Where do you want to go?")

    let prompted = watch(passThru.perform(asking), events, "prompted")
    scheduler.advance(by: .seconds(60))
    XCTAssertEqual(events.events, [], "the prompt does not count")
    finished.events[0]()
    finished.events[0]()
    scheduler.advance(by: .milliseconds(49))
    XCTAssertEqual(events.events, [])
    scheduler.advance(by: .milliseconds(1))
    XCTAssertEqual(events.events, ["prompted: durationReached 0"])

    let early = watch(passThru.perform(asking), events, "early")
    scheduler.advance(by: .seconds(60))
    passThru.receive(Data(count: 8))
    scheduler.advance(by: .milliseconds(40))
    finished.events[1]()
    scheduler.advance(by: .milliseconds(10))
    XCTAssertEqual(events.events.last, "early: durationReached 8")

    let late = watch(passThru.perform(asking), events, "late")
    passThru.end()
    let next = watch(passThru.perform(asking), events, "next")
    finished.events[2]()
    scheduler.advance(by: .seconds(60))
    XCTAssertEqual(events.events.last, "late: endedByApp 0", "it was the prompt of another request")
    passThru.end()
    withExtendedLifetime((prompted, early, late, next)) {}
  }

  func test_clock_withAPromptThatIsNotPlayedToTheEnd_startsImmediately() {
    let scheduler = ManualScheduler()
    for playPrompt in [
      nil, { _, _ in },
    ] as [(@Sendable ([Request.PromptChunk], @escaping @Sendable () -> Void) -> Void)?] {
      var presenter = AudioPassThruPresenter()
      presenter.playPrompt = playPrompt
      let passThru = AudioPassThru(presenter: presenter, scheduler: scheduler)
      let events = Recorder<String>()
      var asking = request(50)
      asking.initialPrompt = Request.prompt("Go")
      let token = watch(passThru.perform(asking), events)
      scheduler.advance(by: .milliseconds(50))
      XCTAssertEqual(events.events, ["result: durationReached 0"])
      token.cancel()
    }
  }

  func test_isRunning_isTrueFromPerformUntilTheRequestEnds() {
    let passThru = AudioPassThru(scheduler: ManualScheduler())
    XCTAssertFalse(passThru.isRunning)
    let seen = Recorder<Bool>()
    let chunks = Recorder<Data?>()
    let request = AudioPassThruRequest(
      samplingRate: .hz8000, sampleSize: .bits8, maximumDuration: 1000,
      audioDataHandler: { (data: Data?) in chunks.record(data) })
    let token = passThru.perform(request).sink { _ in
    } receiveValue: { _ in
      seen.record(passThru.isRunning)
    }
    XCTAssertTrue(passThru.isRunning)
    passThru.perform(request)
    XCTAssertTrue(passThru.isRunning, "a refused request changes nothing")
    let bulkData: Data? = nil
    passThru.receive(bulkData)
    passThru.receive(bytes(0..<4))
    XCTAssertEqual(chunks.events, [nil, bytes(0..<4)])
    passThru.end()
    XCTAssertFalse(passThru.isRunning)
    XCTAssertEqual(seen.events, [false])
    token.cancel()
  }

  func test_clock_ofAnEndedRequest_doesNotEndTheNextRequest() {
    let scheduler = ManualScheduler()
    let passThru = AudioPassThru(scheduler: scheduler)
    let events = Recorder<String>()
    let first = watch(passThru.perform(request(50)), events, "first")
    scheduler.advance(by: .milliseconds(40))
    passThru.end()
    let second = watch(passThru.perform(request(50)), events, "second")
    scheduler.advance(by: .milliseconds(40))
    XCTAssertEqual(events.events, ["first: endedByApp 0"])
    scheduler.advance(by: .milliseconds(10))
    XCTAssertEqual(events.events.last, "second: durationReached 0")
    withExtendedLifetime((first, second)) {}
  }

  func test_maximumDuration_ofAnyValue_isAccepted() {
    for milliseconds in [0, -1, .min] {
      let passThru = AudioPassThru(scheduler: ManualScheduler())
      let events = Recorder<String>()
      let token = watch(passThru.perform(request(milliseconds)), events)
      XCTAssertEqual(events.events, ["result: durationReached 0"], "\(milliseconds)")
      token.cancel()
    }
    for milliseconds in [1_000_001, Int.max / 44_100, .max] {
      for rate in Request.SamplingRate.allCases {
        let scheduler = ManualScheduler()
        let passThru = AudioPassThru(scheduler: scheduler)
        let events = Recorder<String>()
        let request = Request(
          samplingRate: rate, sampleSize: .bits16, maximumDuration: milliseconds)
        let token = watch(passThru.perform(request), events)
        passThru.receive(Data(count: 100))
        scheduler.advance(by: .seconds(1_000))
        passThru.end()
        XCTAssertEqual(events.events, ["result: endedByApp 50"], "\(milliseconds)")
        token.cancel()
      }
    }
  }
}
