import TestSupport
import XCTest

/// The tour says what the rules of the control plane promise.
final class SessionTourTests: XCTestCase {
  func test_tour_tellsWhatTheRulesPromise_inOrder() throws {
    let folder = try ScratchFolder()
    let outcome = try BuiltExecutable("session-tour").run([], in: folder.url)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.errors, "")
    let lines = outcome.output.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let promised = [
      // One session at a time; it begins disabled.
      "Activate", "a session is active; enabled: false",
      "a second one: a session is active already",
      // The current value first, then each new one; nothing after the token is cancelled.
      "Observe", "a subscriber sees intensity 1.0", "a subscriber sees intensity 0.8",
      "cancelled, it no longer hears of 0.9",
      // In order of registration; NaN never becomes a value.
      "Apply", "left applies 0.5", "right applies 0.5", "result: 0.5",
      "left has 0.5, right has 0.5", "result: the parameter does not take this value",
      // Of a burst the last value goes, an interval after the last call; the others are overtaken.
      "Discrete delivery", "the slider moves to 0.1", "the slider moves to 0.2",
      "the slider moves to 0.3", "after 0.1 s the headphone has nothing", "headphone applies 0.3",
      "result: a later value took its place", "result: a later value took its place", "result: 0.3",
      // One refusal, and nobody applies.
      "canApply refuses", "willing applies 0.4", "unwilling applies 0.4",
      "result: an applicator cannot apply this value", "willing has 0.4, unwilling has 0.4",
      // After a time-out nobody knows what is applied, and a late answer does not count.
      "Time-out", "silent is asked for 0.6 and keeps the handler for later",
      "result: an applicator did not answer in time",
      "its late answer counts for nothing: it has nothing",
      // Who is out of date is brought to the value; who stands there already is not asked.
      "Synchronize", "late joined and has nothing", "late applies 0.4", "late applies 0.75",
      "result: 0.75", "the dial stood there already: 0.75",
      // Released, an applicator is asked no more.
      "Weakly held", "passing applies 0.2", "passing has 0.2", "result: 0.3",
      // Two reasons, one pause.
      "Interrupt", "processing goes on", "processing goes off",
      "result: the session is interrupted",
      "interrupted: true", "processing goes on", "interrupted: false, enabled: true",
      // No profile, no preset; 2 kHz by NAL-RP: 13.85 and 20.75 dB.
      "Reload", "without a profile: no preset", "gain at 2 kHz: left 14 dB, right 21 dB",
      "result: loading failed: unknown tech level 9; the known levels are 1 to 3",
      // The end of a session fails what comes after it.
      "Deactivate", "result: the session was deactivated", "a session is no longer active",
    ]
    XCTAssertEqual(lines, promised)
  }
}
