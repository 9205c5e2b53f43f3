// The JavaScript interface of hearing.wasm, for the page, the audio worklet and tests in Node.js.
// This file uses no browser functions except WebAssembly.

const failures = {
  [-1]: "the list is too long",
  [-2]: "there is no such ear",
  [-3]: "there is no such rule, program or audiogram",
  [-4]: "an audiogram has at most 10000 points",
  [-5]: "a frequency must be 100 to 20000 Hz",
  [-6]: "a threshold must be -20 to 130 dB HL",
  [-7]: "a frequency occurs twice",
  [-8]: "no preset can be made from these audiograms",
  [-9]: "a number is out of range",
  [-10]: "the settings are damaged",
  [-11]: "the processor does not support these settings or this sample rate",
  [-12]: "the processor or the test is not started",
};

/// A failed call; `code` is the raw value of WebFailure in Swift.
export class EngineFailure extends Error {
  constructor(code) {
    super(failures[code] ?? `failure ${code}`);
    this.code = code;
  }
}

// The complementary error function: a series for small numbers, otherwise a continued fraction.
const erfc = x => {
  const a = Math.abs(x);
  let value;
  if (a < 2.5) {
    let term = a, sum = a;
    for (let n = 1; n < 60; n++) sum += (term *= -a * a / n) / (2 * n + 1);
    value = 1 - (2 / Math.sqrt(Math.PI)) * sum;
  } else {
    let fraction = 0;
    for (let n = 60; n > 0; n--) fraction = n / 2 / (a + fraction);
    value = Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + fraction);
  }
  return x < 0 ? 2 - value : value;
};
// Rounds halves away from zero, as `round` in C.
const round = x => (x < 0 ? -Math.round(-x) : Math.round(x));
const mathematics = {
  atan: Math.atan, cos: Math.cos, erfc, exp: Math.exp, exp2: x => 2 ** x, log: Math.log, log10: Math.log10, log2: Math.log2,
  pow: Math.pow, round, sin: Math.sin, tan: Math.tan,
};

/// One instance of the Swift code with its own memory.
export class Engine {
  /// `module` is the compiled WebAssembly.Module.
  constructor(module) {
    const instance = new WebAssembly.Instance(module, { env: mathematics });
    this.functions = instance.exports;
    this.address = this.functions.hearing_exchange();
    this.capacity = this.functions.hearing_exchange_capacity();
    this.refresh();
  }

  /// Replaces the view of the exchange memory if the WebAssembly memory has grown, because the
  /// growth makes the old view invalid.
  refresh() {
    const { buffer } = this.functions.memory;
    if (this.exchange?.buffer !== buffer) this.exchange = new Float64Array(buffer, this.address, this.capacity);
  }

  /// Calls an exported function and returns its result. Throws an EngineFailure if the function
  /// fails.
  call(name, ...values) {
    const result = this.functions[name](...values);
    this.refresh();
    if (result < 0) throw new EngineFailure(result);
    return result;
  }

  write(numbers) {
    if (numbers.length > this.capacity) throw new EngineFailure(-1);
    this.exchange.set(numbers);
    return numbers.length;
  }

  read(count) {
    return this.exchange.slice(0, count);
  }

  text(name, number) {
    const count = this.call(name, number);
    return String.fromCharCode(...new Uint8Array(this.exchange.buffer, this.address, count));
  }
}

/// The functions for audiograms, prescription rules and presets. The page uses them.
export class Fitting extends Engine {
  /// The standard audiograms as `{name, points}`.
  get standards() {
    return this.all("hearing_standard_name").map((name, number) => {
      const count = this.call("hearing_standard", number);
      return { name, points: pairs(this.read(2 * count)) };
    });
  }

  /// The names of all prescription rules.
  get rules() {
    return this.all("hearing_rule_name");
  }

  all(name) {
    const names = [];
    for (;;) {
      try {
        names.push(this.text(name, names.length));
      } catch (failure) {
        if (failure.code !== -3) throw failure;
        return names;
      }
    }
  }

  /// Replaces the audiogram of an ear (0: left, 1: right) by points. Each point is
  /// `{frequency, threshold, isNoResponse}`. If `points` is null, the ear is unknown.
  setAudiogram(ear, points) {
    const numbers = (points ?? []).flatMap(point => [point.frequency, point.threshold, point.isNoResponse ? 1 : 0]);
    if (numbers.length > this.capacity) throw new EngineFailure(-4);
    this.write(numbers);
    this.call("hearing_audiogram", ear, numbers.length / 3);
  }

  /// Computes the preset. `rule` is an index of `rules`, or −1 for the default rule. `program` is 0
  /// for speech or 1 for music.
  fit(rule, program) {
    this.call("hearing_fit", rule, program);
  }

  /// The name of the rule with which the last preset was computed.
  get fittedRule() {
    return this.text("hearing_fitted_rule");
  }

  /// Changes the fine tuning of the next presets. All values are within −1…1.
  setFineTuning({ loudness = 0, brightness = 0, crispness = 0 }) {
    this.call("hearing_fine_tuning", loudness, brightness, crispness);
  }

  /// The hearing loss for `Renderer.simulate`: the thresholds in dB HL in all bands of both ears.
  loss(sampleRate) {
    return this.read(this.call("hearing_loss", sampleRate));
  }

  /// The settings that a `Renderer` applies.
  settings({ sampleRate, intensity = 1, fullScale = 100, isOpen = false }) {
    return this.read(this.call("hearing_settings", sampleRate, intensity, fullScale, isOpen ? 1 : 0));
  }

  /// The gains in dB of an ear at `frequencies` in Hz. `level` is the input level in dB SPL in the
  /// band around each frequency.
  gains(ear, level, intensity, frequencies) {
    return this.read(this.call("hearing_gains", ear, level, intensity, this.write(frequencies)));
  }

  /// The centres of the processor's bands in Hz.
  centers(sampleRate) {
    return [...this.read(this.call("hearing_centers", sampleRate))];
  }
}

/// The functions that process sound. The audio worklet uses them.
export class Renderer extends Engine {
  constructor(module, sampleRate, lookAhead) {
    super(module);
    this.latency = this.call("hearing_start", sampleRate, lookAhead);
    this.blockCapacity = this.functions.hearing_samples_capacity();
    this.bandCount = this.call("hearing_centers", sampleRate);
    this.view();
  }

  view() {
    const { buffer } = this.functions.memory;
    this.rows = [0, 1].map(
      channel => new Float32Array(buffer, this.functions.hearing_samples(channel), this.blockCapacity));
  }

  apply(settings) {
    this.call("hearing_apply", this.write(settings));
  }

  compare(isProcessed, matchesLoudness) {
    this.call("hearing_compare", isProcessed ? 1 : 0, matchesLoudness ? 1 : 0);
  }

  /// Simulates the hearing loss that `Fitting.loss` returned. If `loss` is null, simulates no loss.
  simulate(loss) {
    this.call("hearing_simulate", this.write(loss ?? []));
  }

  /// Processes two channels of at most `blockCapacity` frames from `input` to `output`. A missing
  /// input is silence, and a single channel is used for both ears.
  process(input, output) {
    if (this.rows[0].buffer !== this.functions.memory.buffer) this.view();
    const [left, right] = this.rows;
    const frameCount = output[0].length;
    const first = input[0], second = input[1] ?? input[0];
    if (first) {
      left.set(first);
      right.set(second);
    } else {
      left.fill(0, 0, frameCount);
      right.fill(0, 0, frameCount);
    }
    this.functions.hearing_process(frameCount);
    for (let frame = 0; frame < frameCount; frame++) output[0][frame] = left[frame];
    if (output[1]) for (let frame = 0; frame < frameCount; frame++) output[1][frame] = right[frame];
  }

  /// The input level in dB SPL and the gain in dB of every band, for both channels.
  get levels() {
    const numbers = this.read(this.call("hearing_levels"));
    const size = numbers.length / 2, bands = this.bandCount;
    return [0, 1].map(channel => {
      const own = numbers.subarray(channel * size, (channel + 1) * size);
      return { levels: own.slice(0, bands), gains: own.slice(bands) };
    });
  }
}

function pairs(numbers) {
  const points = [];
  for (let index = 0; index < numbers.length; index += 2)
    points.push({ frequency: numbers[index], threshold: numbers[index + 1] });
  return points;
}
