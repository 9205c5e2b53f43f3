// Renders the recording with the page's worklet and measures the time. RULE and PROGRAM are text.
(async () => {
  const { Fitting } = await import("./engine.js");
  const module = await WebAssembly.compile(await (await fetch("hearing.wasm")).arrayBuffer());
  const fitting = new Fitting(module);
  const points = fitting.standards.find(standard => standard.name === "N3").points;
  fitting.setAudiogram(0, points);
  fitting.setAudiogram(1, points);
  fitting.fit(fitting.rules.indexOf(RULE), PROGRAM === "music" ? 1 : 0);
  const settings = fitting.settings({ sampleRate: 48000, fullScale: 100, isOpen: true });
  // Reads the 16-bit samples of the recording without a decoder.
  const integers = new Int16Array(await (await fetch("speech.wav")).arrayBuffer(), 44);
  const samples = Float32Array.from(integers, value => value / 32768);
  const context = new OfflineAudioContext(2, samples.length, 48000);
  await context.audioWorklet.addModule("worklet.js");
  const buffer = new AudioBuffer({ length: samples.length, sampleRate: 48000, numberOfChannels: 1 });
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  const node = new AudioWorkletNode(context, "hearing", { outputChannelCount: [2], channelCount: 2,
    channelCountMode: "explicit", processorOptions: { module, settings, lookAhead: 0.002 } });
  source.connect(node).connect(context.destination);
  source.start();
  const begin = performance.now();
  const rendered = await context.startRendering();
  const elapsed = performance.now() - begin;
  const text = channel => {
    const bytes = new Uint8Array(rendered.getChannelData(channel).buffer);
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
  };
  return { elapsed, left: text(0), right: text(1) };
})()
