import TestSupport
import XCTest

/// Runs `session-tour` and checks every line of its output.
final class SessionTourTests: XCTestCase {
  func test_sessionTour_printsTheExpectedLines() throws {
    let folder = try ScratchFolder()
    let outcome = try BuiltExecutable("session-tour").run([], in: folder.url)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.errors, "")
    let lines = outcome.output.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let promised = [
      // Only one session can be active at a time. Processing is disabled at its start.
      "Activate", "a session is active; enabled: false",
      "a second one: A session is active already. Deactivate it first.",
      // The subscriber gets the current value first, then each new value. After its token is
      // cancelled, the subscriber gets no more values.
      "Observe", "a subscriber sees intensity 1.0", "a subscriber sees intensity 0.8",
      "after cancelling it does not see 0.9",
      // Applicators are called in the order of registration. NaN is rejected as a value.
      "Apply", "left applies 0.5", "right applies 0.5", "result: 0.5",
      "left has 0.5, right has 0.5", "result: nan is not a possible value.",
      // If several values arrive in quick succession, the applicator gets only the last value. It
      // gets this value one delivery interval after the last call.
      "Discrete delivery", "the slider moves to 0.1", "the slider moves to 0.2",
      "the slider moves to 0.3", "after 0.1 s the headphone has nothing", "headphone applies 0.3",
      "result: A later value replaced this value.",
      "result: A later value replaced this value.", "result: 0.3",
      // If one applicator refuses the value, no applicator applies it.
      "canApply refuses", "willing applies 0.4", "unwilling applies 0.4",
      "result: An applicator cannot apply 1.0 now.",
      "willing has 0.4, unwilling has 0.4",
      // After a time-out, the session does not know which value the applicator has applied. A late
      // answer is ignored.
      "Time-out", "silent is asked for 0.6 and keeps the result handler",
      "result: An applicator did not answer in time when asked to apply 0.6.",
      "its late answer is ignored: it has nothing",
      // Synchronizing calls only the applicators that do not have the current value yet.
      "Synchronize", "late joined and has nothing", "late applies 0.4", "late applies 0.75",
      "result: 0.75", "the dial already had 0.75",
      // The session does not keep applicators alive. After an applicator is released, the session
      // no longer calls it.
      "Weakly held", "passing applies 0.2", "passing has 0.2", "result: 0.3",
      // If two interruptions overlap, processing is switched off only once.
      "Interrupt", "processing goes on", "processing goes off",
      "result: Processing is interrupted. It can be switched on when the interruption ends.",
      "interrupted: true", "processing goes on", "interrupted: false, enabled: true",
      // One write to the store contains the changes of two parameters. If an update is refused, it
      // changes nothing.
      "Update", "a subscriber sees 30 %", "one write: enabled false, intensity 0.5",
      "a subscriber sees 50 %", "trace: isEnabled ends", "trace: intensity ends",
      "trace: session ends", "refused: 2.0 is not a possible value.",
      // Without a hearing profile, there is no preset. With the profile, NAL-RP prescribes 13.85 dB
      // (left) and 20.75 dB (right) at 2 kHz.
      "Reload", "without a profile: no preset", "gain at 2 kHz: left 14 dB, right 21 dB",
      "result: The value could not be loaded: unknown tech level 9; the known levels are 1 to 3",
      // Calls after the end of the session fail.
      "Deactivate", "result: The session has ended. Activate a new one.",
      "a session is no longer active",
    ]
    XCTAssertEqual(lines, promised)
  }
}
