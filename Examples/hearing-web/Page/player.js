// Plays a sound source through the audio worklet.

import { activeLevel, decoded, music, noise, peakOf, speech } from "./sources.js";

const fullScale = 100; // dB SPL of RMS 1.0, as in the settings
const fade = 0.02; // seconds
const lookAhead = 0.002; // of the limiter, in seconds
const simulationLatency = 512; // frames
const startLimit = 10_000; // milliseconds

/// Resumes an audio context. Fails after `startLimit`, because some browsers never resume a context
/// if there is no output device.
export function resume(context) {
  return new Promise((done, fail) => {
    setTimeout(() => fail(new Error("The browser starts no sound. Is a headphone or a loudspeaker connected?")), startLimit);
    context.resume().then(done, fail);
  });
}

/// Adds the worklet to an audio context.
async function addWorklet(context) {
  if (!isSecureContext) throw new Error("Browsers process sound only on localhost or over HTTPS.");
  await context.audioWorklet.addModule("worklet.js");
}

/// A buffer, its level in dB relative to an RMS of 1.0, and the level in dB SPL at which the peaks
/// of the buffer reach full scale.
function measured(buffer) {
  const level = activeLevel(buffer);
  return { buffer, level, highestLevel: fullScale + level - 20 * Math.log10(peakOf(buffer)) };
}

/// Plays sound sources. The audio context exists from `play` to `stop`.
///
/// `events` contains functions that the player calls: `opened()` for a new audio context,
/// `levels(channels)` for new levels, `audible(seconds)` for the first sound, and `failed(message)`
/// if the sound cannot continue.
export class Player {
  constructor(module, events) {
    this.module = module;
    this.events = events;
    this.sources = new Map();
    this.settings = null;
    this.compare = [true, false];
    this.loss = null;
    this.level = 65;
    // This context decodes and generates sound before the first click. A context that plays sound
    // needs a click.
    this.workshop = new OfflineAudioContext(2, 1, 48000);
    this.request = 0;
  }

  /// Prepares a source, so that it starts immediately: "speech", "noise" or "music".
  prepare(name) {
    if (!this.sources.has(name)) {
      const make = { speech, noise: async context => noise(context), music: async context => music(context) }[name];
      const made = make(this.workshop).then(measured);
      this.sources.set(name, made);
      // After a failure, the next call tries again.
      made.catch(() => this.sources.delete(name));
    }
    return this.sources.get(name);
  }

  /// Prepares a file of the listener as the source "file".
  async open(file) {
    let buffer;
    try {
      buffer = await decoded(this.workshop, await file.arrayBuffer());
    } catch {
      throw new Error(`The browser cannot read ${file.name} as sound.`);
    }
    this.sources.set("file", Promise.resolve(measured(buffer)));
  }

  get isPlaying() {
    return this.input !== undefined;
  }

  /// The sample rate of the sound in Hz.
  get sampleRate() {
    return this.context?.sampleRate ?? 48000;
  }

  /// Stops the current source and plays another one. Call it from a click.
  ///
  /// Returns whether the source plays; false if `play` or `stop` was called again in the meantime.
  async play(name) {
    const request = ++this.request;
    this.begin = performance.now();
    if (!this.context) this.ready = this.openContext();
    let input;
    try {
      [input] = await Promise.all([this.findInput(name), this.ready]);
    } catch (error) {
      if (request !== this.request) return false;
      throw error;
    }
    if (request !== this.request) {
      input.stream?.getTracks().forEach(track => track.stop());
      return false;
    }
    this.endInput();
    const { stream, buffer } = input;
    const node = stream
      ? this.context.createMediaStreamSource(stream)
      : new AudioBufferSourceNode(this.context, { buffer, loop: true });
    this.input = { ...input, node };
    this.volume = new GainNode(this.context, { gain: this.factor(input) });
    node.connect(this.volume).connect(this.worklet);
    node.start?.();
    return true;
  }

  /// Returns the stream of the microphone, or the buffer and the level of another source.
  async findInput(name) {
    if (name !== "microphone") return this.prepare(name);
    const constraints = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    await this.ready;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: constraints });
    for (const track of stream.getTracks()) track.onended = () => this.events.failed("The microphone has been switched off.");
    return { stream };
  }

  /// The factor that scales a source to the chosen level, or to the highest level at which its
  /// peaks do not exceed full scale. The factor is 1 for a microphone or silence.
  factor({ level, highestLevel }) {
    return Number.isFinite(level) ? 10 ** ((Math.min(this.level, highestLevel) - fullScale - level) / 20) : 1;
  }

  makeWorklet(context, options) {
    const { module, compare } = this;
    return new AudioWorkletNode(context, "hearing", {
      numberOfInputs: 1, numberOfOutputs: 1, outputChannelCount: [2], channelCount: 2, channelCountMode: "explicit",
      processorOptions: { module, compare, lookAhead, ...options },
    });
  }

  /// Renders a source at 48 kHz, and returns the processed samples of both channels. `settings` and
  /// `loss` must be computed for 48 kHz.
  async render(name, settings, loss) {
    const input = await this.prepare(name), { buffer } = input;
    const latency = Math.round(lookAhead * 48000) + (loss ? simulationLatency : 0);
    const context = new OfflineAudioContext(2, Math.ceil(buffer.duration * 48000) + latency, 48000);
    await addWorklet(context);
    const worklet = this.makeWorklet(context, { settings, loss });
    const failed = new Promise((_, fail) => (worklet.port.onmessage = ({ data }) => fail(new Error(data.failure))));
    const source = new AudioBufferSourceNode(context, { buffer });
    const volume = new GainNode(context, { gain: this.factor(input) });
    source.connect(volume).connect(worklet).connect(context.destination);
    source.start();
    const rendered = await Promise.race([context.startRendering(), failed]);
    return [0, 1].map(channel => rendered.getChannelData(channel).subarray(latency));
  }

  async openContext() {
    const context = new AudioContext({ latencyHint: "interactive" });
    this.context = context;
    this.events.opened();
    await Promise.all([addWorklet(context), resume(context)]);
    if (context !== this.context) return;
    const failed = message => context === this.context && this.events.failed(message);
    context.onstatechange = () => context.state !== "running" && failed("The system has interrupted the sound.");
    this.worklet = this.makeWorklet(context, { settings: this.settings, loss: this.loss, reportsLevels: true });
    this.worklet.port.onmessage = ({ data }) => {
      if (data.failure) failed(data.failure);
      if (data.levels && this.isPlaying) this.events.levels(data.levels);
      if (data.isAudible) this.events.audible((performance.now() - this.begin) / 1000);
    };
    this.worklet.onprocessorerror = () => failed("The audio worklet has stopped.");
    this.worklet.connect(context.destination);
  }

  /// Sends settings and a hearing loss to the worklet. `Fitting.settings` returns the settings, and
  /// `Fitting.loss` returns the loss. Without a loss, `loss` is null.
  apply(settings, loss) {
    this.settings = settings;
    this.loss = loss;
    this.worklet?.port.postMessage({ settings, loss });
  }

  /// Selects the processed or the unprocessed sound, at equal or at original loudness.
  setComparison(isProcessed, matchesLoudness) {
    this.compare = [isProcessed, matchesLoudness];
    this.worklet?.port.postMessage({ compare: this.compare });
  }

  /// Changes the level of the source to `level` dB SPL.
  setLevel(level) {
    this.level = level;
    if (this.isPlaying) this.volume.gain.setTargetAtTime(this.factor(this.input), this.context.currentTime, fade);
  }

  /// The number of interruptions of the sound because samples were computed too late; undefined if
  /// the browser does not count them.
  get underruns() {
    return this.context?.playbackStats?.underrunEvents;
  }

  stop() {
    this.request++;
    this.endInput();
    const { context } = this;
    this.context = this.worklet = undefined;
    // The context is closed after the fade.
    if (context) setTimeout(() => context.state !== "closed" && context.close(), 5000 * fade);
  }

  endInput() {
    if (!this.input) return;
    const { input, volume } = this;
    this.input = undefined;
    volume.gain.setTargetAtTime(0, this.context.currentTime, fade / 4);
    setTimeout(() => {
      input.node.stop?.();
      input.node.disconnect();
      volume.disconnect();
      input.stream?.getTracks().forEach(track => track.stop());
    }, 4000 * fade);
  }
}
