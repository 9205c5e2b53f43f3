// The audiogram editor: points are moved with mouse, touch or keyboard.

import { Plot, shape, symbol } from "./plot.js";

const ears = ["left", "right"];

function thresholdText({ threshold, isNoResponse }) {
  return `${threshold} dB HL${isNoResponse ? ", no response" : ""}`;
}

/// Calls `change(ear, index, threshold)` when the listener moves a point.
export class AudiogramEditor {
  constructor(svg, change) {
    this.change = change;
    this.profile = { left: null, right: null };
    this.editing = "both";
    this.plot = new Plot(svg, {
      x: { from: 100, to: 10000, isLogarithmic: true, ticks: [125, 250, 500, 1000, 2000, 4000, 8000], label: "Frequency (Hz)" },
      y: { from: 120, to: -10, ticks: [0, 20, 40, 60, 80, 100, 120], label: "Threshold (dB HL)" },
      height: innerWidth < 600 ? 270 : 340,
    });
    this.handles = new Map();
    svg.addEventListener("pointermove", event => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => (this.dragged = null));
  }

  /// Shows audiograms. Only points of the edited ear ("left", "right" or "both") can be moved.
  show(profile, editing) {
    this.profile = profile;
    this.editing = editing;
    this.draw();
  }

  draw() {
    this.plot.layOut();
    const keep = new Set();
    for (const ear of ears) {
      const points = this.profile[ear] ?? [];
      this.line(ear, points, keep);
      points.forEach((_, index) => this.handle(ear, index, keep));
    }
    for (const [key, element] of this.handles)
      if (!keep.has(key)) {
        element.remove();
        this.handles.delete(key);
      }
  }

  line(ear, points, keep) {
    const line = this.element(`${ear} line`, keep, () => shape("path", { class: `line ${ear}`, "aria-hidden": "true" }));
    line.setAttribute("d", this.plot.path(points.map(point => [point.frequency, point.threshold])));
  }

  element(key, keep, make) {
    keep.add(key);
    if (!this.handles.has(key)) this.handles.set(key, this.plot.marks.appendChild(make()));
    return this.handles.get(key);
  }

  /// If both ears are edited together, the listener moves the points of the right ear, and the
  /// points of the left ear move with them.
  isEdited(ear) {
    return this.editing === "both" ? ear === (this.profile.right ? "right" : "left") : ear === this.editing;
  }

  handle(ear, index, keep) {
    const point = this.profile[ear][index];
    const group = this.element(`${ear} ${index}`, keep, () => this.newHandle(ear, index));
    group.setAttribute("transform", `translate(${this.plot.px(point.frequency)} ${this.plot.py(point.threshold)})`);
    group.classList.toggle("edited", this.isEdited(ear));
    group.classList.toggle("unanswered", Boolean(point.isNoResponse));
    if (this.isEdited(ear)) {
      const whose = this.editing === "both" ? "both ears" : `${ear} ear`;
      const left = this.editing === "both" && this.profile.left?.find(({ frequency }) => frequency === point.frequency);
      const text = thresholdText(point), leftText = left ? thresholdText(left) : text;
      const values = {
        role: "slider", tabindex: "0", "aria-orientation": "vertical", "aria-valuemin": "-10", "aria-valuemax": "120",
        "aria-valuenow": point.threshold, "aria-valuetext": text === leftText ? text : `right ${text}; left ${leftText}`,
        "aria-label": `Threshold at ${point.frequency} Hz, ${whose}`,
      };
      for (const [name, value] of Object.entries(values)) group.setAttribute(name, value);
      group.removeAttribute("aria-hidden");
    } else {
      for (const name of group.getAttributeNames())
        if (name === "role" || name === "tabindex" || name.startsWith("aria-")) group.removeAttribute(name);
      group.setAttribute("aria-hidden", "true");
    }
  }

  newHandle(ear, index) {
    const group = shape("g", { class: `point ${ear}`, "data-ear": ear, "data-index": index });
    group.append(
      shape("circle", { r: 20, class: "target" }), shape("circle", { r: 13, class: "focus" }),
      shape("path", { d: symbol(ear, 6.5), class: "symbol" }),
      shape("path", { d: "M0 8V17M-4 13L0 17L4 13", class: "symbol arrow" }));
    group.addEventListener("pointerdown", event => {
      if (!this.isEdited(ear) || (event.pointerType === "mouse" && event.button !== 0)) return;
      event.preventDefault();
      group.focus({ preventScroll: true });
      this.plot.svg.setPointerCapture(event.pointerId);
      this.dragged = { ear, index };
    });
    group.addEventListener("keydown", event => this.key(event, ear, index));
    return group;
  }

  drag(event) {
    if (!this.dragged) return;
    const { ear, index } = this.dragged;
    const box = this.plot.svg.getBoundingClientRect();
    const scale = this.plot.height / box.height;
    const step = event.shiftKey ? 1 : 5;
    this.move(ear, index, Math.round(this.plot.valueAt((event.clientY - box.top) * scale) / step) * step);
  }

  /// The up key lowers the threshold, because low thresholds are at the top of the picture. The
  /// left and right keys select neighbouring points.
  key(event, ear, index) {
    const point = this.profile[ear][index];
    const steps = { ArrowUp: -5, ArrowDown: 5, PageUp: -20, PageDown: 20 };
    const neighbours = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps) {
      const step = event.shiftKey ? Math.sign(steps[event.key]) : steps[event.key];
      this.move(ear, index, point.threshold + step);
    } else if (event.key in neighbours) {
      this.handles.get(`${ear} ${index + neighbours[event.key]}`)?.focus();
    } else if (event.key === "Home" || event.key === "End") {
      this.move(ear, index, event.key === "Home" ? -10 : 120);
    } else return;
    event.preventDefault();
  }

  move(ear, index, threshold) {
    const limited = Math.min(120, Math.max(-10, threshold));
    if (limited !== this.profile[ear][index].threshold) this.change(ear, index, limited);
  }
}
