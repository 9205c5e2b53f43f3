import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Compares the state machine with a model, for every possible order of events. The model was
/// written from the documentation.
final class VoiceWatchTests: XCTestCase {
  /// The possible events. An event with voice or silence contains several equal decisions, because
  /// a single decision never changes the state.
  private enum Event: CaseIterable {
    case mute, unmute
    /// `voice` has exactly the number of voice decisions that start talk. `nearlyVoice` has one
    /// fewer.
    case nearlyVoice, voice
    /// `silence` has exactly the number of silence decisions that end talk. `nearlySilence` has one
    /// fewer.
    case nearlySilence, silence
    /// `blip` is a single voice decision. `gap` is a single silence decision.
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

  /// A model of the changes that must be reported. After each event, the model evaluates all
  /// previous events again.
  private struct Model {
    /// The sequences of equal decisions since the microphone was muted. The array is nil while the
    /// microphone is not muted.
    private var heard: [(isVoice: Bool, count: Int)]?
    private(set) var isTalking = false
    var isMuted: Bool { heard != nil }
    private(set) var calls: [VoiceState.Change] = []

    mutating func mute() { if heard == nil { heard = [(false, 0)] } }
    mutating func unmute() {
      heard = nil
      isTalking = false
    }

    mutating func hear(_ isVoice: Bool) {
      guard var runs = heard else { return }
      if runs[runs.count - 1].isVoice != isVoice { runs.append((isVoice, 0)) }
      runs[runs.count - 1].count += 1
      heard = runs
      let wasTalking = isTalking
      isTalking = findTalk()
      if isTalking != wasTalking { calls.append(isTalking ? .started : .ended) }
    }

    /// Whether there were 100 ms of voice that were not followed by 800 ms of silence.
    private func findTalk() -> Bool {
      // Each decision covers 10 ms.
      for run in (heard ?? []).reversed() {
        if run.isVoice, run.count >= 10 { return true }
        if !run.isVoice, run.count >= 80 { return false }
      }
      return false
    }
  }

  /// The state machine and its model, after the same events.
  private struct Comparison {
    private var watch = VoiceWatch(kind: .mutedTalker)
    private var model = Model()
    private var calls: [VoiceState.Change] = []
    private var events: [Event] = []

    init(_ events: [Event] = []) {
      for event in events { add(event) }
    }

    mutating func add(_ event: Event) {
      events.append(event)
      switch event {
      case .mute:
        watch.follow(1)
        model.mute()
      case .unmute:
        watch.follow(nil)
        model.unmute()
      default:
        guard let (isVoice, count) = event.decisions else { return }
        for _ in 0..<count {
          let change = watch.add(NearDecision(isVoice: isVoice, isVoiceOrEcho: isVoice))?
            .voiceChange
          XCTAssertTrue(change == nil || model.isMuted, "reported while not muted: \(events)")
          if let change { calls.append(change) }
          model.hear(isVoice)
        }
      }
      if watch.isTalking != model.isTalking { XCTFail("state after \(events)") }
      if calls != model.calls { XCTFail("\(calls), not \(model.calls), after \(events)") }
    }

    /// Adds every possible sequence of `length` events.
    func checkEveryOrder(_ length: Int) {
      guard length > 0 else { return }
      for event in Event.allCases {
        var longer = self
        longer.add(event)
        longer.checkEveryOrder(length - 1)
      }
    }
  }

  func test_everyOrderOfEvents_agreesWithTheReferenceModel() {
    let length = Signals.isSanitized ? 3 : 5
    for events in [[], [.mute], [.mute, .voice]] as [[Event]] {
      Comparison(events).checkEveryOrder(length)
    }
  }

  func test_randomLongSequences_agreeWithTheReferenceModel() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(Signals.isSanitized ? 20 : 300) {
      _ = Comparison((0..<60).compactMap { _ in Event.allCases.randomElement(using: &generator) })
    }
  }

  private func changes(_ watch: inout VoiceWatch, _ isVoice: Bool, _ count: Int)
    -> [VoiceState.Change]
  {
    (0..<count).compactMap { _ in
      watch.add(NearDecision(isVoice: isVoice, isVoiceOrEcho: isVoice))?.voiceChange
    }
  }

  func test_add_voiceBeforeFollowIsCalled_reportsNothing() {
    var watch = VoiceWatch(kind: .mutedTalker)
    XCTAssertEqual(changes(&watch, true, 100), [])
    XCTAssertFalse(watch.isTalking)
  }

  func test_add_continuousTalk_isReportedOnce_andAgainAfterAPause() {
    var watch = VoiceWatch(kind: .mutedTalker)
    watch.follow(1)
    XCTAssertEqual(changes(&watch, true, 500), [.started])
    XCTAssertEqual(changes(&watch, false, 500), [.ended])
    XCTAssertEqual(changes(&watch, true, 500), [.started])
  }

  func test_follow_endOfThePeriodDuringTalk_endsTalkSilently_andTheNextPeriodReportsTalk() {
    var watch = VoiceWatch(kind: .mutedTalker)
    watch.follow(1)
    XCTAssertEqual(changes(&watch, true, 50), [.started])
    watch.follow(nil)
    XCTAssertFalse(watch.isTalking)
    XCTAssertEqual(changes(&watch, false, 200), [])
    watch.follow(1)
    XCTAssertEqual(changes(&watch, true, 50), [.started])
  }

  func test_follow_justAfterTalk_ignoresEarlierTalk() {
    var watch = VoiceWatch(kind: .mutedTalker)
    XCTAssertEqual(changes(&watch, true, 300), [])
    watch.follow(1)
    XCTAssertEqual(changes(&watch, true, 9), [])
    XCTAssertEqual(changes(&watch, false, 300), [])
  }

  func test_follow_samePeriodAgain_doesNotRestartTalk() {
    var watch = VoiceWatch(kind: .mutedTalker)
    watch.follow(1)
    XCTAssertEqual(changes(&watch, true, 10), [.started])
    watch.follow(1)
    XCTAssertTrue(watch.isTalking)
    XCTAssertEqual(changes(&watch, true, 10), [])
  }
}
