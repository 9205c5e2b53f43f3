// Checks invalid numbers and the comparison in the page. Returns the problems. SEED is a number.
(async () => {
  const { EngineFailure, Fitting, Renderer } = await import("./engine.js");
  const module = await WebAssembly.compile(await (await fetch("hearing.wasm")).arrayBuffer());
  const wrong = [];
  const expect = (condition, text) => { if (!condition) wrong.push(text); };
  const code = action => {
    try { action(); return 0; } catch (failure) { return failure instanceof EngineFailure ? failure.code : `${failure}`; }
  };
  const fitting = new Fitting(module), sampleRate = 48000;
  const point = (frequency, threshold) => ({ frequency, threshold });
  expect(fitting.standards.length === 10 && fitting.standards[9].name === "S3", "the standard audiograms are incomplete");
  for (const [expected, action] of [
    [-2, () => fitting.setAudiogram(2, [point(500, 20)])], [-5, () => fitting.setAudiogram(0, [point(NaN, 20)])],
    [-6, () => fitting.setAudiogram(0, [point(500, 131)])], [-6, () => fitting.setAudiogram(0, [point(500, NaN)])],
    [-7, () => fitting.setAudiogram(0, [point(500, 20), point(500, 30)])],
    [-4, () => fitting.setAudiogram(0, Array.from({ length: 20000 }, (_, index) => point(100 + index, 20)))],
    [-3, () => fitting.fittedRule], [-3, () => fitting.fit(99, 0)], [-3, () => fitting.fit(-2, 0)], [-3, () => fitting.fit(0, 2)],
    [-9, () => fitting.settings({ sampleRate: NaN })], [-9, () => fitting.settings({ sampleRate, intensity: 2 })],
    [-9, () => fitting.setFineTuning({ loudness: 1.1 })], [-9, () => fitting.setFineTuning({ crispness: NaN })],
    [-9, () => fitting.loss(NaN)], [-9, () => new Renderer(module, 48000, 0).simulate([NaN])],
    [-9, () => new Renderer(module, 48000, 0).simulate(new Array(20).fill(NaN))],
    [-9, () => fitting.gains(0, Infinity, 1, [1000])], [-9, () => fitting.gains(0, 65, 1, [0])],
    [-11, () => new Renderer(module, 1e9, 0)], [-11, () => new Renderer(module, NaN, 0)],
    [-11, () => new Renderer(module, 48000, 1)], [-12, () => fitting.call("hearing_levels")],
    [-12, () => fitting.call("hearing_process", 128)], [-1, () => fitting.call("hearing_apply", -1) ],
  ]) {
    const found = code(action);
    if (found !== expected && !(expected === -1 && found === -12)) wrong.push(`${action}: ${found} instead of ${expected}`);
  }
  fitting.setAudiogram(0, fitting.standards[2].points);
  fitting.setAudiogram(1, fitting.standards[2].points);
  fitting.fit(fitting.rules.indexOf("comfortable-speech"), 0);
  const renderer = new Renderer(module, sampleRate, 0.002);
  expect(renderer.latency === 96, `2 ms of look-ahead are ${renderer.latency} frames`);
  expect(code(() => renderer.call("hearing_process", 5000)) === -1, "a block that is too long is not refused");

  // The module must refuse or apply settings with randomly swapped numbers. It must never stop with
  // a trap (a fatal error).
  let state = SEED;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const valid = fitting.settings({ sampleRate }), odd = [NaN, Infinity, -1, 0, 1e300, 3.5, 128, 2 ** 53];
  let refused = 0;
  for (let round = 0; round < 3000; round++) {
    let numbers = valid.slice(0, random() < 0.2 ? Math.floor(random() * valid.length) : valid.length);
    for (let count = Math.floor(random() * 4); count >= 0; count--)
      numbers[Math.floor(random() * numbers.length)] = odd[Math.floor(random() * odd.length)];
    const result = code(() => renderer.apply(numbers));
    if (result !== 0) refused++;
    if (typeof result !== "number") { wrong.push(`seed SEED: ${result}`); break; }
    renderer.functions.hearing_process(128);
  }
  expect(refused > 1000, `only ${refused} of 3000 damaged settings were refused`);

  // Renders a tone of 1 kHz with processing on and off, at original and at equal loudness.
  fitting.fit(fitting.rules.indexOf("nal-r"), 0);
  const level = (isProcessed, isMatched) => {
    const fresh = new Renderer(module, sampleRate, 0.002);
    fresh.apply(fitting.settings({ sampleRate }));
    fresh.compare(isProcessed, isMatched);
    let power = 0, exact = true;
    const tone = frame => Math.fround(0.02 * Math.sin(2 * Math.PI * frame / 48));
    for (let block = 0; block < 2250; block++) {
      const input = Float32Array.from({ length: 128 }, (_, frame) => tone(128 * block + frame));
      const output = [new Float32Array(128), new Float32Array(128)];
      fresh.process([input], output);
      if (block < 1500) continue;
      output[1].forEach((sample, frame) => {
        power += sample * sample;
        exact &&= sample === tone(128 * block + frame - 96);
      });
    }
    return { decibels: 10 * Math.log10(power / 96000 / 2e-4), exact };
  };
  const gain = fitting.gains(0, 65, 1, [1000])[0];
  const near = (value, expected, text) => expect(Math.abs(value - expected) < 0.1, `${text}: ${value} dB instead of ${expected}`);
  near(level(true, false).decibels, gain, "processed, as it is");
  near(level(true, true).decibels, 0, "processed, at equal loudness");
  const off = level(false, false);
  near(off.decibels, 0, "unprocessed, as it is");
  near(level(false, true).decibels, 0, "unprocessed, at equal loudness");
  expect(off.exact, "the unprocessed sound is not the input, 96 frames later");

  // The simulated loss has the same threshold in all bands. The sound is a tone of 1 kHz at a level
  // in dB SPL.
  const simulated = (threshold, tone) => {
    const fresh = new Renderer(module, sampleRate, 0);
    fitting.setAudiogram(0, null);
    fitting.setAudiogram(1, null);
    fitting.fit(-1, 0);
    fresh.apply(fitting.settings({ sampleRate, fullScale: 100 }));
    fresh.simulate(new Array(2 * fresh.bandCount).fill(threshold));
    const samples = new Float32Array(48000);
    for (let block = 0; block < 1125; block++) {
      const input = Float32Array.from({ length: 128 }, (_, frame) => tone(128 * block + frame));
      const output = [new Float32Array(128), new Float32Array(128)];
      fresh.process([input], output);
      if (block >= 750) samples.set(output[1], 128 * (block - 750));
    }
    return samples;
  };
  const decibels = samples => 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  const tone = level => frame => 10 ** ((level - 100) / 20) * Math.SQRT2 * Math.sin(2 * Math.PI * frame / 48);
  const normal = simulated(0, tone(65));
  expect(normal.every((sample, frame) => Math.abs(sample - tone(65)(96000 - 512 + frame)) < 1e-5),
         "the simulation of normal hearing is not the input, 512 frames later");
  for (const [threshold, level] of [[30, 50], [30, 80], [50, 65], [50, 90], [70, 80]]) {
    // The range from the threshold to 105 dB HL is expanded to the range from 0 to 105 dB HL. At 1
    // kHz, 0 dB HL is 2.4 dB SPL.
    const expected = 107.4 - (107.4 - level) * 105 / (105 - threshold);
    const found = 100 + decibels(simulated(threshold, tone(level)));
    // Smearing spreads a tone by at most 2 dB, and a severe loss expands this by a factor of 3.
    if (Math.abs(found - expected) > (threshold > 60 ? 7 : 2.5))
      wrong.push(`with ${threshold} dB HL, ${level} dB SPL sound like ${found.toFixed(1)} instead of ${expected.toFixed(1)}`);
  }
  // The noise from 2 to 6 kHz has a gap from 3.5 to 4.5 kHz. Broader filters fill this gap.
  const components = Array.from({ length: 120 }, (_, index) => [2000 + 12.5 * index + (index < 60 ? 0 : 1750), 6.28 * random()]);
  const sines = Float32Array.from({ length: 144000 }, (_, frame) =>
    components.reduce((sum, [frequency, phase]) => sum + 0.015 * Math.sin(2 * Math.PI * frequency * frame / 48000 + phase), 0));
  const gap = threshold => {
    const samples = simulated(threshold, frame => sines[frame]);
    const power = from => {
      let sum = 0;
      for (let frequency = from; frequency < from + 600; frequency += 5) {
        let [cosine, sine] = [0, 0];
        for (let frame = 0; frame < 9600; frame++) {
          const window = 1 - Math.cos(2 * Math.PI * frame / 9600);
          cosine += window * samples[frame] * Math.cos(2 * Math.PI * frequency * frame / 48000);
          sine += window * samples[frame] * Math.sin(2 * Math.PI * frequency * frame / 48000);
        }
        sum += cosine * cosine + sine * sine;
      }
      return sum;
    };
    return 10 * Math.log10(power(3700) / power(2100));
  };
  const [narrow, broad] = [gap(0), gap(75)];
  expect(narrow < -60 && broad > -30, `smearing fills a gap of ${narrow.toFixed(0)} to ${broad.toFixed(0)} dB`);

  // In this hearing test, the listener hears every tone at or above the thresholds of N3, and no
  // softer tone.
  const { TestEngine, loadTest, warnings } = await import("./hearing-test.js");
  const test = new TestEngine(await loadTest());
  expect(code(() => test.next()) === -12, "a test that was not started goes on");
  expect(code(() => test.call("hearing_test", NaN, sampleRate, 1)) === -9, "a test without a level starts");
  test.start(sampleRate, SEED);
  const thresholds = { 250: 35, 500: 35, 1000: 40, 2000: 50, 3000: 55, 4000: 60, 6000: 65, 8000: 60 };
  let tones = 0, peak = 0;
  for (let step = test.next(); step.kind !== "end"; step = test.next()) {
    if (step.kind === "pause") { test.resume(); continue; }
    if (++tones > 400) break;
    const sound = test.sound(step.count);
    const loudest = sound[step.ear].reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const isSilent = loudest === 0;
    peak = Math.max(peak, loudest);
    if (tones === 1 && !isSilent) {
      // With these headphones at 1 kHz, 0 dB HL is 5.5 dB SPL, and a sine of amplitude 1 has 97 dB
      // SPL.
      expect(step.frequency !== 1000 || Math.abs(20 * Math.log10(loudest) - (step.level + 5.5 - 97)) < 0.5,
             `a tone of ${step.level} dB HL has the peak ${loudest}`);
      expect(sound[1 - step.ear].every(sample => sample === 0), "the first tone is in both ears");
    }
    test.answer(!isSilent && step.level >= thresholds[step.frequency], false, 0.5);
  }
  expect(tones > 20 && tones <= 400, `the test needs ${tones} tones`);
  expect(peak < 1, `a tone reaches ${peak}`);
  expect(test.concerns.length === 0, `a reliable test has the concerns ${test.concerns}`);
  const { left, right } = test.result;
  for (const [name, ear] of [["left", left], ["right", right]]) {
    expect(ear?.length === 8, `the test has ${ear?.length} thresholds of the ${name} ear`);
    for (const { frequency, threshold } of ear ?? [])
      expect(Math.abs(threshold - thresholds[frequency]) <= 8, `${name}: ${threshold} dB HL at ${frequency} Hz`);
  }

  // At a device rate of 16 kHz, the test has no tone at 8 kHz.
  test.start(16000, SEED);
  for (let step = test.next(); step.kind !== "end"; step = test.next())
    if (step.kind === "pause") test.resume();
    else test.answer(step.level >= thresholds[step.frequency], false, 0.5);
  const highest = ["left", "right"].map(ear => test.result[ear]?.at(-1).frequency);
  expect(highest.join() === "6000,6000", `at 16 kHz, the highest frequencies of the test are ${highest}`);
  expect(code(() => test.start(NaN, SEED)) === -9, "a test without a sample rate starts");

  // Another listener never presses the button.
  test.start(sampleRate, SEED);
  for (let step = test.next(); step.kind !== "end"; step = test.next())
    if (step.kind === "pause") test.resume();
    else test.answer(false, false, 0);
  expect(test.concerns.join() === "no-responses", `without a press: ${test.concerns}`);
  const doubts = warnings(test.result, []);
  expect(doubts.length === 2 && doubts[0].startsWith("Right ear: no response") && doubts[1].startsWith("Left ear"),
         `two ears without a response: ${doubts}`);
  return wrong;
})()
