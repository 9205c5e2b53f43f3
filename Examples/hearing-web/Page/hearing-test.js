// The hearing test: plays tones, records when the listener presses, and reads the result.

import { Engine } from "./engine.js";
import { resume } from "./player.js";

/// The level in dB SPL of a sine of amplitude 1. On the whole page, an RMS of 1.0 is 100 dB SPL.
/// The RMS of the sine is 0.707, which is 3 dB lower.
const fullScale = 97;
const shortestPause = 1500; // milliseconds

/// The functions of the hearing test in the Swift code.
export class TestEngine extends Engine {
  /// Starts a test at a sample rate in Hz.
  start(sampleRate, seed) {
    this.call("hearing_test", fullScale, sampleRate, seed);
  }

  /// The next step of the test: {kind: "tone" | "pause" | "end", …}.
  next() {
    const [kind, ear, frequency, level, onset, end, window, toneCount, count] =
      this.read(this.call("hearing_test_next"));
    if (kind !== 0) return { kind: kind === 1 ? "pause" : "end" };
    return { kind: "tone", ear, frequency, level, onset, end, window, toneCount, count };
  }

  /// The samples of the next tone, for both channels.
  sound(count) {
    return [0, 1].map(channel =>
      new Float32Array(this.functions.memory.buffer, this.functions.hearing_test_sound(channel), count).slice());
  }

  answer(isHeard, pressedInSilence, delay) {
    this.call("hearing_test_answer", isHeard ? 1 : 0, pressedInSilence ? 1 : 0, isHeard ? delay : 0);
  }

  resume() {
    this.call("hearing_test_resume");
  }

  /// The result as {left, right}: points of each ear, or null.
  get result() {
    const [left, right] = [0, 1].map(ear => {
      const count = this.call("hearing_test_result", ear), numbers = this.read(3 * count);
      return count === 0 ? null : Array.from({ length: count }, (_, index) => ({
        frequency: numbers[3 * index], threshold: numbers[3 * index + 1],
        ...(numbers[3 * index + 2] === 1 && { isNoResponse: true }),
      }));
    });
    return { left, right };
  }

  /// The names of the reasons why the result is not reliable.
  get concerns() {
    const bits = this.call("hearing_test_concerns");
    return Object.keys(concerns).filter((_, index) => bits & (1 << index));
  }
}

/// The reasons why a result is not reliable, in the order of the bits of `hearing_test_concerns`.
/// Each key is the name of the reason in files, each value is the sentence for the listener.
export const concerns = {
  "false-alarms": "The button was often pressed when there was no tone.",
  "missed-tones": "Clear tones were often missed.",
  "repeats": "Answers at the end differ too much from those at the beginning.",
  "contradictions": "The answers contradict each other.",
  "no-responses": "The button was never pressed for a tone.",
};

// The sentences for other notes in files. Each key is a name in HearingFitting's MeasurementRecord.
const otherNotes = {
  "unfinished": "The test was not finished: thresholds are missing.",
  "uncalibrated": "The audiogram was measured without calibrated headphones. It is only approximate.",
  "masking-missing": "At some frequencies the other ear may have heard the tones.",
  "ambient-noise": "The room was too loud at times.",
  "calibration-change": "Volume or sound settings changed during the test.",
};

/// The warnings about a result, one sentence each. There is a warning for each note. There is also
/// a warning for each ear without a response at half or more of the frequencies.
export function warnings({ left, right }, notes) {
  const silent = [["right", right], ["left", left]].flatMap(([ear, points]) => {
    const count = points?.filter(point => point.isNoResponse).length ?? 0;
    return count === 0 || 2 * count < points.length ? []
      : [`${ear[0].toUpperCase()}${ear.slice(1)} ear: no response to the loudest tones at ${count} of ${points.length} `
        + "frequencies. The volume may be too low, or the headphone may not work on this side."];
  });
  const sentences = { __proto__: null, ...concerns, ...otherNotes, "slow-answers": "" };
  const text = name => sentences[name] ?? `Another note about the test: ${name}`;
  const isConcern = name => Object.hasOwn(concerns, name);
  const others = notes.filter(name => !isConcern(name));
  return [...notes.filter(isConcern).map(text), ...silent, ...others.map(text)].filter(sentence => sentence !== "");
}

/// Loads and compiles the WebAssembly module of the test.
export async function loadTest() {
  const response = await fetch("hearing-test.wasm");
  if (!response.ok) throw new Error("hearing-test.wasm is missing.");
  return WebAssembly.compile(await response.arrayBuffer());
}

/// The dialog of the hearing test. The dialog calls `finished(profile, concerns)` with the result.
/// If there are warnings, it calls `finished` only after the listener has agreed. It calls
/// `failed(message)` if the test cannot continue.
export class HearingTestDialog {
  constructor(finished, failed) {
    this.finished = finished;
    this.failed = failed;
    const find = id => document.getElementById(id);
    this.dialog = find("test");
    this.text = find("test-text");
    // Screen readers do not read the count aloud, because their speech would mask the tones.
    this.count = find("test-count");
    this.button = find("test-heard");
    this.doubts = find("test-doubts");
    this.cancel = find("test-cancel");
    // The event may arrive after the listener has opened the next test. In this case, it is
    // ignored.
    this.dialog.addEventListener("close", () => this.dialog.open || this.stop());
    // The Escape key does not discard a test that has started.
    this.dialog.addEventListener("cancel", event => this.hasStarted && event.preventDefault());
    this.cancel.addEventListener("click", () => this.close());
    find("test-use").addEventListener("click", () => this.use());
    // An answer counts when the listener presses the button (pointerdown). The click event after
    // this press is ignored. A click event without a press comes from assistive technology and
    // counts.
    this.button.addEventListener("pointerdown", () => {
      this.isPressed = true;
      this.press();
    });
    this.button.addEventListener("click", event => {
      if (event.detail === 0 || !this.isPressed) this.press();
      this.isPressed = false;
    });
    const isKey = event => ["Space", "Enter", "NumpadEnter"].includes(event.code);
    this.button.addEventListener("keydown", event => {
      if (!isKey(event)) return;
      event.preventDefault();
      if (!event.repeat) this.press();
    });
    // In some browsers, releasing the space bar causes a click event. This event must not count
    // again.
    this.button.addEventListener("keyup", event => {
      if (isKey(event)) event.preventDefault();
    });
  }

  /// Opens the dialog. Call it from a click, because browsers permit sound only after a click.
  async open() {
    const module = await loadTest();
    // The second click of a double click has no effect.
    if (this.dialog.open) return;
    this.context = new AudioContext();
    this.engine = new TestEngine(module);
    this.engine.start(this.context.sampleRate, Math.floor(Math.random() * 2 ** 48));
    this.context.onstatechange = () => this.showInterruption();
    this.isWaiting = true;
    this.hasStarted = false;
    this.isPressed = false;
    this.continueAt = 0;
    this.count.textContent = "";
    this.button.textContent = "Start";
    this.button.hidden = false;
    this.doubts.hidden = true;
    this.cancel.textContent = "Cancel";
    this.text.textContent =
      "Put on headphones in a quiet room. Set the volume so that speech is comfortable, and do not change it during the "
      + "test. Press the button as soon as you hear a tone, however soft. It takes about ten minutes. The headphones are "
      + "not calibrated, so the result is only approximate: with a volume that is too low, the audiogram shows a larger "
      + "loss than you have.";
    this.dialog.showModal();
    this.button.focus();
  }

  press() {
    if (this.isWaiting) {
      if (performance.now() < this.continueAt) return;
      this.isWaiting = false;
      this.hasStarted = true;
      this.button.textContent = "I hear it";
      const { context } = this;
      this.run(context).catch(error => {
        if (context !== this.context) return;
        this.close();
        this.failed(error.message);
      });
    } else if (this.context.state === "running") this.presses?.push(this.context.currentTime);
    else this.context.resume();
  }

  /// Shows that no tones are played while the system interrupts the sound. The next press continues the
  /// test.
  showInterruption() {
    if (this.isWaiting || !this.context) return;
    this.text.textContent = this.context.state === "running" ? "" : "The sound is interrupted. Press the button to continue.";
  }

  /// Passes the result to the page. If there are warnings, shows them and asks the listener first.
  end() {
    this.result = this.engine.result;
    this.concerns = this.engine.concerns;
    this.warnings = warnings(this.result, this.concerns);
    if (this.warnings.length === 0) {
      this.use();
      return;
    }
    this.button.hidden = true;
    this.doubts.querySelector("ul").replaceChildren(...this.warnings.map(warning => {
      const item = document.createElement("li");
      item.textContent = warning;
      return item;
    }));
    this.text.textContent = this.count.textContent = "";
    this.doubts.hidden = false;
    this.cancel.textContent = "Discard the result";
    // No button gets the focus. Otherwise, a late key press for a tone would press this button.
    this.doubts.focus();
    this.stop();
  }

  use() {
    this.finished(this.result, this.concerns);
    this.close();
  }

  close() {
    this.stop();
    this.dialog.close();
  }

  stop() {
    this.context?.close();
    this.context = null;
  }

  async run(context) {
    await resume(context);
    while (context === this.context) {
      const next = this.engine.next();
      if (next.kind === "end") {
        this.end();
        return;
      }
      if (next.kind === "pause") {
        this.engine.resume();
        this.text.textContent = "Now the other ear. Take a rest, then go on.";
        this.button.textContent = "Continue";
        this.isWaiting = true;
        // A late press for a tone must not end the pause.
        this.continueAt = performance.now() + shortestPause;
        return;
      }
      this.text.textContent = "";
      this.count.textContent = `Tones so far: ${next.toneCount}`;
      await this.present(next, context);
    }
  }

  async present({ onset, window, count }, context) {
    const buffer = new AudioBuffer({ length: count, numberOfChannels: 2, sampleRate: context.sampleRate });
    this.engine.sound(count).forEach((samples, channel) => buffer.copyToChannel(samples, channel));
    this.presses = [];
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    const begin = context.currentTime + 0.05, latency = context.outputLatency || 0;
    source.start(begin);
    await new Promise(done => (source.onended = done));
    await new Promise(done => setTimeout(done, 1000 * latency));
    if (context !== this.context) return;
    const delays = this.presses.map(time => time - begin - latency - onset);
    const delay = delays.find(delay => delay >= 0 && delay <= window);
    this.engine.answer(delay !== undefined, delays.some(delay => delay < 0), delay ?? 0);
  }
}
