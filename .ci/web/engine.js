// Wrong numbers and the comparison, in the page: the value is a list of what is wrong. SEED is a number.
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
    [-3, () => fitting.fit(99, 0)], [-3, () => fitting.fit(-2, 0)], [-3, () => fitting.fit(0, 2)],
    [-9, () => fitting.settings({ sampleRate: NaN })], [-9, () => fitting.settings({ sampleRate, intensity: 2 })],
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

  // Settings with numbers exchanged at random are refused or applied; the module never traps.
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

  // A tone of 1 kHz: on and off, as they are and at equal loudness.
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
  return wrong;
})()
