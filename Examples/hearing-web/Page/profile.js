// Hearing profiles as JSON, in the schema of HearingFitting's `HearingProfile`.

/// The profile in a JSON text as `{left, right}`: points of each ear, or null for an unknown ear.
///
/// Throws an Error with a sentence for the listener.
export function readProfile(text) {
  let profile;
  try {
    profile = JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON.");
  }
  if (profile?.format !== "hearing-profile") throw new Error("The file is not a hearing profile.");
  if (profile.version !== 1) throw new Error(`Version ${profile.version} of hearing profiles is unknown.`);
  const ears = { left: readEar(profile.left, "left"), right: readEar(profile.right, "right") };
  if (!ears.left && !ears.right) throw new Error("The profile has no audiogram.");
  return ears;
}

function readEar(ear, name) {
  if (ear === undefined || ear === null) return null;
  if (!Array.isArray(ear.points)) throw new Error(`${name}: there are no points.`);
  const points = ear.points.map((point, index) => {
    const { frequency, threshold } = point ?? {};
    const place = `${name}, point ${index + 1}`;
    if (typeof frequency !== "number") throw new Error(`${place}: the frequency is not a number.`);
    if (typeof threshold !== "number") throw new Error(`${place}: the threshold is not a number.`);
    if (!(frequency >= 100 && frequency <= 20000))
      throw new Error(`${place}: ${frequency} Hz is outside 100 to 20000 Hz.`);
    if (!(threshold >= -20 && threshold <= 130))
      throw new Error(`${place}: ${threshold} dB HL is outside -20 to 130 dB HL.`);
    const { isNoResponse = false } = point;
    if (typeof isNoResponse !== "boolean") throw new Error(`${place}: isNoResponse is neither true nor false.`);
    return { frequency, threshold: Math.min(120, Math.max(-10, threshold)), ...(isNoResponse && { isNoResponse }) };
  });
  if (points.length === 0 || points.length > 10000)
    throw new Error(`${name}: an audiogram has 1 to 10000 points.`);
  points.sort((a, b) => a.frequency - b.frequency);
  for (let index = 1; index < points.length; index++)
    if (points[index].frequency === points[index - 1].frequency)
      throw new Error(`${name}: ${points[index].frequency} Hz occurs twice.`);
  return points;
}

/// The JSON text of a profile.
export function writeProfile({ left, right }) {
  const profile = { format: "hearing-profile", version: 1 };
  if (left) profile.left = { points: left };
  if (right) profile.right = { points: right };
  return JSON.stringify(profile, null, 2) + "\n";
}
