#!/usr/bin/env python3
"""Compares the fits of headphone corrections with a general optimiser, in the same run.

    python3 Benchmarks/checks/headphone-fit.py [FILE.csv …] [--program "COMMAND"]

Without files, ten responses are made from a fixed seed. COMMAND gets a file and prints a fit in the
format of AutoEq's ParametricEQ.txt. The default is `Benchmarks headphone` of this checkout. The
reference is scipy's least_squares (trust region, three starts) with the same ten sections and
limits. If the package autoeq (PyPI) is installed, its optimiser is a second reference. Errors are
RMS in dB from 50 Hz to 10 kHz. They are computed here from the printed sections, as biquads of the
audio equaliser cookbook. The script ends with 1 if our error is above 0.5 dB, or if it exceeds
scipy's error by more than 0.02 dB and by more than 2 %. An error of at most 0.05 dB is never too
large, because it cannot be heard.
"""
import argparse, pathlib, re, shlex, subprocess, sys, tempfile
import numpy as np
from scipy.optimize import least_squares

from headphone_curves import GRID, INNER, RATE, made, section, wanted

WEIGHTS = np.where(INNER, 1, np.sqrt(0.1))
KINDS = ["LSC", "HSC"] + ["PK"] * 8


def error(sections, target):
    rest = target - sum(section(*one) for one in sections)
    return float(np.sqrt(np.mean(rest[INNER] ** 2)))


def oracle(target):
    low = [np.log2(20), -30, np.log2(0.4)] * 2 + [np.log2(20), -30, np.log2(0.2)] * 8
    high = [np.log2(15_000), 12, np.log2(1.2)] * 2 + [np.log2(10_000), 12, np.log2(6)] * 8
    def sections(x):
        return [(kind, 2 ** x[3 * i], x[3 * i + 1], 2 ** x[3 * i + 2]) for i, kind in enumerate(KINDS)]
    def residual(x):
        return WEIGHTS * (target - sum(section(*one) for one in sections(x)))
    best = np.inf
    for seed in range(3):
        generator = np.random.default_rng(seed)
        centers = np.sort(generator.uniform(np.log2(60), np.log2(9_500), 8)) if seed else np.linspace(
            np.log2(60), np.log2(9_500), 8)
        start = [np.log2(105), 0, np.log2(0.7), np.log2(8_000), 0, np.log2(0.7)]
        for center in centers:
            start += [center, np.interp(center, np.log2(GRID), target) / 2, 0.0]
        found = least_squares(residual, np.clip(start, np.add(low, 1e-6), np.subtract(high, 1e-6)), bounds=(low, high),
                              max_nfev=300)
        best = min(best, error(sections(found.x), target))
    return best


def autoeq_error(points, target):
    try:
        from autoeq.constants import PEQ_CONFIGS
        from autoeq.frequency_response import FrequencyResponse
    except ImportError:
        return None
    response = FrequencyResponse(name="curve", frequency=points[:, 0].copy(), raw=points[:, 1].copy())
    response.interpolate()
    response.center()
    response.equalization = np.interp(np.log(response.frequency), np.log(GRID), target)
    peq = response.optimize_parametric_eq(PEQ_CONFIGS["8_PEAKING_WITH_SHELVES"], RATE)[0]
    found = []
    for one in peq.filters:
        kind = {"Peaking": "PK", "LowShelf": "LSC", "HighShelf": "HSC"}[type(one).__name__]
        found.append((kind, one.fc, one.gain, one.q))
    return error(found, target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE.csv")
    parser.add_argument("--program", metavar="COMMAND")
    options = parser.parse_args()
    package = pathlib.Path(__file__).resolve().parent.parent
    command = shlex.split(options.program) if options.program else [
        "swift", "run", "-c", "release", "--package-path", str(package), "Benchmarks", "headphone"]
    isGood = True
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(path) for path in options.files]
        for seed in range(0 if files else 10):
            path = pathlib.Path(folder) / f"made-{seed}.csv"
            np.savetxt(path, made(seed), delimiter=",")
            files.append(path)
        for path in files:
            lines = path.read_text().splitlines()
            points = np.array([[float(cell) for cell in line.split(",")[:2]] for line in lines
                               if re.match(r"\s*[0-9]", line)])
            target = wanted(points)
            output = subprocess.run([*command, str(path)], check=True, stdout=subprocess.PIPE, text=True).stdout
            ours = error([(kind, float(f), float(g), float(q)) for kind, f, g, q in re.findall(
                r"ON (\w+) Fc (\S+) Hz Gain (\S+) dB Q (\S+)", output)], target)
            other, third = oracle(target), autoeq_error(points, target)
            isClose = ours <= 0.5 and ours <= max(1.02 * other, other + 0.02, 0.05)
            isGood = isGood and isClose
            print(f"{path.name:<24} ours {ours:.3f}  scipy {other:.3f}  autoeq "
                  + (f"{third:.3f}" if third is not None else "not installed")
                  + f"  without correction {error([], target):.3f}" + ("" if isClose else "  WORSE"), flush=True)
    sys.exit(0 if isGood else 1)


main()
