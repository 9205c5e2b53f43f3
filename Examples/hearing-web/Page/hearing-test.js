// The hearing test: plays tones, records when the listener presses, and reads the result.

import { Engine } from "./engine.js";
import { resume } from "./player.js";

/// The level in dB SPL of a sine of amplitude 1. On the whole page, an RMS of 1.0 is 100 dB SPL.
const fullScale = 97;
const shortestPause = 1500; // milliseconds

/// The test in the Swift code.
export class TestEngine extends Engine {
  /// Starts a test at a sample rate in Hz.
  start(sampleRate, seed) {
    this.call("hearing_test", fullScale, sampleRate, seed);
  }

  /// The next step: {kind: "tone" | "pause" | "end", …}.
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

/// The names of the concerns in files and their sentences, in the order of the bits of
/// `hearing_test_concerns`.
export const concerns = {
  "false-alarms": "The button was often pressed when there was no tone.",
  "missed-tones": "Clear tones were often missed.",
  "repeats": "Answers at the end differ too much from those at the beginning.",
  "contradictions": "The answers contradict each other.",
  "no-responses": "The button was never pressed for a tone.",
};

// Sentences for other notes in files, with the names in HearingFitting's MeasurementRecord.
const otherNotes = {
  "unfinished": "The test was not finished: thresholds are missing.",
  "uncalibrated": "The audiogram was measured without calibrated headphones. It is only approximate.",
  "masking-missing": "At some frequencies the other ear may have heard the tones.",
  "ambient-noise": "The room was too loud at times.",
  "calibration-change": "Volume or sound settings changed during the test.",
};

/// The warnings about a result, one sentence each: the notes, and ears that did not respond to
/// at least half of the frequencies.
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

/// The compiled module of the test, loaded when the first test starts.
export async function loadTest() {
  const response = await fetch("hearing-test.wasm");
  if (!response.ok) throw new Error("hearing-test.wasm is missing.");
  return WebAssembly.compile(await response.arrayBuffer());
}

/// The dialog. `finished(profile, concerns)` gets the result. If there are warnings, it gets the result
/// only after the listener agreed. `failed(message)` reports a test that cannot continue.
export class HearingTestDialog {
  constructor(finished, failed) {
    this.finished = finished;
    this.failed = failed;
    const find = id => document.getElementById(id);
    this.dialog = find("test");
    this.text = find("test-text");
    // The count is not read aloud, because speech would mask the tones.
    this.count = find("test-count");
    this.button = find("test-heard");
    this.doubts = find("test-doubts");
    this.cancel = find("test-cancel");
    // The event may come when the next test is open already.
    this.dialog.addEventListener("close", () => this.dialog.open || this.stop());
    // The Escape key does not discard a test that has started.
    this.dialog.addEventListener("cancel", event => this.hasStarted && event.preventDefault());
    this.cancel.addEventListener("click", () => this.close());
    find("test-use").addEventListener("click", () => this.use());
    // The press counts, and its release does not. The click that belongs to the press does not count
    // either. A click without a press comes from assistive technology.
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
    // In some browsers, releasing the space bar causes the click.
    this.button.addEventListener("keyup", event => {
      if (isKey(event)) event.preventDefault();
    });
  }

  /// Opens the dialog; call it from a click.
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

  /// Gives the result to the page, or shows the warnings and asks.
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
    // No button has the focus, so that a late press for a tone chooses nothing.
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
