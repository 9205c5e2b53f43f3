// Reads and writes hearing profiles as JSON, in the schema of HearingFitting's `HearingProfile`.
// Also reads simple CSV tables.

/// Reads a profile from a JSON or CSV text as `{left, right, test}`. `left` and `right` are the points of
/// each ear, or null for an unknown ear. `test` is the procedure and the notes of the hearing test, or
/// null without a test.
///
/// Throws an Error with a sentence for the listener.
export function readProfile(text) {
  const content = text.replace(/^\uFEFF/, "");
  return /^\s*[[{]/.test(content) ? readJSON(content) : readTable(content);
}

function readJSON(text) {
  let profile;
  try {
    profile = JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON.");
  }
  if (profile?.format !== "hearing-profile") throw new Error("The file is not a hearing profile.");
  if (profile.version !== 1) throw new Error(`Version ${profile.version} of hearing profiles is unknown.`);
  if (profile.leftDiscomfort || profile.rightDiscomfort)
    throw new Error("This page does not read measured discomfort levels, which limit the output. Use hearing-fit.");
  const ears = { left: readEar(profile.left, "left"), right: readEar(profile.right, "right") };
  if (!ears.left && !ears.right) throw new Error("The profile has no audiogram.");
  // When the page saves a record, it marks the record as a self-test. Therefore the record of a
  // simulated test is not read.
  return { ...ears, test: profile.method === "self-test" ? readTest(profile.record) : null };
}

const name = /^[a-z0-9-]{1,40}$/;

/// Returns the record of a hearing test as `{procedure, notes}`; null without a record. Throws an
/// Error if a name in the record is invalid.
function readTest(record) {
  if (record === undefined || record === null) return null;
  const { procedure, notes = [] } = record;
  if (!Array.isArray(notes) || notes.length > 20 || ![procedure, ...notes].every(text => typeof text === "string" && name.test(text)))
    throw new Error("The record of the hearing test has an unknown form.");
  return { procedure, notes };
}

function readEar(ear, name) {
  if (ear === undefined || ear === null) return null;
  if (!Array.isArray(ear.points)) throw new Error(`${name}: there are no points.`);
  const points = ear.points.map((point, index) => {
    const { frequency, threshold } = point ?? {};
    const place = `${name}, point ${index + 1}`;
    if (typeof frequency !== "number") throw new Error(`${place}: the frequency is not a number.`);
    if (typeof threshold !== "number") throw new Error(`${place}: the threshold is not a number.`);
    checkRanges(frequency, threshold, place);
    const { isNoResponse = false } = point;
    if (typeof isNoResponse !== "boolean") throw new Error(`${place}: isNoResponse is neither true nor false.`);
    return limited(frequency, threshold, isNoResponse);
  });
  return sorted(points, name);
}

function limited(frequency, threshold, isNoResponse) {
  return { frequency, threshold: Math.min(120, Math.max(-10, threshold)), ...(isNoResponse && { isNoResponse }) };
}

function sorted(points, name) {
  if (points.length === 0 || points.length > 10000)
    throw new Error(`${name}: an audiogram has 1 to 10000 points.`);
  points.sort((a, b) => a.frequency - b.frequency);
  for (let index = 1; index < points.length; index++)
    if (points[index].frequency === points[index - 1].frequency)
      throw new Error(`${name}: ${points[index].frequency} Hz occurs twice.`);
  return points;
}

function checkRanges(frequency, threshold, place) {
  if (!(frequency >= 100 && frequency <= 20000))
    throw new Error(`${place}: ${frequency} Hz is outside 100 to 20000 Hz.`);
  if (!(threshold >= -20 && threshold <= 130))
    throw new Error(`${place}: ${threshold} dB HL is outside -20 to 130 dB HL.`);
}

const number = /^[-+]?\d+(\.\d+)?$/;
// The separators of tables. With a semicolon or a tab, numbers may have a decimal comma.
const separators = ["\t", ";", ","];

/// Reads a table with the columns frequency_hz, left_dbhl and right_dbhl in any order. The column
/// of one ear may be missing. An empty cell is an unknown threshold. The cell ">110", for example,
/// means no response up to 110 dB HL.
///
/// HearingFitting also reads other kinds of tables, which this page refuses. For tables that both
/// accept, HearingFitting and this page read the same thresholds.
function readTable(text) {
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: line.trimEnd(), place: `line ${index + 1}` }))
    .filter(({ line }) => !/^\s*(#|$|sep=.?$)/.test(line));
  if (lines.length === 0) throw new Error("The file is empty.");
  for (const separator of separators) {
    const names = cells(lines[0].line, separator).map(columnName);
    if (!names.includes("frequency") || !names.some(name => name === "left" || name === "right")) continue;
    if (new Set(names).size < names.length) throw new Error(`${lines[0].place}: a column occurs twice.`);
    return readRows(lines.slice(1), names, separator);
  }
  throw new Error(
    "The file is neither a hearing profile (JSON) nor a table (CSV) with the columns frequency_hz, left_dbhl, right_dbhl.");
}

function cells(line, separator) {
  return line.split(separator).map(cell => cell.trim().replace(/^"([^"]*)"$/, "$1").trim());
}

/// The kind of the column with the heading `text`: "frequency", "left" or "right". Returns `text`
/// itself for any other column.
function columnName(text) {
  const name = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (/^(frequency|freq|f)?(hz)?$/.test(name) && name !== "") return "frequency";
  return /^(left|right|l|r)(ear)?(threshold)?(dbhl|db|hl)?$/.test(name) ? (name[0] === "l" ? "left" : "right") : text;
}

function readRows(rows, names, separator) {
  const other = names.find(name => !["frequency", "left", "right"].includes(name));
  if (other !== undefined) throw new Error(`This page does not read the column "${other}". Remove it.`);
  const points = { left: [], right: [] };
  for (const { line, place } of rows) {
    const row = cells(line, separator);
    if (row.slice(names.length).some(cell => cell !== "")) throw new Error(`${place}: there are too many cells.`);
    const value = (text, kind) => {
      const plain = separator === "," ? text : text.replace(",", ".");
      if (!number.test(plain)) throw new Error(`${place}: "${text}" is not a ${kind}.`);
      return Number(plain);
    };
    for (const ear of ["left", "right"]) {
      const cell = row[names.indexOf(ear)] ?? "";
      if (cell === "") continue;
      const frequency = value(row[names.indexOf("frequency")], "frequency in Hz");
      const isNoResponse = cell.startsWith(">");
      const threshold = value(isNoResponse ? cell.slice(1).trim() : cell, "threshold in dB HL");
      checkRanges(frequency, threshold, place);
      points[ear].push(limited(frequency, threshold, isNoResponse));
    }
  }
  const ears = ["left", "right"].map(ear => points[ear].length === 0 ? null : sorted(points[ear], ear));
  if (!ears[0] && !ears[1]) throw new Error("The table has no threshold.");
  return { left: ears[0], right: ears[1], test: null };
}

/// The JSON text of a profile. `test` is the procedure and the notes of the hearing test, or null
/// without a test.
export function writeProfile({ left, right }, test) {
  const profile = { format: "hearing-profile", version: 1 };
  if (test) {
    profile.method = "self-test";
    profile.record = test;
  }
  if (left) profile.left = { points: left };
  if (right) profile.right = { points: right };
  return JSON.stringify(profile, null, 2) + "\n";
}
