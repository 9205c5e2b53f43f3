// The pictures beside the controls: prescribed gain, output over input, live levels.

import { Plot, shape } from "./plot.js";

const ears = ["left", "right"];
const frequencyTicks = [125, 250, 500, 1000, 2000, 4000, 8000];
const frequencies = Array.from({ length: 73 }, (_, index) => 125 * 2 ** (index / 12));

/// Prescribed gain over frequency at three levels, and the currently active gains.
export class GainPicture {
  constructor(svg) {
    this.plot = new Plot(svg, {
      x: { from: 100, to: 10000, isLogarithmic: true, ticks: frequencyTicks, label: "Frequency (Hz)" },
      y: { from: -10, to: 60, ticks: [0, 10, 20, 30, 40, 50, 60], label: "Gain (dB)" },
      height: 260,
    });
    this.lines = this.plot.marks.appendChild(shape("g"));
    this.dots = this.plot.marks.appendChild(shape("g"));
  }

  draw(fitting, profile, intensity) {
    this.plot.layOut();
    this.lines.replaceChildren();
    ears.forEach((ear, number) => {
      if (!profile[ear]) return;
      for (const level of [50, 65, 80]) {
        const gains = fitting.gains(number, level, intensity, frequencies);
        this.lines.append(shape("path", {
          class: `line ${ear} at${level}`, d: this.plot.path(frequencies.map((frequency, index) => [frequency, gains[index]])),
        }));
      }
    });
  }

  /// Shows the current gains. `channels` contains the levels and gains that the worklet reports;
  /// null if nothing plays.
  showLive(channels, centers) {
    this.dots.replaceChildren();
    channels?.forEach((channel, number) =>
      channel.gains.forEach((gain, band) =>
        this.dots.append(shape("circle", {
          class: `now ${ears[number]}`, r: 3.5, cx: this.plot.px(centers[band]),
          cy: this.plot.py(Math.min(60, Math.max(-10, gain))),
        }))));
  }
}

/// Output over input level at one frequency.
export class InputOutputPicture {
  constructor(svg) {
    this.plot = new Plot(svg, {
      x: { from: 20, to: 110, ticks: [20, 40, 60, 80, 100], label: "Input level in the band (dB SPL)" },
      y: { from: 20, to: 120, ticks: [20, 40, 60, 80, 100, 120], label: "Output level (dB SPL)" },
      height: 260,
    });
    this.lines = this.plot.marks.appendChild(shape("g"));
    this.dots = this.plot.marks.appendChild(shape("g"));
  }

  draw(fitting, profile, intensity, frequency) {
    this.plot.layOut();
    this.frequency = frequency;
    const levels = Array.from({ length: 46 }, (_, index) => 20 + 2 * index);
    this.lines.replaceChildren(shape("path", { class: "line unity", d: this.plot.path([[20, 20], [110, 110]]) }));
    ears.forEach((ear, number) => {
      if (!profile[ear]) return;
      const points = levels.map(level => [level, level + fitting.gains(number, level, intensity, [frequency])[0]]);
      this.lines.append(shape("path", { class: `line ${ear} at65`, d: this.plot.path(points) }));
    });
  }

  showLive(channels, centers) {
    this.dots.replaceChildren();
    const band = centers.indexOf(this.frequency);
    channels?.forEach((channel, number) => {
      const [level, gain] = [channel.levels[band], channel.gains[band]];
      if (!(level >= 20 && level <= 110)) return;
      this.dots.append(shape("circle", {
        class: `now ${ears[number]}`, r: 4.5, cx: this.plot.px(level),
        cy: this.plot.py(Math.min(120, Math.max(20, level + gain))),
      }));
    });
  }
}

/// The current input and output level in every band.
export class LevelPicture {
  constructor(svg) {
    this.plot = new Plot(svg, {
      x: { from: 200, to: 10000, isLogarithmic: true, ticks: [250, 500, 1000, 2000, 4000, 8000], label: "Band (Hz)" },
      y: { from: 0, to: 120, ticks: [0, 20, 40, 60, 80, 100, 120], label: "Level (dB SPL)" },
      height: 260,
    });
    this.bars = this.plot.marks.appendChild(shape("g"));
  }

  draw() {
    this.plot.layOut();
  }

  showLive(channels, centers) {
    this.bars.replaceChildren();
    if (!channels) return;
    const { bottom, left, right } = this.plot.area;
    const width = Math.max(4, (right - left) / 40);
    channels.forEach((channel, number) =>
      channel.levels.forEach((level, band) => {
        const x = this.plot.px(centers[band]) + (number === 0 ? -width - 1 : 1);
        const limited = value => Math.min(120, Math.max(0, value));
        const [input, output] = [this.plot.py(limited(level)), this.plot.py(limited(level + channel.gains[band]))];
        this.bars.append(
          shape("rect", { class: `output ${ears[number]}`, x, width, y: output, height: Math.max(0, bottom - output) }),
          shape("rect", { class: "input", x: x + width / 4, width: width / 2, y: input, height: Math.max(0, bottom - input) }));
      }));
  }
}
