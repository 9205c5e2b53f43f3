// Files that the page saves: sound and a report.

/// Saves a file as a download of the browser.
export function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/// A WAV file with two channels of 24-bit samples.
export function waveFile(channels, sampleRate) {
  const frameCount = channels[0].length, size = 6 * frameCount;
  const view = new DataView(new ArrayBuffer(44 + size));
  const text = (offset, letters) => [...letters].forEach((letter, index) => view.setUint8(offset + index, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + size, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 6 * sampleRate, true);
  view.setUint16(32, 6, true);
  view.setUint16(34, 24, true);
  text(36, "data");
  view.setUint32(40, size, true);
  const bytes = new Uint8Array(view.buffer);
  let offset = 44;
  for (let frame = 0; frame < frameCount; frame++)
    for (const samples of channels) {
      const value = Math.round(8388607 * Math.max(-1, Math.min(1, samples[frame])));
      bytes[offset++] = value;
      bytes[offset++] = value >> 8;
      bytes[offset++] = value >> 16;
    }
  return view.buffer;
}

/// A report as one HTML file: notes about the audiogram, the settings, thresholds, gains at three
/// levels, and the pictures.
export async function report({ profile, notes, settings, centers, gains, pictures, address }) {
  const style = await (await fetch("style.css")).text();
  const cell = text => `<td>${escaped(text)}</td>`;
  const head = (...texts) => `<tr>${texts.map(text => `<th scope="col">${escaped(text)}</th>`).join("")}</tr>`;
  const row = (title, ...values) => `<tr><th scope="row">${escaped(title)}</th>${values.map(cell).join("")}</tr>`;
  const ears = [["Right ear", "right", 1], ["Left ear", "left", 0]].filter(([, ear]) => profile[ear]);
  const thresholds = ears.map(([title, ear]) => `<h3>${title}</h3><table>${head("Hz", "dB HL")}${
    profile[ear].map(point => row(point.frequency, `${point.threshold}${point.isNoResponse ? ", no response" : ""}`)).join("")}</table>`);
  const tables = ears.map(([title, , number]) => `<h3>${title}</h3><table>${head("Hz", "50 dB SPL", "65 dB SPL", "80 dB SPL")}${
    centers.map((center, band) => row(center, ...[50, 65, 80].map(level => gains(number, level)[band].toFixed(1)))).join("")}</table>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Fitting</title>
<style>${style}
.columns{display:flex;flex-wrap:wrap;gap:0 2rem}.columns h2{width:100%}.columns svg{max-width:34rem}</style></head><body>
<h1>Fitting</h1><p>${escaped(localDay(new Date()))}</p>
${notes.map(note => `<p>${escaped(note)}</p>`).join("")}
<table>${settings.map(([title, value]) => row(title, value)).join("")}</table>
<div class="columns">${pictures.map(([title, svg]) => `<figure>${pictureText(svg)}<figcaption>${escaped(title)}</figcaption></figure>`).join("")}</div>
<div class="columns"><h2>Thresholds</h2>${thresholds.map(text => `<div>${text}</div>`).join("")}</div>
<div class="columns"><h2>Gain in dB, for a level in the band</h2>${tables.map(text => `<div>${text}</div>`).join("")}</div>
<p><a href="${escaped(address)}">Open this fitting</a></p>
<p>Levels are nominal: the level at the ear depends on the headphone and on the volume.</p>
<p>No medical device. Made by the page "Hear a fitting" of HearingProcessing.</p></body></html>
`;
}

/// The day of a date in the local time zone, as YYYY-MM-DD.
function localDay(date) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(number => String(number).padStart(2, "0")).join("-");
}

function pictureText(svg) {
  const copy = svg.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")])
    for (const name of element.getAttributeNames())
      if (["role", "tabindex", "id"].includes(name) || name.startsWith("aria-")) element.removeAttribute(name);
  copy.querySelectorAll(".now, .target, .focus").forEach(element => element.remove());
  return new XMLSerializer().serializeToString(copy);
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, letter => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
}
