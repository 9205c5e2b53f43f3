#!/usr/bin/env python3
"""Compares the spectra on the page of `hearing-render --report` with spectra that numpy computes.

    python3 Benchmarks/checks/third-octaves.py .build/release/hearing-render

The input is pink noise with three tones. The levels before and after rendering are compared in
every third-octave band from 50 Hz to 20 kHz (bands of IEC 61260-1, base ten). They must agree
within 0.2 dB with levels from one transform of the whole file.
"""
import argparse, os, re, subprocess, sys, tempfile
import numpy as np
import wav

RATE, SECONDS, LIMIT, FULL_SCALE_SPL = 48_000, 20, 0.2, 100.0


def levels(samples):
    """The level in dB SPL of each third-octave band, by the number of the band (30: 1000 Hz)."""
    power = 2 * np.abs(np.fft.rfft(samples)) ** 2 / len(samples) ** 2
    frequencies = np.fft.rfftfreq(len(samples), 1 / RATE)
    result = {}
    for number in range(17, 44):
        center = 10 ** (number / 10)
        inside = (frequencies >= center * 10**-0.05) & (frequencies < center * 10**0.05)
        result[number] = 10 * np.log10(power[inside].sum()) + FULL_SCALE_SPL
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the built hearing-render")
    program = os.path.abspath(parser.parse_args().program)
    if not os.access(program, os.X_OK):
        parser.error(f"{program} is not a program")
    generator = np.random.default_rng(1)
    spectrum = np.fft.rfft(generator.standard_normal(RATE * SECONDS))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    pink = np.fft.irfft(spectrum)
    time = np.arange(RATE * SECONDS) / RATE
    tones = sum(np.sin(2 * np.pi * frequency * time) for frequency in (250, 1000, 4000))
    samples = 0.01 * pink / np.std(pink) + 0.01 * tones
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        wav.write(path("in.wav"), samples, RATE)
        for rule in ("nal-r", "camfit-compressive"):
            subprocess.run(
                [program, path("in.wav"), path("out.wav"), "--rule", rule, "--full-scale-spl", str(FULL_SCALE_SPL),
                 "--report", path("report.html"), "--keep-scale", "--quiet"], check=True)
            with open(path("report.html"), encoding="utf-8") as file:
                page = file.read().replace("−", "-")
            for when, name in (("before", "in.wav"), ("after", "out.wav")):
                expected = levels(wav.read(path(name))[0])
                # The page contains each picture twice, for wide and for narrow screens.
                found = re.findall(rf"Left ear, {when}, ([\d.]+) Hz: (-?[\d.]+) dB SPL", page)
                shown = sorted(set(found))
                if len(shown) != len(expected):
                    sys.exit(f"{rule}, {when}: {len(shown)} bands of {len(expected)}")
                for frequency, level in shown:
                    number = round(10 * np.log10(float(frequency)))
                    worst = max(worst, abs(float(level) - expected[number]))
    print(f"thirds of an octave agree with numpy's within {worst:.2f} dB (limit {LIMIT} dB)")
    sys.exit(1 if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
