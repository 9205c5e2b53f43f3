#!/usr/bin/env python3
"""Shows how the scores change if a constant of the echo estimator changes.

    python3 Benchmarks/echo/vary.py MATERIAL [--factor 1.5] [--only TEXT] [--step 3]

Run it from the package's folder. MATERIAL and the requirements are those of conversations.py. The
script copies the package, makes each constant of EchoTuning.swift variable in the copy, builds the
copy, and runs the scenes with which constants are chosen: once unchanged, and with each constant
divided and multiplied by the factor. --only selects the constants with TEXT in their names. --step
selects every STEPth pair of talkers. With the defaults, the script needs 40 minutes on two cores.

If a constant is between 0.5 and 1, such as a decay, its distance to 1 is divided instead of
multiplied by the factor, and multiplied instead of divided.

The first row contains the figures without a change. All other rows contain differences to the first
row: with the divided constant / with the multiplied constant. A dot means a difference of less than
one unit. If all differences of a constant are less than one unit, the constant is listed below the
table.
"""
import argparse, concurrent.futures, os, re, shutil, subprocess, tempfile
import numpy as np
import conversation_scenes as scenes
from conversations import scene_cache, score

# Column, group, row, and period in seconds. A row of None stands for all rows of the group.
COLUMNS = (("first frame, 0.5–1 s", "near from the first frame", "near +0 dB", (.5, 1)),
           ("2–4 s", "near from the first frame", "near +0 dB", (2, 4)),
           ("4–24 s", "near from the first frame", "near +0 dB", (4, 24)),
           ("after 8 s", "near after 8 s of far talk", "near +0 dB", (8, 10)),
           ("far joins", "far talk joins near talk", "near +0 dB", (6, 7)),
           ("room change", "path change in double talk", "room", (12, 14)),
           ("joins distorted", "near joins distorted echo", "near +0 dB", (8, 10)),
           ("plain, 0.3–2 s", "echo alone", "plain", (.3, 2)),
           ("15–24 s", "echo alone", "plain", (15, 24)),
           ("room change, 12–13 s", "echo alone", "room changes at 12 s", (12, 13)),
           ("distorted", "distorting loudspeaker", None, (2, 24)))
VARIED = """
internal import Foundation

/// Changes the constant that the environment variable VARY names: `name=factor`.
private func varied(_ name: String, _ value: Float) -> Float {
  guard let change = getenv("VARY").map({ String(cString: $0) }) else { return value }
  let parts = change.split(separator: "=")
  guard parts[0] == name, let factor = Float(parts[1]) else { return value }
  return value > 0.5 && value < 1 ? 1 - (1 - value) / factor : value * factor
}
"""


def variable(source):
    """The source of EchoTuning with variable constants, and the names of the constants."""
    names = []

    def replaced(match):
        name, type, value = match.groups()
        names.append(name)
        if value.startswith("SIMD"):
            return f'  let {name} = {value} * varied("{name}", 1)'
        return f'  let {name} = varied("{name}", {value})' if type else f'  let {name} = Int(varied("{name}", {value}).rounded())'

    return re.sub(r"^  let (\w+)(: Float)? = (.+)$", replaced, source, flags=re.MULTILINE) + VARIED, names


def build(folder):
    """Builds a copy of the package with variable constants.

    Returns the executable and the names.
    """
    shutil.copytree(".", folder, ignore=shutil.ignore_patterns(".build", ".git"))
    path = os.path.join(folder, "Sources/HearingVoice/EchoCancellation/EchoTuning.swift")
    source, names = variable(open(path).read())
    with open(path, "w") as file:
        file.write(source)
    # The variable constants violate the real-time rules of the package. With DEBUG, the compiler
    # does not check these rules.
    command = ["swift", "build", "--package-path", os.path.join(folder, "Benchmarks"), "-c", "release", "-Xswiftc", "-DDEBUG"]
    subprocess.run([*command, "--product", "Benchmarks"], check=True)
    place = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(place, "Benchmarks"), names


def figures(tasks):
    """The mean of each column."""
    values = [[] for _ in COLUMNS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for group, row, _, found, _ in pool.map(score, tasks):
            for column, (_, wanted, name, period) in zip(values, COLUMNS):
                if group == wanted and name in (row, None) and period in found:
                    column.append(found[period][0])
    return np.array([np.nanmean(column) for column in values])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material")
    parser.add_argument("--factor", type=float, default=1.5)
    parser.add_argument("--only", default="")
    parser.add_argument("--step", type=int, default=3)
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "echo-tuning-scenes"))
    options = parser.parse_args()
    if not os.path.isdir(options.material):
        parser.error(f"{options.material} is not a folder")
    options.cache = scene_cache(options.cache, options.material)
    (options.ours, options.mode) = (True, "echo")
    counts, cases = {}, []
    for group, row, *rest in scenes.cases(options.material, "tune"):
        counts[group, row] = counts.get((group, row), 0) + 1
        if any(group == wanted and name in (row, None) for _, wanted, name, _ in COLUMNS) and counts[group, row] % options.step == 1 % options.step:
            cases.append((f"{group}, {row} {counts[group, row]}", group, row, *rest))
    with tempfile.TemporaryDirectory() as folder:
        program, names = build(os.path.join(folder, "package"))
        tasks = [(case, options, program) for case in cases]
        os.environ.pop("VARY", None)
        base = figures(tasks)
        print("| constant | " + " | ".join(column[0] for column in COLUMNS) + " |\n| --- |" + " ---: |" * len(COLUMNS))
        print("| none | " + " | ".join(f"{value:.0f}" for value in base) + " |", flush=True)
        same = []
        for name in names:
            if options.only not in name:
                continue
            rows = []
            for factor in (1 / options.factor, options.factor):
                os.environ["VARY"] = f"{name}={factor}"
                rows.append(np.round(figures(tasks) - base).astype(int))
            if not np.any(rows):
                same.append(name)
                continue
            text = lambda value: f"{value:+d}" if value else "·"
            print(f"| {name} | " + " | ".join(f"{text(low)} / {text(high)}" for low, high in zip(*rows)) + " |", flush=True)
        if same:
            print("\nLess than one unit: " + ", ".join(same))


if __name__ == "__main__":
    main()
