// The audio worklet: processes sound with the Swift code, 128 frames at a time.
//
// Messages to the worklet: {settings}, {compare: [isProcessed, matchesLoudness]}, {loss}.
// Messages from the worklet: {failure}. With the option reportsLevels, also {levels} several times
// per second, and {isAudible: true} once.

import { Renderer } from "./engine.js";

const reportInterval = 0.04; // seconds

class HearingProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.renderer = new Renderer(processorOptions.module, sampleRate, processorOptions.lookAhead ?? 0);
    this.nextReport = 0;
    this.isAudible = false;
    this.reportsLevels = processorOptions.reportsLevels;
    this.receive(processorOptions);
    this.port.onmessage = event => this.receive(event.data);
  }

  receive({ settings, compare, loss }) {
    try {
      if (settings) this.renderer.apply(settings);
      if (compare) this.renderer.compare(...compare);
      if (loss !== undefined) this.renderer.simulate(loss);
    } catch (failure) {
      this.port.postMessage({ failure: failure.message });
    }
  }

  process([input], [output]) {
    this.renderer.process(input, output);
    if (this.reportsLevels && currentTime >= this.nextReport) {
      this.nextReport = currentTime + reportInterval;
      this.port.postMessage({ levels: this.renderer.levels });
    }
    if (this.reportsLevels && !this.isAudible && output[0].some(sample => Math.abs(sample) > 1e-4)) {
      this.isAudible = true;
      this.port.postMessage({ isAudible: true });
    }
    return true;
  }
}

registerProcessor("hearing", HearingProcessor);
