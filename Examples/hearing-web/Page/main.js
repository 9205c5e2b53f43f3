// The page: connects the controls with the fitting, the pictures and the player.

import { AudiogramEditor } from "./audiogram.js";
import { EngineFailure, Fitting } from "./engine.js";
import { report, save, waveFile } from "./files.js";
import { HearingTestDialog, concerns, warnings } from "./hearing-test.js";
import { readLink, writeLink } from "./link.js";
import { GainPicture, InputOutputPicture, LevelPicture } from "./pictures.js";
import { Player } from "./player.js";
import { readProfile, writeProfile } from "./profile.js";

const find = id => document.getElementById(id);
const chosen = name => document.querySelector(`input[name="${name}"]:checked`).value;
const ears = ["left", "right"];
const tunings = ["loudness", "brightness", "crispness"];
// Source of the standard audiograms: Bisgaard, Vlaming & Dahlquist 2010.
const standardTitles = {
  N1: "Very mild, sloping", N2: "Mild, sloping", N3: "Moderate, sloping", N4: "Moderate to severe, sloping",
  N5: "Severe, nearly flat", N6: "Severe, sloping", N7: "Profound", S1: "Very mild, steep", S2: "Mild, steep",
  S3: "Moderate to severe, steep",
};
const ruleTitles = {
  "half-gain": "Half gain", pogo: "POGO", "pogo-ii": "POGO II", "nal-r": "NAL-R", "nal-rp": "NAL-RP", fig6: "FIG6",
  "camfit-linear": "CAMFIT, linear", "camfit-compressive": "CAMFIT, compressive",
  "comfortable-speech": "Comfortable speech", "comfortable-music": "Comfortable music",
};
const shortPress = 300; // milliseconds
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
      // The processor needs settings for the sample rate of the device.
      opened: () => this.apply(),
      levels: channels => this.showLive(channels),
      audible: seconds => this.showAudible(seconds),
      failed: message => {
        this.stop();
        this.fail(message);
      },
    });
    // The procedure and the notes of the hearing test that measured the audiogram; null without a test.
    this.measurement = null;
    this.testNotes = [];
    this.test = new HearingTestDialog((profile, concerns) => {
      this.profile = profile;
      this.showTest({ procedure: "bayesian", notes: ["uncalibrated", ...concerns] });
      this.say("The audiogram is the result of the test.");
      this.changed();
    }, message => this.fail(message));
    this.editor = new AudiogramEditor(find("audiogram"), (ear, index, threshold) => this.move(ear, index, threshold));
    this.gain = new GainPicture(find("gain"));
    this.inputOutput = new InputOutputPicture(find("input-output"));
    this.levels = new LevelPicture(find("levels"));
    this.live = [this.gain, this.inputOutput, this.levels];
  }

  start() {
    this.fillLists();
    this.connect();
    this.initialLink = writeLink(this.state);
    this.openLink();
    this.update();
    this.showHeard();
    new ResizeObserver(() => this.draw()).observe(document.querySelector("main"));
    // The bar stays at the top of the window. It must not cover a control that gets the focus. In
    // Firefox, scroll-padding-top is not sufficient for a control that is partly visible or in a
    // picture.
    const bar = document.querySelector(".bar");
    document.querySelector("main").addEventListener("focusin", ({ target }) => {
      const hidden = bar.getBoundingClientRect().bottom + 8 - target.getBoundingClientRect().top;
      if (hidden > 0 && !bar.contains(target) && target.matches(":focus-visible")) scrollBy(0, -hidden);
    });
    find("play").disabled = false;
    this.say("Ready");
    requestAnimationFrame(() => setTimeout(() => (find("status").dataset.ready = (performance.now() / 1000).toFixed(3))));
    this.player.prepare("speech").catch(error => this.fail(error.message));
    // Music and noise are generated before the listener needs them.
    setTimeout(() => this.player.prepare("noise"), 500);
    setTimeout(() => this.player.prepare("music"), 1000);
  }

  fillLists() {
    find("standard").append(
      ...["", ...this.standards.map(({ name }) => name)].map(name => new Option(standardTitle(name), name)));
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
    on("loss", "click", () => this.switchLoss());
    for (const id of ["level", "intensity", ...tunings])
      on(id, "input", () => {
        this.showValues();
        this.changed();
      });
    on("take-test", "click", async () => {
      this.stop();
      await this.test.open();
    });
    on("share", "click", () => this.share());
    on("save-sound", "click", () => this.saveSound());
    on("save-report", "click", () => this.saveReport());
    addEventListener("hashchange", () => {
      this.openLink();
      this.update();
    });
    // After a mouse click, the button loses the focus, so that the space bar switches the
    // processing instead of pressing the button again. After a key press, the button keeps the
    // focus.
    document.querySelector(".bar").addEventListener("click", event => {
      if (event.detail > 0) event.target.closest("button")?.blur();
    });
    addEventListener("keydown", event => this.hold(event, true));
    addEventListener("keyup", event => this.hold(event, false));
    addEventListener("blur", () => this.hold({ code: "Space" }, false));
    on("standard", "change", list => this.takeStandard(list.value));
    on("ears", "change", () => this.draw());
    on("profile", "change", input => this.openProfile(input));
    on("save", "click", () => save("profile.json", writeProfile(this.profile, this.measurement), "application/json"));
    for (const id of ["rule", "program"]) on(id, "change", () => this.changed());
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
    // Keep an error message visible.
    if (find("status").classList.contains("failed")) return;
    const times = underruns === 1 ? "once" : `${underruns} times`;
    this.say(underruns ? `Playing; interrupted ${times}` : "Playing without interruption");
  }

  async changeSource() {
    const source = chosen("source");
    find("file-row").hidden = source !== "file";
    find("microphone-hint").hidden = source !== "microphone";
    find("level").disabled = source === "microphone";
    this.showPeaks();
    if (this.player.isPlaying) await this.play();
  }

  /// Shows a hint if the peaks of the source do not permit the chosen level.
  async showPeaks() {
    const source = chosen("source"), hint = find("level-hint");
    const { highestLevel } = source === "microphone" || (source === "file" && !this.soundFile)
      ? {} : await this.player.prepare(source).catch(() => ({}));
    if (source !== chosen("source")) return;
    hint.hidden = !(Number.isFinite(highestLevel) && this.player.level > highestLevel);
    hint.textContent = `This sound is heard at ${Math.round(highestLevel)} dB SPL, because its peaks reach full scale.`;
  }

  async openSound(file) {
    if (!file) return;
    this.say(`Reading ${file.name}`);
    try {
      await this.player.open(file);
    } catch (error) {
      this.showSoundFile();
      throw error;
    }
    this.soundFile = file;
    this.say(`${file.name} is ready`);
    this.showPeaks();
    if (this.player.isPlaying) await this.play();
  }

  /// Shows the name of the last readable file again, after another file could not be read.
  showSoundFile() {
    const files = new DataTransfer();
    if (this.soundFile) files.items.add(this.soundFile);
    find("file").files = files.files;
  }

  get isProcessed() {
    return (find("processing").getAttribute("aria-checked") === "true") !== Boolean(this.isHeld);
  }

  get isLossSimulated() {
    return find("loss").getAttribute("aria-checked") === "true";
  }

  switchProcessing() {
    flip(find("processing"));
    this.compare();
  }

  switchLoss() {
    flip(find("loss"));
    this.apply();
    this.compare();
  }

  /// Applies the preset and the simulation of the loss.
  apply() {
    this.player.apply(this.settings(this.player.sampleRate), this.loss(this.player.sampleRate));
  }

  /// The hearing loss to be simulated, or null.
  loss(sampleRate) {
    return this.isLossSimulated ? this.fitting.loss(sampleRate) : null;
  }

  /// While the space bar is held, processing is switched: off if it is on, on if it is off.
  hold(event, isDown) {
    if (event.code !== "Space" || Boolean(this.isHeld) === isDown) return;
    // On buttons, lists and unselected controls, the space bar has its usual effect. While sound
    // plays, the space bar has two effects on the button "Stop": a short press stops the sound, a
    // longer press only switches the processing.
    const held = 'body, input[type="range"], input:checked, [role="slider"]';
    const isStop = event.target === find("play") && this.player.isPlaying;
    if (isDown && (event.repeat || !(isStop || event.target.matches(held)))) return;
    if (isDown) this.holdBegin = event.timeStamp;
    if (!isStop || (!isDown && event.timeStamp - this.holdBegin > shortPress)) event.preventDefault?.();
    this.isHeld = isDown;
    this.compare();
  }

  compare() {
    // While a loss is simulated, the loudness is not matched, because equal loudness would hide the
    // loss.
    this.player.setComparison(this.isProcessed, chosen("comparison") === "matched" && !this.isLossSimulated);
    this.showHeard();
    this.draw();
  }

  /// Shows which sound is heard and whether the gains are applied.
  showHeard() {
    const text = this.isLossSimulated
      ? this.isProcessed ? "as heard with this loss, with processing" : "as heard with this loss, without processing"
      : this.isProcessed ? "with processing" : "the original";
    find("heard").textContent = `You hear: ${text}${this.isHeld ? " (held)" : ""}`;
    find("off").hidden = this.isProcessed;
    find("comparison").disabled = this.isLossSimulated;
    for (const id of ["gain", "input-output"]) find(id).classList.toggle("unapplied", !this.isProcessed);
  }

  /// Shows the values of the sliders.
  showValues() {
    find("level-text").value = `${find("level").value} dB SPL`;
    find("intensity-text").value = `${find("intensity").value} %`;
    for (const name of tunings) find(`${name}-text`).value = find(name).value;
    this.player.setLevel(Number(find("level").value));
    this.showPeaks();
  }

  async saveSound() {
    const source = chosen("source");
    if (source === "microphone") throw new Error("The sound of the microphone cannot be saved.");
    if (source === "file" && !this.player.sources.has("file")) throw new Error("Choose a sound file first.");
    this.say("Rendering");
    const samples = await this.player.render(source, this.settings(48000), this.loss(48000));
    const name = [source, this.isLossSimulated && "with-loss", this.isProcessed && "processed"].filter(Boolean).join("-");
    save(`${name}.wav`, waveFile(samples, 48000), "audio/wav");
    this.say(`${name}.wav is saved`);
  }

  // Hearing

  get editedEars() {
    const editing = chosen("ears");
    return editing === "both" ? ears : [editing];
  }

  /// Moves a point. If both ears are edited, the difference between the ears stays the same.
  move(ear, index, newThreshold) {
    const { frequency, threshold } = this.profile[ear][index];
    for (const edited of this.editedEars) {
      const point = this.profile[edited]?.find(point => point.frequency === frequency);
      if (!point) continue;
      point.threshold = Math.min(120, Math.max(-10, point.threshold + newThreshold - threshold));
      delete point.isNoResponse;
    }
    this.showTest(null);
    this.changed();
  }

  takeStandard(name) {
    const standard = this.standards.find(standard => standard.name === name);
    if (standard) {
      for (const ear of this.editedEars) this.profile[ear] = copy(standard.points);
      this.showTest(null);
    }
    this.changed();
  }

  /// The name of the standard audiogram that all of `ears` have; "" if there is none.
  standardName(ears) {
    const texts = ears.map(ear => JSON.stringify(this.profile[ear]));
    return this.standards.find(({ points }) => texts.every(text => text === JSON.stringify(points)))?.name ?? "";
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
      const { left, right, test } = readProfile(await file.text());
      this.profile = { left, right };
      this.compute();
      this.showTest(test);
    } catch (error) {
      this.profile = before;
      message.textContent = `${file.name}: ${error.message}`;
    }
    this.changed();
  }

  /// Shows the warnings about the hearing test that measured the audiogram.
  showTest(measurement) {
    this.measurement = measurement;
    const notes = measurement?.notes ?? [];
    const isReliable = !notes.some(name => Object.hasOwn(concerns, name) || name === "unfinished");
    this.testNotes = measurement ? warnings(this.profile, notes) : [];
    if (!isReliable) this.testNotes.unshift("The result of the hearing test is not reliable.");
    const note = find("test-note");
    note.hidden = this.testNotes.length === 0;
    note.textContent = this.testNotes.join(" ");
  }

  // Link and report

  get state() {
    return {
      ...this.profile,
      test: this.measurement,
      rule: this.fitting.rules[Number(find("rule").value)] ?? "",
      program: chosen("program") === "1" ? "music" : "speech",
      intensity: Number(find("intensity").value), level: Number(find("level").value),
      tuning: tunings.map(name => Number(find(name).value)),
    };
  }

  /// Shows the fitting in the URL. If the URL contains no fitting, shows the initial fitting of the
  /// page.
  openLink() {
    const text = location.hash.slice(1) || this.initialLink;
    if (text === writeLink(this.state)) return;
    const message = find("profile-message");
    message.textContent = "";
    try {
      const { left, right, test, rule, program, intensity, level, tuning } = readLink(text);
      const number = this.fitting.rules.indexOf(rule);
      if (rule && number < 0) throw new Error(`The link has an unknown rule: ${rule}`);
      this.profile = { left, right };
      this.showTest(test);
      find("rule").value = number;
      document.querySelector(`input[name="program"][value="${program === "music" ? 1 : 0}"]`).checked = true;
      find("intensity").value = intensity;
      find("level").value = level;
      tunings.forEach((name, index) => (find(name).value = tuning[index]));
      find("tuning").open ||= tuning.some(value => value !== 0);
      this.showValues();
    } catch (error) {
      message.textContent = error.message;
    }
  }

  /// Computes the changed fitting and saves it in the URL.
  changed() {
    this.update();
    clearTimeout(this.linking);
    // Browsers limit how often the URL may change. Therefore the URL changes 300 ms after the last
    // call.
    this.linking = setTimeout(() => history.replaceState(null, "", `#${writeLink(this.state)}`), 300);
  }

  get address() {
    return `${location.href.split("#")[0]}#${writeLink(this.state)}`;
  }

  async share() {
    history.replaceState(null, "", this.address);
    try {
      await navigator.clipboard.writeText(this.address);
      this.say("The link is copied. Who has it sees this audiogram.");
    } catch {
      this.say("Copy the address of this page: it contains the fitting.");
    }
  }

  /// The title of the rule with which the preset was computed.
  get ruleTitle() {
    const { fittedRule } = this.fitting;
    return ruleTitles[fittedRule] ?? fittedRule;
  }

  async saveReport() {
    const { rule, program, intensity, tuning } = this.state;
    const text = await report({
      profile: this.profile, centers: this.centers, address: this.address, notes: this.testNotes,
      settings: [
        ...ears.filter(ear => this.profile[ear]).map(ear => [`Hearing: ${ear} ear`, standardTitle(this.standardName([ear]))]),
        ["Rule", this.ruleTitle + (rule ? "" : " (default of the program)")],
        ["Program", program], ["Intensity", `${intensity} %`],
        ...tunings.map((name, index) => [`Fine tuning: ${name}`, tuning[index]]),
      ],
      gains: (ear, level) => this.fitting.gains(ear, level, this.intensity, this.centers),
      pictures: [["Audiogram", find("audiogram")], ["Gain for 50 (dotted), 65 (solid) and 80 dB SPL (dashed)", find("gain")]],
    });
    save("fitting.html", text, "text/html");
    this.say("fitting.html is saved");
  }

  // Fitting

  /// Computes the preset for the audiograms.
  compute() {
    ears.forEach((ear, number) => this.fitting.setAudiogram(number, this.profile[ear]));
    this.fitting.setFineTuning(
      Object.fromEntries(tunings.map(name => [name, Number(find(name).value)])));
    this.fitting.fit(Number(find("rule").value), Number(chosen("program")));
  }

  get intensity() {
    return Number(find("intensity").value) / 100;
  }

  settings(sampleRate) {
    return this.fitting.settings({ sampleRate, intensity: this.intensity });
  }

  /// Computes and shows everything before the next animation frame. Several calls before this frame
  /// have the same effect as one call.
  update() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      try {
        this.compute();
        this.apply();
        this.draw();
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        this.fail(error.message);
      }
    });
  }

  draw() {
    find("standard").value = this.standardName(this.editedEars);
    this.editor.show(this.profile, chosen("ears"));
    this.gain.draw(this.fitting, this.profile, this.intensity);
    this.inputOutput.draw(this.fitting, this.profile, this.intensity, Number(find("frequency").value));
    this.levels.draw();
    const [left, right] = [0, 1].map(ear => this.fitting.gains(ear, 65, this.intensity, this.centers));
    find("gains").tBodies[0].replaceChildren(
      ...this.centers.map((center, band) => row(`${center} Hz`, right[band].toFixed(1), left[band].toFixed(1))));
  }

  showLive(channels) {
    // While processing is off, the listener does not hear the computed gains. Therefore gains of 0
    // dB are shown.
    if (!this.isProcessed) channels = channels?.map(({ levels, gains }) => ({ levels, gains: gains.map(() => 0) }));
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

function flip(button) {
  button.setAttribute("aria-checked", String(button.getAttribute("aria-checked") !== "true"));
}

function standardTitle(name) {
  return name ? `${standardTitles[name]} (${name})` : "own";
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
