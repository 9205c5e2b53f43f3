// This script runs before the page's scripts. `heard()` measures the last 0.7 s of the output of
// the page's audio context. It returns {level, frequency} for the left channel and for the right
// channel. The level is in dB relative to an RMS of 1.0. The frequency in Hz is measured from the
// first to the last upward zero crossing. `contexts` contains all audio contexts of the page. With
// `?rate=16000` in the URL, the audio contexts behave as if the output device had this sample rate.
const rate = Number(new URLSearchParams(location.search).get("rate"));
window.contexts = [];
window.AudioContext = class extends AudioContext {
  constructor(options) {
    super(rate ? { ...options, sampleRate: rate } : options);
    window.contexts.push(this);
  }
};
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (target, ...more) {
  const result = connect.call(this, target, ...more);
  if (this.context instanceof AudioContext && target === this.context.destination) {
    const splitter = new ChannelSplitterNode(this.context, { numberOfOutputs: 2 });
    connect.call(this, splitter);
    const analysers = [0, 1].map(channel => {
      const analyser = new AnalyserNode(this.context, { fftSize: 32768 });
      connect.call(splitter, analyser, channel);
      return analyser;
    });
    window.heard = () => analysers.map(analyser => {
      const samples = new Float32Array(analyser.fftSize);
      if (this.context.state === "running") analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const crossings = [];
      for (let frame = 1; frame < samples.length; frame++) {
        const [before, after] = [samples[frame - 1], samples[frame]];
        if (before < 0 && after >= 0) crossings.push(frame - after / (after - before));
      }
      const periods = (crossings.length - 1) / (crossings.at(-1) - crossings[0]);
      return { level: 10 * Math.log10(power + 1e-20), frequency: periods * this.context.sampleRate || 0 };
    });
  }
  return result;
};
