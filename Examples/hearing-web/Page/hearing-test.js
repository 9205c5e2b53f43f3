// The hearing test: plays tones, records when the listener presses, and reads the result.

import { Engine } from "./engine.js";

/// The level in dB SPL of a sine of amplitude 1, as everywhere on the page: RMS 1.0 is 100 dB SPL.
const fullScale = 97;

/// The test in the Swift code.
export class TestEngine extends Engine {
  start(seed) {
    this.call("hearing_test", fullScale, seed);
  }

  /// The next step: {kind: "tone" | "pause" | "end", …}.
  next(sampleRate) {
    const [kind, ear, frequency, level, onset, end, window, toneCount, count] =
      this.read(this.call("hearing_test_next", sampleRate));
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
}

/// The compiled module of the test, loaded when the first test starts.
export async function loadTest() {
  const response = await fetch("hearing-test.wasm");
  if (!response.ok) throw new Error("hearing-test.wasm is missing.");
  return WebAssembly.compile(await response.arrayBuffer());
}

/// The dialog. `finished(profile)` gets the result.
export class HearingTestDialog {
  constructor(finished) {
    this.finished = finished;
    this.dialog = document.getElementById("test");
    this.text = document.getElementById("test-text");
    this.button = document.getElementById("test-heard");
    this.dialog.addEventListener("close", () => this.stop());
    document.getElementById("test-cancel").addEventListener("click", () => this.dialog.close());
    this.button.addEventListener("pointerdown", () => this.press());
    this.button.addEventListener("keydown", event => {
      if (event.code === "Space" && !event.repeat) this.press();
    });
  }

  /// Opens the dialog; call it from a click.
  async open() {
    this.engine = new TestEngine(await loadTest());
    this.engine.start(Math.floor(Math.random() * 2 ** 48));
    this.context = new AudioContext();
    this.isWaiting = true;
    this.button.textContent = "Start";
    this.text.textContent =
      "Put on headphones in a quiet room, and set the volume so that speech is comfortable. Press the button as soon as you "
      + "hear a tone, however soft. It takes about ten minutes. Without a measured headphone, levels are only estimates.";
    this.dialog.showModal();
  }

  press() {
    if (this.isWaiting) {
      this.isWaiting = false;
      this.button.textContent = "I hear it";
      this.run(this.context);
    } else this.presses?.push(this.context.currentTime);
  }

  stop() {
    this.context?.close();
    this.context = null;
  }

  async run(context) {
    await context.resume();
    while (context === this.context) {
      const next = this.engine.next(context.sampleRate);
      if (next.kind === "end") {
        this.finished(this.engine.result);
        this.dialog.close();
        return;
      }
      if (next.kind === "pause") {
        this.engine.resume();
        this.text.textContent = "Now the other ear. Take a rest, then go on.";
        this.button.textContent = "Continue";
        this.isWaiting = true;
        return;
      }
      this.text.textContent = `${next.toneCount} tones so far`;
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
