// Draws axes, lines and marks in an SVG element. Its coordinates are CSS pixels, so that text has
// the same size on a phone as on a large screen.

const namespace = "http://www.w3.org/2000/svg";

/// A new SVG element with attributes and text.
export function shape(name, attributes = {}, text) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/// A picture with two axes. An axis is `{from, to, ticks, label, isLogarithmic}`. `from` is the
/// value at the left or lower end of the axis.
export class Plot {
  constructor(svg, { x, y, height }) {
    this.svg = svg;
    this.axes = { x, y };
    this.height = height;
    this.margin = { left: 46, right: 12, top: 10, bottom: 40 };
    this.width = 0;
    this.grid = svg.appendChild(shape("g", { class: "grid", "aria-hidden": "true" }));
    this.marks = svg.appendChild(shape("g"));
  }

  /// Draws the axes if the width of the element has changed.
  layOut() {
    const width = Math.max(240, Math.round(this.svg.clientWidth));
    if (width === this.width) return;
    this.width = width;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.svg.setAttribute("height", this.height);
    this.drawGrid();
  }

  get area() {
    const { left, right, top, bottom } = this.margin;
    return { left, right: this.width - right, top, bottom: this.height - bottom };
  }

  px(value) {
    return this.area.left + this.share(this.axes.x, value) * (this.area.right - this.area.left);
  }

  py(value) {
    return this.area.bottom - this.share(this.axes.y, value) * (this.area.bottom - this.area.top);
  }

  /// The value of the y axis at a vertical coordinate in pixels.
  valueAt(pixel) {
    const { from, to } = this.axes.y;
    return from + ((this.area.bottom - pixel) / (this.area.bottom - this.area.top)) * (to - from);
  }

  share({ from, to, isLogarithmic }, value) {
    return isLogarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  }

  drawGrid() {
    this.grid.replaceChildren();
    const { left, right, top, bottom } = this.area;
    const { x, y } = this.axes;
    const label = value => (value >= 1000 ? `${value / 1000}k` : `${value}`);
    // A narrow picture omits every second label.
    const step = (right - left) / x.ticks.length < 26 ? 2 : 1;
    x.ticks.forEach((tick, index) => {
      const place = this.px(tick);
      this.grid.append(shape("line", { x1: place, x2: place, y1: top, y2: bottom }));
      if (index % step === 0)
        this.grid.append(shape("text", { x: place, y: bottom + 16, "text-anchor": "middle" }, label(tick)));
    });
    for (const tick of y.ticks) {
      const place = this.py(tick);
      this.grid.append(
        shape("line", { x1: left, x2: right, y1: place, y2: place }),
        shape("text", { x: left - 6, y: place + 4, "text-anchor": "end" }, `${tick}`));
    }
    this.grid.append(
      shape("text", { x: (left + right) / 2, y: this.height - 6, "text-anchor": "middle" }, x.label),
      shape("text", {
        x: 12, y: (top + bottom) / 2, "text-anchor": "middle",
        transform: `rotate(-90 12 ${(top + bottom) / 2})`,
      }, y.label),
      shape("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "frame" }));
  }

  /// The SVG path through points. Values beyond the y axis are limited to its ends.
  path(points) {
    const { from, to } = this.axes.y;
    const [least, most] = [Math.min(from, to), Math.max(from, to)];
    return points
      .map(([x, y], index) => {
        const place = this.py(Math.min(most, Math.max(least, y)));
        return `${index ? "L" : "M"}${this.px(x).toFixed(1)} ${place.toFixed(1)}`;
      })
      .join("");
  }
}

/// The symbol of an ear as an SVG path with the centre 0, 0: a cross for the left ear, a circle for
/// the right ear.
export function symbol(ear, size) {
  return ear === "left"
    ? `M${-size} ${-size}L${size} ${size}M${-size} ${size}L${size} ${-size}`
    : `M${-size} 0A${size} ${size} 0 1 0 ${size} 0A${size} ${size} 0 1 0 ${-size} 0Z`;
}
