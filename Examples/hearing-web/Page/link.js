// The fitting in the fragment of the URL, which browsers do not send to the server.

const limits = { intensity: [0, 100], level: [40, 90] };

// The pattern of the text for the procedure and the notes of a hearing test.
const tests = /^([a-z0-9-]{1,40}):((?:[a-z0-9-]{1,40}(?:,[a-z0-9-]{1,40}){0,19})?)$/;

/// Writes the state of the page as text for a link. `left` and `right` are the points of each ear,
/// as in a profile.
export function writeLink({ left, right, test, rule, program, intensity, level, tuning }) {
  const parts = [];
  if (left) parts.push(`left=${ear(left)}`);
  if (right) parts.push(`right=${ear(right)}`);
  if (test) parts.push(`test=${test.procedure}:${test.notes.join(",")}`);
  if (rule) parts.push(`rule=${rule}`);
  if (program !== "speech") parts.push(`program=${program}`);
  if (intensity !== 100) parts.push(`intensity=${intensity}`);
  if (level !== 65) parts.push(`level=${level}`);
  if (tuning.some(value => value !== 0)) parts.push(`tuning=${tuning.join(",")}`);
  return parts.join("&");
}

// Small numbers must not be written with an exponent.
function ear(points) {
  const rounded = value => Number(value.toFixed(3));
  return points.map(point => `${rounded(point.frequency)}:${rounded(point.threshold)}${point.isNoResponse ? "!" : ""}`).join(",");
}

/// Reads the state from a text that `writeLink` wrote. For an invalid text, throws an Error with a
/// sentence for the listener.
export function readLink(text) {
  const parts = new URLSearchParams(text);
  const state = { left: readEar(parts.get("left")), right: readEar(parts.get("right")) };
  if (!state.left && !state.right) throw new Error("The link has no audiogram.");
  const test = parts.get("test"), match = tests.exec(test ?? "");
  if (test !== null && !match) throw new Error("The link has an unknown result of a hearing test.");
  state.test = match && { procedure: match[1], notes: match[2] ? match[2].split(",") : [] };
  state.rule = parts.get("rule") ?? "";
  state.program = parts.get("program") ?? "speech";
  if (!["speech", "music"].includes(state.program)) throw new Error("The link has an unknown program.");
  for (const [name, usual] of [["intensity", 100], ["level", 65]]) {
    const value = Number(parts.get(name) ?? usual), [lowest, highest] = limits[name];
    if (!(value >= lowest && value <= highest)) throw new Error(`The link has a wrong ${name}.`);
    state[name] = value;
  }
  state.tuning = (parts.get("tuning") ?? "0,0,0").split(",").map(Number);
  if (state.tuning.length !== 3 || !state.tuning.every(value => Math.abs(value) <= 1))
    throw new Error("The link has a wrong fine tuning.");
  return state;
}

function readEar(text) {
  if (!text) return null;
  const points = text.split(",").map(part => {
    const match = /^(\d+(?:\.\d+)?):(-?\d+(?:\.\d+)?)(!?)$/.exec(part);
    if (!match) throw new Error("The link has a damaged audiogram.");
    const [frequency, threshold] = [Number(match[1]), Number(match[2])];
    if (!(frequency >= 100 && frequency <= 20000 && threshold >= -10 && threshold <= 120))
      throw new Error("The link has a damaged audiogram.");
    return { frequency, threshold, ...(match[3] && { isNoResponse: true }) };
  });
  if (points.some((point, index) => index > 0 && point.frequency <= points[index - 1].frequency))
    throw new Error("The link has a damaged audiogram.");
  return points;
}
