#!/usr/bin/env python3
"""Checks that two checkouts of this package render bit-identical output at the same speed.

    python3 Benchmarks/checks/compare-renderings.py BEFORE AFTER [--only TEXT] [--scratch FOLDER]
    python3 Benchmarks/checks/compare-renderings.py BEFORE AFTER --speed [--rounds N] [--only TEXT] [--scratch FOLDER]

BEFORE and AFTER are folders of checkouts. The driver in render-corpus, beside this script, is built
in release mode against each checkout, in a temporary package outside both. The driver uses only the
public API. Nothing is written to the checkouts. With --scratch, the builds stay in FOLDER, and the
next run builds only what has changed.

Without --speed, each build renders a seeded corpus of cases. For each case, the build prints
digests of the output samples, the levels, the limiter's reports, the frequency response with the
version numbers of the settings, and the events. The script lists the cases that differ, and which
of their digests differ. For the first of these cases, the script also prints the first sample that
differs. With --only, only cases with TEXT in their name are rendered. If a case differs, the script
ends with 1.

Identical digests show equality only for the corpus. Some numbers have an effect only through a
yes-or-no decision, for example a threshold of the voice detector. A change of such a number is
detected only if a decision in the corpus changes. For example, the decay of the call's echo
envelope is 0.794. A change to 0.5 is reported. A change to 0.795 is not reported.

With --speed, the two builds are timed alternately (by default 20 rounds). For each chain (settings
of a processor, with a block size), the script prints the shortest time of each build and the ratio
of these two times. It also prints the median of the ratios of all rounds. If the ratio of the
shortest times is above 1.03, the ratio is marked, and the script ends with 1. For blocks of one
frame, the limit is 1.08. On a busy machine, run the script again before you trust a mark.

If names differ between BEFORE and AFTER, use `#if AFTER` in ProcessorUnderTest.swift or
VoiceUnderTest.swift. Only these two files of the driver call the library.
"""
import argparse, array, collections, math, os, pathlib, shutil, statistics, struct, subprocess, sys, tempfile

DRIVER = pathlib.Path(__file__).resolve().parent / "render-corpus"
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "render-corpus",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "{name}", path: "{path}")],
  targets: [
    .executableTarget(
      name: "render-corpus", dependencies: [{products}], swiftSettings: [.define("{label}")])
  ],
  swiftLanguageModes: [.v6]
)
"""
# The maximum number of differing cases that are rendered again to find the first differing
# sample.
TRACED = 5
ALLOWED, ALLOWED_SINGLE = 1.03, 1.08


def build(checkout, label, scratch):
    """Builds the driver against a checkout, and returns the path of the executable."""
    checkout = pathlib.Path(checkout).resolve()
    manifest = checkout / "Package.swift"
    if not manifest.is_file():
        sys.exit(f"{checkout}: no Package.swift; expected the folder of a checkout")
    package = scratch / label.lower()
    sources = package / "Sources" / "render-corpus"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(DRIVER, sources)
    modules = ["HearingDSP"]
    if '.library(name: "HearingVoice"' in manifest.read_text(encoding="utf-8"):
        modules.append("HearingVoice")
    # SwiftPM identifies a package in a local folder by the name of the folder.
    products = ", ".join(f'.product(name: "{module}", package: "{checkout.name}")' for module in modules)
    write_if_changed(
        package / "Package.swift",
        MANIFEST.format(name=checkout.name, path=checkout, products=products, label=label))
    command = ["swift", "build", "-c", "release", "--package-path", package, "--scratch-path", package / "build",
               "--product", "render-corpus"]
    print(f"building against {checkout}", file=sys.stderr)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{result.stdout}\nthe driver does not build against {checkout}")
    folder = subprocess.run(command + ["--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return pathlib.Path(folder.strip()) / "render-corpus"


def write_if_changed(path, text):
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def run(executable, *arguments):
    """The lines that an executable prints."""
    result = subprocess.run([executable, *arguments], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{executable} {' '.join(map(str, arguments))}: ended with {result.returncode}")
    return result.stdout.splitlines()


def renderings(executable, only):
    """The digests of each case by kind, and lines about the coverage of the corpus."""
    cases, notes = {}, []
    for line in run(executable, *(["--only", only] if only else [])):
        if line.startswith("#"):
            notes.append(line[2:])
            continue
        name, *digests = line.split(" ")
        if name in cases:
            sys.exit(f"two cases are named {name}")
        cases[name] = dict(digest.split("=") for digest in digests)
    if not cases:
        sys.exit("no case was rendered")
    return cases, notes


def compare(before, after, only, scratch):
    cases, notes = renderings(before, only)
    others, _ = renderings(after, only)
    for note in notes:
        print("before: " + note)
    differing = {}
    for name in list(cases) + [name for name in others if name not in cases]:
        one, other = cases.get(name), others.get(name)
        if one is None or other is None:
            differing[name] = ["missing " + ("before" if one is None else "after")]
            continue
        kinds = [kind for kind in one if one[kind] != other.get(kind)] + [k for k in other if k not in one]
        if kinds:
            differing[name] = kinds
    for name, kinds in differing.items():
        print(f"differs: {name}: {', '.join(kinds)}")
    for name in [name for name, kinds in differing.items() if "output" in kinds][:TRACED]:
        print(f"  {name}: {first_difference(before, after, name, scratch)}")
    total = len(cases.keys() | others.keys())
    print(f"{total - len(differing)} of {total} cases are identical")
    if differing:
        groups = collections.Counter(name.split("/")[0] for name in differing)
        print("differing: " + ", ".join(f"{count} in {group}" for group, count in groups.items()))
        kinds = collections.Counter(kind for kinds in differing.values() for kind in kinds)
        print("by kind: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    return not differing


def first_difference(before, after, name, scratch):
    one, other = (trace(executable, name, scratch / "trace") for executable in (before, after))
    channels = max(len(one), 1)
    if [len(c) for c in one] != [len(c) for c in other]:
        return "another number of channels or frames"
    places = [
        (frame, channel) for channel in range(channels)
        if (frame := next((i for i, (a, b) in enumerate(zip(one[channel], other[channel])) if a != b), None)) is not None
    ]
    if not places:
        return "the samples are the same; guard samples around a block were overwritten"
    frame, channel = min(places)
    worst = max((abs(value(a) - value(b)) for x, y in zip(one, other) for a, b in zip(x, y)
                 if a != b and math.isfinite(value(a)) and math.isfinite(value(b))), default=math.nan)
    a, b = one[channel][frame], other[channel][frame]
    return (f"{len(places)} of {channels} channels; first in channel {channel}, frame {frame}: {value(a):.9g} ({a:08x}) "
            f"before, {value(b):.9g} ({b:08x}) after; largest difference {worst:.3g}")


def trace(executable, name, path):
    """The output samples of a case as bit patterns: a list of frames for each channel."""
    run(executable, "--trace", name, path)
    data = path.read_bytes()
    path.unlink()
    count = int.from_bytes(data[:4], "little")
    words = array.array("I", data[4:])
    if sys.byteorder == "big":
        words.byteswap()
    frames = len(words) // max(count, 1)
    return [words[channel * frames:(channel + 1) * frames] for channel in range(count)]


def value(word):
    return struct.unpack("<f", word.to_bytes(4, "little"))[0]


def compare_speed(before, after, rounds, text):
    times, units = collections.defaultdict(lambda: ([], [])), {}
    for number in range(rounds):
        # The builds run in alternating order.
        for build in ((0, 1), (1, 0))[number % 2]:
            for line in run((before, after)[build], "--speed", *([text] if text else [])):
                name, time, units[name] = line.split("\t")
                times[name][build].append(float(time))
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    width = max(map(len, times))
    print(f"{'chain':{width}}  {'before':>9}  {'after':>9}  ratio  median ratio")
    isGood = True
    for name, (one, other) in times.items():
        if len(one) != len(other):
            sys.exit(f"{name} is timed in one of the builds only")
        ratio = min(other) / min(one)
        median = statistics.median(b / a for a, b in zip(one, other))
        allowed = ALLOWED_SINGLE if name.endswith("block 1") else ALLOWED
        mark = "" if ratio <= allowed else f"  SLOWER by more than {(allowed - 1) * 100:.0f} %"
        isGood = isGood and not mark
        print(f"{name:{width}}  {min(one):9.2f}  {min(other):9.2f}  {ratio:5.3f}  {median:12.3f}  {units[name]}{mark}")
    return isGood


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="BEFORE")
    parser.add_argument("after", metavar="AFTER")
    parser.add_argument("--only", metavar="TEXT", help="only cases and chains whose name contains TEXT")
    parser.add_argument("--speed", action="store_true", help="compare the speed instead of the results")
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="rounds of --speed; default 20")
    parser.add_argument("--scratch", metavar="FOLDER", help="where builds are kept; default: a temporary folder")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(options.scratch or temporary).resolve()
        before = build(options.before, "BEFORE", scratch)
        after = build(options.after, "AFTER", scratch)
        isGood = (compare_speed(before, after, options.rounds, options.only) if options.speed
                  else compare(before, after, options.only, pathlib.Path(temporary)))
    sys.exit(0 if isGood else 1)


main()
