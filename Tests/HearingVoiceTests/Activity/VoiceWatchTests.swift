import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// The chart against a model written from the sentences alone, over every order of events.
final class VoiceWatchTests: XCTestCase {
  /// What can happen; decisions come in runs, since one alone never decides.
  private enum Event: CaseIterable {
    case mute, unmute
    /// One decision short of a start, and a whole start.
    case nearlyVoice, voice
    /// One decision short of an end, and a whole end.
    case nearlySilence, silence
    /// A single decision against whatever there was.
    case blip, gap

    var decisions: (isVoice: Bool, count: Int)? {
      switch self {
      case .mute, .unmute: nil
      case .nearlyVoice: (true, 9)
      case .voice: (true, 10)
      case .nearlySilence: (false, 79)
      case .silence: (false, 80)
      case .blip: (true, 1)
      case .gap: (false, 1)
      }
    }
  }

  /// What the listener must hear, found by looking back over the whole history each time.
  private struct Model {
    /// Decisions since the mute began; nil: not muted.
    private var heard: [Bool]?
    private(set) var isTalking = false
    var isMuted: Bool { heard != nil }
    private(set) var calls: [VoiceState.Change] = []

    mutating func mute() { if heard == nil { heard = [] } }
    mutating func unmute() {
      heard = nil
      isTalking = false
    }

    mutating func hear(_ isVoice: Bool) {
      guard heard != nil else { return }
      heard?.append(isVoice)
      let wasTalking = isTalking
      isTalking = findTalk()
      if isTalking != wasTalking { calls.append(isTalking ? .started : .ended) }
    }

    /// Whoever talks has had 100 ms of voice, and since then no 800 ms without.
    private func findTalk() -> Bool {
      // Counted in milliseconds, from the newest decision backwards.
      var (voice, silence) = (0, 0)
      for isVoice in (heard ?? []).reversed() {
        voice = isVoice ? voice + 10 : 0
        silence = isVoice ? 0 : silence + 10
        if silence == 800 { return false }
        if voice == 100 { return true }
      }
      return false
    }
  }

  private func check(_ events: [Event]) {
    var watch = VoiceWatch()
    var model = Model()
    var calls: [VoiceState.Change] = []
    for event in events {
      switch event {
      case .mute:
        watch.begin()
        model.mute()
      case .unmute:
        watch.end()
        model.unmute()
      default:
        guard let (isVoice, count) = event.decisions else { continue }
        for _ in 0..<count {
          let change = watch.take(isVoice: isVoice)
          XCTAssertTrue(change == nil || model.isMuted, "told while not muted: \(events)")
          if let change { calls.append(change) }
          model.hear(isVoice)
        }
      }
      if watch.isTalking != model.isTalking { XCTFail("state after \(events)") }
    }
    if calls != model.calls { XCTFail("\(calls), not \(model.calls), after \(events)") }
  }

  /// All orders of `length` events.
  private func everyOrder(_ length: Int, _ body: ([Event]) -> Void) {
    var events: [Event] = []
    func extend() {
      guard events.count < length else { return body(events) }
      for event in Event.allCases {
        events.append(event)
        extend()
        events.removeLast()
      }
    }
    extend()
  }

  func test_take_everyOrderOfEvents_agreesWithTheReferenceModel() {
    // Shorter orders are the beginnings of these.
    everyOrder(Signals.isUnoptimized ? 3 : 5) { events in
      check(events)
      check([.mute] + events)
      check([.mute, .voice] + events)
    }
  }

  func test_take_randomLongOrders_agreeWithTheReferenceModel() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(Signals.isUnoptimized ? 20 : 300) {
      check((0..<60).compactMap { _ in Event.allCases.randomElement(using: &generator) })
    }
  }

  private func changes(_ watch: inout VoiceWatch, _ isVoice: Bool, _ count: Int)
    -> [VoiceState.Change]
  {
    (0..<count).compactMap { _ in watch.take(isVoice: isVoice) }
  }

  func test_take_whileNotWatching_reportsNothing() {
    var watch = VoiceWatch()
    XCTAssertEqual(changes(&watch, true, 100), [])
    XCTAssertFalse(watch.isTalking)
  }

  func test_take_continuousTalk_isReportedOnce_andAgainAfterAnEnd() {
    var watch = VoiceWatch()
    watch.begin()
    XCTAssertEqual(changes(&watch, true, 500), [.started])
    XCTAssertEqual(changes(&watch, false, 500), [.ended])
    XCTAssertEqual(changes(&watch, true, 500), [.started])
  }

  func test_end_whileTalking_endsTalkWithoutAReport_andTheNextWatchStartsOver() {
    var watch = VoiceWatch()
    watch.begin()
    XCTAssertEqual(changes(&watch, true, 50), [.started])
    watch.end()
    XCTAssertFalse(watch.isTalking)
    XCTAssertEqual(changes(&watch, false, 200), [])
    watch.begin()
    XCTAssertEqual(changes(&watch, true, 50), [.started])
  }

  func test_begin_justAfterTalk_ignoresEarlierTalk() {
    var watch = VoiceWatch()
    XCTAssertEqual(changes(&watch, true, 300), [])
    watch.begin()
    XCTAssertEqual(changes(&watch, true, 9), [])
    XCTAssertEqual(changes(&watch, false, 300), [])
  }

  func test_begin_again_changesNothing() {
    var watch = VoiceWatch()
    watch.begin()
    XCTAssertEqual(changes(&watch, true, 10), [.started])
    watch.begin()
    XCTAssertTrue(watch.isTalking)
    XCTAssertEqual(changes(&watch, true, 10), [])
  }
}
