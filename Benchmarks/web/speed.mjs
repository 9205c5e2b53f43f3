// Measures the signal path of hearing.wasm in node: nanoseconds per stereo frame at 48 kHz in
// blocks of 128 frames. Each value is the minimum of many runs over one second of noise.
//
//     Examples/hearing-web/build && node Benchmarks/web/speed.mjs [FOLDER]

import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const folder = path.resolve(process.argv[2] ?? path.join(root, ".build", "web"));
const wasm = path.join(folder, "hearing.wasm");
const { Fitting, Renderer } = await import(pathToFileURL(path.join(folder, "engine.js")));
const module = new WebAssembly.Module(readFileSync(wasm));
const sampleRate = 48000, frames = 128, blocks = 375, runs = 60;

const fitting = new Fitting(module);
const n3 = fitting.standards.find(standard => standard.name === "N3").points;
fitting.setAudiogram(0, n3);
fitting.setAudiogram(1, n3);

function renderer(rule) {
  fitting.fit(fitting.rules.indexOf(rule), 0);
  const renderer = new Renderer(module, sampleRate, 0);
  renderer.apply(fitting.settings({ sampleRate }));
  renderer.view();
  return renderer;
}

// Measures the processor alone, and the function that the page's worklet calls. The times include
// copying the input.
function measure(renderer) {
  const { hearing_process, hearing_processor } = renderer.functions;
  const noise = [0, 1].map(() => Float32Array.from({ length: frames }, () => 0.1 * (Math.random() - 0.5)));
  const result = {};
  for (const [name, call] of [["processor", hearing_processor], ["page", hearing_process]]) {
    let best = Infinity;
    for (let run = 0; run < runs; run++) {
      const begin = process.hrtime.bigint();
      for (let block = 0; block < blocks; block++) {
        renderer.rows.forEach((row, channel) => row.set(noise[channel]));
        call(frames);
      }
      const time = Number(process.hrtime.bigint() - begin);
      best = Math.min(best, time / (blocks * frames));
    }
    result[name] = best;
  }
  return result;
}

for (const [name, rule] of [["linear (NAL-R)", "nal-r"], ["level-dependent (comfortable speech)", "comfortable-speech"]]) {
  const { processor, page } = measure(renderer(rule));
  console.log(`${name}: ${processor.toFixed(1)} ns, with meters and comparison ${page.toFixed(1)} ns a stereo frame`);
}
