// The page: connects the controls with the fitting, the pictures and the player.

import { AudiogramEditor } from "./audiogram.js";
import { EngineFailure, Fitting } from "./engine.js";
import { GainPicture, InputOutputPicture, LevelPicture } from "./pictures.js";
import { Player } from "./player.js";
import { readProfile, writeProfile } from "./profile.js";

const find = id => document.getElementById(id);
const chosen = name => document.querySelector(`input[name="${name}"]:checked`).value;
const ears = ["left", "right"];
const ruleTitles = {
  "half-gain": "Half gain", pogo: "POGO", "pogo-ii": "POGO II", "nal-r": "NAL-R", "nal-rp": "NAL-RP", fig6: "FIG6",
  "camfit-linear": "CAMFIT, linear", "camfit-compressive": "CAMFIT, compressive",
  "comfortable-speech": "Comfortable speech", "comfortable-music": "Comfortable music",
};
const microphoneFailures = {
  NotAllowedError: "The browser does not permit the microphone.",
  NotFoundError: "There is no microphone.",
};

async function start() {
  const response = await fetch("hearing.wasm");
  if (!response.ok) throw new Error("hearing.wasm is missing.");
  const module = await WebAssembly.compile(await response.arrayBuffer());
  new Page(module).start();
}

class Page {
  constructor(module) {
    this.fitting = new Fitting(module);
    this.standards = this.fitting.standards;
    this.centers = this.fitting.centers(48000);
    const points = this.standards.find(standard => standard.name === "N3").points;
    this.profile = { left: copy(points), right: copy(points) };
    this.player = new Player(module, {
      levels: channels => this.showLive(channels),
      audible: seconds => this.showAudible(seconds),
      failed: message => this.fail(message),
    });
    this.editor = new AudiogramEditor(find("audiogram"), (ear, index, threshold) => this.move(ear, index, threshold));
    this.gain = new GainPicture(find("gain"));
    this.inputOutput = new InputOutputPicture(find("input-output"));
    this.levels = new LevelPicture(find("levels"));
    this.live = [this.gain, this.inputOutput, this.levels];
  }

  start() {
    this.fillLists();
    this.connect();
    this.update();
    new ResizeObserver(() => this.draw()).observe(document.querySelector("main"));
    find("play").disabled = false;
    this.say("Ready");
    this.player.prepare("speech").catch(error => this.fail(error.message));
    // Music and noise are made while nobody waits.
    setTimeout(() => this.player.prepare("noise"), 500);
    setTimeout(() => this.player.prepare("music"), 1000);
  }

  fillLists() {
    find("standard").append(
      new Option("own", "", true), ...this.standards.map(({ name }) => new Option(name, name, name === "N3", name === "N3")));
    find("rule").append(
      new Option("Default of the program", "-1"),
      ...this.fitting.rules.map((name, number) => new Option(ruleTitles[name] ?? name, number)));
    find("frequency").append(
      ...this.centers.map(center => new Option(`${center} Hz`, center, center === 2000, center === 2000)));
  }

  connect() {
    const on = (id, name, action) =>
      find(id).addEventListener(name, async event => {
        try {
          await action(event.target);
        } catch (error) {
          this.fail(microphoneFailures[error.name] ?? error.message);
        }
      });
    on("play", "click", () => this.toggle());
    on("processing", "click", () => this.switchProcessing());
    on("source", "change", () => this.changeSource());
    on("file", "change", input => this.openSound(input.files[0]));
    on("comparison", "change", () => this.compare());
    on("level", "input", input => {
      find("level-text").value = `${input.value} dB SPL`;
      this.player.setLevel(Number(input.value));
    });
    on("intensity", "input", input => {
      find("intensity-text").value = `${input.value} %`;
      this.update();
    });
    on("standard", "change", list => this.takeStandard(list.value));
    on("ears", "change", () => this.draw());
    on("profile", "change", input => this.openProfile(input));
    on("save", "click", () => this.save());
    for (const id of ["rule", "program"]) on(id, "change", () => this.update());
    on("frequency", "change", () => this.draw());
  }

  // Sound

  async toggle() {
    if (this.player.isPlaying) this.stop();
    else await this.play();
  }

  async play() {
    const source = chosen("source");
    if (source === "file" && !this.player.sources.has("file")) {
      this.stop();
      this.say("Choose a sound file first.");
      return;
    }
    this.say("Starting");
    try {
      if (!(await this.player.play(source))) return;
    } catch (error) {
      this.stop();
      throw error;
    }
    // The context may have another sample rate than assumed.
    this.player.apply(this.settings());
    find("play").textContent = "Stop";
    this.say("Playing");
    clearInterval(this.watch);
    this.watch = setInterval(() => this.showStatistics(), 1000);
  }

  stop() {
    this.player.stop();
    clearInterval(this.watch);
    find("play").textContent = "Play";
    this.say("Stopped");
    this.showLive(null);
  }

  showAudible(seconds) {
    find("status").dataset.firstSound = seconds.toFixed(3);
  }

  showStatistics() {
    const { underruns } = this.player;
    if (underruns === undefined) return;
    find("status").dataset.underruns = underruns;
    // A failure remains readable.
    if (find("status").classList.contains("failed")) return;
    const times = underruns === 1 ? "once" : `${underruns} times`;
    this.say(underruns ? `Playing; interrupted ${times}` : "Playing without interruption");
  }

  async changeSource() {
    const source = chosen("source");
    find("file-row").hidden = source !== "file";
    find("microphone-hint").hidden = source !== "microphone";
    find("level").disabled = source === "microphone";
    if (this.player.isPlaying) await this.play();
  }

  async openSound(file) {
    if (!file) return;
    await this.player.open(file);
    this.say(`${file.name} is ready`);
    if (this.player.isPlaying) await this.play();
  }

  switchProcessing() {
    const button = find("processing");
    button.setAttribute("aria-checked", String(button.getAttribute("aria-checked") !== "true"));
    this.compare();
  }

  compare() {
    this.player.setComparison(find("processing").getAttribute("aria-checked") === "true", chosen("comparison") === "matched");
  }

  // Hearing

  get editedEars() {
    const editing = chosen("ears");
    return editing === "both" ? ears : [editing];
  }

  move(ear, index, threshold) {
    const { frequency } = this.profile[ear][index];
    for (const edited of this.editedEars) {
      const point = this.profile[edited]?.find(point => point.frequency === frequency);
      if (!point) continue;
      point.threshold = threshold;
      delete point.isNoResponse;
    }
    find("standard").value = "";
    this.update();
  }

  takeStandard(name) {
    const standard = this.standards.find(standard => standard.name === name);
    if (!standard) return;
    for (const ear of this.editedEars) this.profile[ear] = copy(standard.points);
    this.update();
  }

  async openProfile(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    const message = find("profile-message");
    message.textContent = "";
    const before = this.profile;
    try {
      if (file.size > 16 << 20) throw new Error("The file is larger than 16 MiB.");
      this.profile = readProfile(await file.text());
      this.compute();
      find("standard").value = "";
    } catch (error) {
      this.profile = before;
      message.textContent = `${file.name}: ${error.message}`;
    }
    this.update();
  }

  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([writeProfile(this.profile)], { type: "application/json" }));
    link.download = "profile.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Fitting

  /// Computes the preset for the audiograms.
  compute() {
    ears.forEach((ear, number) => this.fitting.setAudiogram(number, this.profile[ear]));
    this.fitting.fit(Number(find("rule").value), Number(chosen("program")));
  }

  get intensity() {
    return Number(find("intensity").value) / 100;
  }

  settings() {
    return this.fitting.settings({ sampleRate: this.player.sampleRate, intensity: this.intensity });
  }

  /// Computes and shows everything once before the next picture of the screen.
  update() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      try {
        this.compute();
        this.player.apply(this.settings());
        this.draw();
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        this.fail(error.message);
      }
    });
  }

  draw() {
    this.editor.show(this.profile, chosen("ears"));
    this.gain.draw(this.fitting, this.profile, this.intensity);
    this.inputOutput.draw(this.fitting, this.profile, this.intensity, Number(find("frequency").value));
    this.levels.draw();
    const gains = [0, 1].map(ear => this.fitting.gains(ear, 65, this.intensity, this.centers));
    find("gains").tBodies[0].replaceChildren(
      ...this.centers.map((center, band) => row(`${center} Hz`, gains[0][band].toFixed(1), gains[1][band].toFixed(1))));
  }

  showLive(channels) {
    for (const picture of this.live) picture.showLive(channels, this.centers);
  }

  say(text) {
    const status = find("status");
    status.classList.remove("failed");
    if (status.textContent !== text) status.textContent = text;
  }

  fail(message) {
    this.say(message);
    find("status").classList.add("failed");
  }
}

function copy(points) {
  return points.map(point => ({ ...point }));
}

function row(title, ...values) {
  const element = document.createElement("tr");
  const head = element.appendChild(document.createElement("th"));
  head.scope = "row";
  head.textContent = title;
  for (const value of values) element.appendChild(document.createElement("td")).textContent = value;
  return element;
}

start().catch(error => {
  const status = find("status");
  status.textContent = `This browser cannot run the page: ${error.message}`;
  status.classList.add("failed");
});
