// Plays a source through the worklet.

import { activeLevel, music, noise, speech } from "./sources.js";

const fullScale = 100; // dB SPL of RMS 1.0, as in the settings
const fade = 0.02; // seconds
const lookAhead = 0.002; // of the limiter, in seconds
const simulationLatency = 512; // frames

/// `events` has the functions `levels(channels)`, `audible(seconds)`, `ended()` and
/// `failed(message)`.
export class Player {
  constructor(module, events) {
    this.module = module;
    this.events = events;
    this.sources = new Map();
    this.settings = null;
    this.compare = [true, false];
    this.loss = null;
    this.level = 65;
    // Decodes and generates sound before a click has permitted an audio context to play.
    this.workshop = new OfflineAudioContext(2, 1, 48000);
    this.request = 0;
  }

  /// Prepares a source, so that it starts immediately: "speech", "noise" or "music".
  prepare(name) {
    if (!this.sources.has(name)) {
      const make = { speech, noise: async context => noise(context), music: async context => music(context) }[name];
      const made = make(this.workshop).then(buffer => ({ buffer, level: activeLevel(buffer) }));
      this.sources.set(name, made);
      // Try again at the next call after a failure.
      made.catch(() => this.sources.delete(name));
    }
    return this.sources.get(name);
  }

  /// Prepares a file of the listener as the source "file".
  async open(file) {
    let buffer;
    try {
      buffer = await this.workshop.decodeAudioData(await file.arrayBuffer());
    } catch {
      throw new Error(`The browser cannot read ${file.name} as sound.`);
    }
    this.sources.set("file", Promise.resolve({ buffer, level: activeLevel(buffer) }));
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
    if (!this.context) {
      this.context = new AudioContext({ latencyHint: "interactive" });
      this.ready = this.startWorklet();
    }
    let input;
    try {
      [input] = await Promise.all([this.makeInput(name), this.ready, this.context.resume()]);
    } catch (error) {
      if (request !== this.request) return false;
      throw error;
    }
    if (request !== this.request) {
      input.stream?.getTracks().forEach(track => track.stop());
      return false;
    }
    this.endInput();
    this.input = input;
    this.volume = new GainNode(this.context, { gain: this.factor(input) });
    input.node.connect(this.volume).connect(this.worklet);
    this.worklet.port.postMessage({ reportsLevels: true });
    input.node.start?.();
    return true;
  }

  /// A node that plays the source, and its level.
  async makeInput(name) {
    if (name === "microphone") {
      const constraints = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
      const stream = await navigator.mediaDevices.getUserMedia({ audio: constraints });
      return { node: this.context.createMediaStreamSource(stream), stream };
    }
    const { buffer, level } = await this.prepare(name);
    return { node: new AudioBufferSourceNode(this.context, { buffer, loop: true }), level };
  }

  /// The factor that scales a source to the chosen level; 1 for a microphone.
  factor(input) {
    if (input.stream || !Number.isFinite(input.level)) return 1;
    return Math.min(10, 10 ** ((this.level - fullScale - input.level) / 20));
  }

  makeWorklet(context, settings) {
    const { module, compare, loss } = this;
    return new AudioWorkletNode(context, "hearing", {
      numberOfInputs: 1, numberOfOutputs: 1, outputChannelCount: [2], channelCount: 2, channelCountMode: "explicit",
      processorOptions: { module, settings, compare, loss, lookAhead },
    });
  }

  /// The processed samples of both channels of a source at 48 kHz, with settings for that rate.
  async render(name, settings) {
    const { buffer, level } = await this.prepare(name);
    const latency = Math.round(lookAhead * 48000) + (this.loss ? simulationLatency : 0);
    const context = new OfflineAudioContext(2, Math.ceil(buffer.duration * 48000) + latency, 48000);
    await context.audioWorklet.addModule("worklet.js");
    const source = new AudioBufferSourceNode(context, { buffer });
    const volume = new GainNode(context, { gain: this.factor({ level }) });
    source.connect(volume).connect(this.makeWorklet(context, settings)).connect(context.destination);
    source.start();
    const rendered = await context.startRendering();
    return [0, 1].map(channel => rendered.getChannelData(channel).subarray(latency));
  }

  async startWorklet() {
    await this.context.audioWorklet.addModule("worklet.js");
    this.worklet = this.makeWorklet(this.context, this.settings);
    this.worklet.port.onmessage = ({ data }) => {
      if (data.failure) this.events.failed(data.failure);
      if (data.levels && this.isPlaying) this.events.levels(data.levels);
      if (data.isAudible) this.events.audible((performance.now() - this.begin) / 1000);
    };
    this.worklet.onprocessorerror = () => this.events.failed("The audio worklet has stopped.");
    this.worklet.connect(this.context.destination);
  }

  /// Sends settings of `Fitting.settings` to the processor.
  apply(settings) {
    this.settings = settings;
    this.worklet?.port.postMessage({ settings });
  }

  /// Selects the processed or the unprocessed sound, at equal or at original loudness.
  setComparison(isProcessed, matchesLoudness) {
    this.compare = [isProcessed, matchesLoudness];
    this.worklet?.port.postMessage({ compare: this.compare });
  }

  /// Simulates the hearing loss of `Fitting.loss`; null: none.
  setLoss(loss) {
    this.loss = loss;
    this.worklet?.port.postMessage({ loss });
  }

  /// Changes the level of the source to `level` dB SPL.
  setLevel(level) {
    this.level = level;
    if (this.isPlaying) this.volume.gain.setTargetAtTime(this.factor(this.input), this.context.currentTime, fade);
  }

  /// The number of dropouts because a block was late; undefined if unknown.
  get underruns() {
    return this.context?.playbackStats?.underrunEvents;
  }

  stop() {
    this.request++;
    this.endInput();
    this.worklet?.port.postMessage({ reportsLevels: false });
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
