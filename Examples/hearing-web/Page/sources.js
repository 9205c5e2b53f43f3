// The sound sources: generated noise and music, a recording, a file, the microphone.

/// The mean level of a buffer without its pauses, in dB relative to an RMS of 1.0.
///
/// Blocks of 50 ms count as pauses if they are more than 15.9 dB softer than the mean of all
/// blocks.
export function activeLevel(buffer) {
  const size = Math.round(0.05 * buffer.sampleRate);
  const powers = [];
  for (let start = 0; start + size <= buffer.length; start += size) {
    let sum = 0;
    for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
      const samples = buffer.getChannelData(channel);
      for (let frame = start; frame < start + size; frame++) sum += samples[frame] * samples[frame];
    }
    powers.push(sum / (size * buffer.numberOfChannels));
  }
  const mean = list => list.reduce((sum, power) => sum + power, 0) / list.length;
  const all = powers.length ? mean(powers) : 0;
  if (!(all > 0)) return -Infinity;
  const active = powers.filter(power => power > all * 10 ** -1.59);
  return 10 * Math.log10(mean(active));
}

/// The maximum magnitude of the samples of a buffer.
export function peakOf(buffer) {
  let peak = 0;
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let frame = 0; frame < samples.length; frame++) peak = Math.max(peak, Math.abs(samples[frame]));
  }
  return peak;
}

/// The sound of a file in one or two channels. Samples that are not finite are replaced by zeros.
export async function decoded(context, data) {
  let buffer = await context.decodeAudioData(data);
  if (buffer.numberOfChannels > 2) {
    // Browsers mix several channels to two channels while they play a sound. Therefore the sound is
    // played into a new buffer.
    const mixer = new OfflineAudioContext(2, buffer.length, buffer.sampleRate);
    const source = new AudioBufferSourceNode(mixer, { buffer });
    source.connect(mixer.destination);
    source.start();
    buffer = await mixer.startRendering();
  }
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let frame = 0; frame < samples.length; frame++) if (!Number.isFinite(samples[frame])) samples[frame] = 0;
  }
  return buffer;
}

/// The recording of speech in the package.
export async function speech(context) {
  const response = await fetch("speech.wav");
  if (!response.ok) throw new Error("The recording of speech is missing.");
  return context.decodeAudioData(await response.arrayBuffer());
}

/// Six seconds of noise with a spectrum like speech, independent for each ear.
export function noise(context) {
  const rate = context.sampleRate, length = 6 * rate, fade = Math.round(0.1 * rate);
  const buffer = context.createBuffer(2, length, rate);
  const random = generator(1);
  // Two first-order low-passes and a high-pass. The spectrum is flat up to 500 Hz and falls by
  // about 9 dB per octave above.
  const pole = frequency => Math.exp((-2 * Math.PI * frequency) / rate);
  const [low, middle, high] = [pole(100), pole(500), pole(4000)];
  for (let channel = 0; channel < 2; channel++) {
    const samples = new Float32Array(length + fade);
    let first = 0, second = 0, slow = 0;
    for (let frame = -rate / 10; frame < samples.length; frame++) {
      const white = 2 * random() - 1;
      first = middle * first + (1 - middle) * white;
      second = high * second + (1 - high) * (first + 0.04 * white);
      slow = low * slow + (1 - low) * second;
      if (frame >= 0) samples[frame] = second - slow;
    }
    // The samples after the end are cross-faded into the start. Without this, the sound would jump
    // when the loop restarts.
    const output = buffer.getChannelData(channel);
    output.set(samples.subarray(0, length));
    for (let frame = 0; frame < fade; frame++) {
      const share = frame / fade;
      output[frame] = Math.sqrt(share) * samples[frame] + Math.sqrt(1 - share) * samples[length + frame];
    }
  }
  return normalized(buffer);
}

/// Sixteen seconds of music: plucked strings, a bass, and soft drum brushes.
export function music(context) {
  const rate = context.sampleRate, beat = 0.5;
  const chords = [[57, 60, 64, 67, 72], [53, 57, 60, 64, 69], [48, 55, 60, 64, 71], [55, 59, 62, 67, 74]];
  const length = Math.round(32 * beat * rate);
  const buffer = context.createBuffer(2, length, rate);
  const random = generator(7);
  const add = (samples, time, pan, gain) => {
    const start = Math.round(time * rate);
    for (let channel = 0; channel < 2; channel++) {
      const output = buffer.getChannelData(channel);
      const factor = gain * Math.sqrt(channel === 0 ? 1 - pan : pan);
      for (let frame = 0; frame < samples.length; frame++)
        output[(start + frame) % length] += factor * samples[frame];
    }
  };
  const pattern = [0, 2, 1, 3, 4, 3, 2, 1];
  const tune = [76, 74, 72, 69, 72, 74, 76, 79, 77, 76, 74, 72, 74, 71, 67, 71];
  for (let bar = 0; bar < 8; bar++) {
    const chord = chords[bar % 4];
    add(pluck(rate, chord[0] - 12, 1.9, 0.25, random), 4 * beat * bar, 0.5, 0.9);
    add(pluck(rate, chord[0] - 12, 0.9, 0.25, random), 4 * beat * bar + 2.5 * beat, 0.5, 0.6);
    pattern.forEach((step, eighth) => {
      const time = (4 * bar + eighth / 2) * beat;
      add(pluck(rate, chord[step], 1.2, 0.6, random), time, 0.3, 0.35 + 0.15 * (eighth % 4 === 0));
      if (eighth % 2 === 1) add(brush(rate, random), time, 0.65, 0.05);
    });
    for (let half = 0; half < 2; half++)
      add(pluck(rate, tune[2 * bar + half], 1.6, 0.8, random), (4 * bar + 2 * half + 1) * beat, 0.7, 0.5);
  }
  return normalized(buffer);
}

/// A plucked string (Karplus and Strong 1983). `key` is a MIDI note number, `brightness` is 0…1.
function pluck(rate, key, duration, brightness, random) {
  const period = rate / (440 * 2 ** ((key - 69) / 12));
  const delay = Math.floor(period - 0.5), fraction = period - 0.5 - delay;
  const line = new Float32Array(delay + 1);
  let smooth = 0;
  for (let index = 0; index <= delay; index++) {
    smooth += brightness * (2 * random() - 1 - smooth);
    line[index] = smooth;
  }
  const samples = new Float32Array(Math.round(duration * rate));
  const release = 0.06 * rate;
  let position = 0, before = 0;
  for (let frame = 0; frame < samples.length; frame++) {
    const next = (position + 1) % (delay + 1);
    const current = line[position] * fraction + line[next] * (1 - fraction);
    samples[frame] = current * Math.min(1, (samples.length - frame) / release);
    line[position] = 0.998 * (0.5 * current + 0.5 * before);
    before = current;
    position = next;
  }
  return samples;
}

function brush(rate, random) {
  const samples = new Float32Array(Math.round(0.08 * rate));
  let before = 0;
  for (let frame = 0; frame < samples.length; frame++) {
    const white = 2 * random() - 1;
    samples[frame] = (white - before) * Math.exp(-frame / (0.02 * rate));
    before = white;
  }
  return samples;
}

/// Scales a buffer to a peak of 0.5.
function normalized(buffer) {
  const factor = 0.5 / peakOf(buffer);
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let frame = 0; frame < samples.length; frame++) samples[frame] *= factor;
  }
  return buffer;
}

/// Returns a function that generates reproducible random numbers from 0 to 1.
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
