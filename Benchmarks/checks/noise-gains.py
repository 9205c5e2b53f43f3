#!/usr/bin/env python3
"""Measures the gains of hearing-render in white noise, independently of the package.

    python3 Benchmarks/checks/noise-gains.py [PATH/TO/hearing-render]      from the package's folder; needs numpy

White noise is rendered with NAL-R for four audiograms. The gain at each band centre is the transfer
function between input and output, computed from averaged cross spectra. It is compared with NAL-R,
which is computed here from its published equation. Then one file is rendered with N2 for the left
ear and S1 for the right ear. Each channel must have its own gains, and a silent channel must stay
silent.
"""
import json, os, subprocess, sys, tempfile
import numpy as np
import wav

BANDS = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
POINTS = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]
AUDIOGRAMS = {
    "N2": [20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50],
    "N3": [35, 35, 35, 35, 40, 45, 50, 55, 60, 65],
    "N4": [55, 55, 55, 55, 55, 60, 65, 70, 75, 80],
    "S1": [10, 10, 10, 10, 10, 10, 15, 30, 55, 70],
}
# Source: Byrne & Dillon 1986.
NALR_F = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]
NALR_K = [-17, -8, -3, 1, 1, -1, -2, -2, -2]
RATE = 48_000


def nal_r(thresholds):
    at = lambda f, xs, ys: np.interp(np.log(f), np.log(xs), ys)
    h = lambda f: at(f, POINTS, thresholds)
    average = (h(500) + h(1000) + h(2000)) / 3
    return np.array([max(0.0, 0.15 * average + 0.31 * h(f) + at(f, NALR_F, NALR_K)) for f in BANDS])


def gains(source, rendered, size=1 << 14):
    window = np.hanning(size)
    cross, power = 0, 0
    for start in range(RATE // 2, source.size - size, size // 2):
        x = np.fft.rfft(window * source[start:start + size])
        y = np.fft.rfft(window * rendered[start:start + size])
        cross, power = cross + y * np.conj(x), power + np.abs(x) ** 2
    transfer = 20 * np.log10(np.abs(cross / power))
    return np.interp(BANDS, np.arange(transfer.size) * RATE / size, transfer)


def render(tool, noise, output, *options):
    subprocess.run([tool, noise, output, "--rule", "nal-r", "--full-scale-spl", "100", "--keep-scale", "--quiet", *options],
                   check=True)
    return wav.read(output)


def main():
    tool = sys.argv[1] if len(sys.argv) > 1 else ".build/release/hearing-render"
    if not os.access(tool, os.X_OK):
        sys.exit(f"{tool} does not exist: run swift build -c release in the package's folder")
    generator = np.random.default_rng(1)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        noise, output = os.path.join(folder, "noise.wav"), os.path.join(folder, "output.wav")
        source = generator.normal(0, 0.002, (2, RATE * 20)).astype("<f4").astype(float)
        wav.write(noise, source, RATE)
        for name, thresholds in AUDIOGRAMS.items():
            rendered = render(tool, noise, output, "--audiogram", name)
            for channel, ear in enumerate(("left", "right")):
                error = gains(source[channel], rendered[channel]) - nal_r(thresholds)
                worst = max(worst, np.abs(error).max())
                print(f"{name} {ear:<6}", " ".join(f"{e:+.3f}" for e in error))
        print(f"largest error at the band centres: {worst:.3f} dB (at most 0.25)")

        profile = os.path.join(folder, "profile.json")
        ear = lambda name: {"points": [{"frequency": f, "threshold": t} for f, t in zip(POINTS, AUDIOGRAMS[name])]}
        with open(profile, "w") as file:
            json.dump({"format": "hearing-profile", "version": 1, "left": ear("N2"), "right": ear("S1")}, file)
        rendered = render(tool, noise, output, "--audiogram", profile)
        each = max(np.abs(gains(source[c], rendered[c]) - nal_r(AUDIOGRAMS[n])).max() for c, n in ((0, "N2"), (1, "S1")))
        print(f"left N2, right S1: largest error {each:.3f} dB")
        leak = -np.inf
        for silent in (0, 1):
            half = source.copy()
            half[silent] = 0
            wav.write(noise, half, RATE)
            rendered = render(tool, noise, output, "--audiogram", profile)
            loud, quiet = rendered[1 - silent], rendered[silent]
            level = 20 * np.log10(np.sqrt(np.mean(quiet ** 2)) / np.sqrt(np.mean(loud ** 2)) + 1e-30)
            leak = max(leak, level)
        print(f"leak into the silent channel: {leak:.0f} dB (below -100)")
    sys.exit(0 if worst <= 0.25 and each <= 0.25 and leak < -100 else 1)


main()
