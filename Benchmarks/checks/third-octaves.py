#!/usr/bin/env python3
"""Compares the spectra on the page of `hearing-render --report` with numpy's, from the files before and after.

    python3 Benchmarks/checks/third-octaves.py .build/release/hearing-render

Pink noise with three tones in it goes in; for both, every third of an octave from 50 Hz to 20 kHz must agree within
0.2 dB with the sum over one transform of the whole file (bands of IEC 61260-1, base ten).
"""
import os, re, subprocess, sys, tempfile
import numpy as np

RATE, SECONDS, LIMIT, FULL_SCALE_SPL = 48_000, 20, 0.2, 100.0


def write_wav(path, samples):
    data = samples.astype("<f4").tobytes()
    head = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    for value, size in ((3, 2), (1, 2), (RATE, 4), (4 * RATE, 4), (4, 2), (32, 2)):
        head += value.to_bytes(size, "little")
    with open(path, "wb") as file:
        file.write(head + b"data" + len(data).to_bytes(4, "little") + data)


def read_left(path):
    with open(path, "rb") as file:
        data = file.read()
    place, channels = 12, 0
    while place < len(data):
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        if name == b"fmt ":
            channels = int.from_bytes(data[place + 10 : place + 12], "little")
        if name == b"data":
            return np.frombuffer(data[place + 8 : place + 8 + size], "<f4").astype(float)[::channels]
        place += 8 + size + size % 2
    sys.exit(f"{path}: no sound")


def levels(samples):
    """dB SPL in each third of an octave, by the band's number (30: 1000 Hz)."""
    power = 2 * np.abs(np.fft.rfft(samples)) ** 2 / len(samples) ** 2
    frequencies = np.fft.rfftfreq(len(samples), 1 / RATE)
    result = {}
    for number in range(17, 44):
        center = 10 ** (number / 10)
        inside = (frequencies >= center * 10**-0.05) & (frequencies < center * 10**0.05)
        result[number] = 10 * np.log10(power[inside].sum()) + FULL_SCALE_SPL
    return result


def main():
    program = os.path.abspath(sys.argv[1])
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
        write_wav(path("in.wav"), samples)
        for rule in ("nal-r", "camfit-compressive"):
            subprocess.run(
                [program, path("in.wav"), path("out.wav"), "--rule", rule, "--full-scale-spl", str(FULL_SCALE_SPL),
                 "--report", path("report.html"), "--quiet"], check=True)
            with open(path("report.html"), encoding="utf-8") as file:
                page = file.read().replace("−", "-")
            for when, name in (("before", "in.wav"), ("after", "out.wav")):
                expected = levels(read_left(path(name)))
                shown = re.findall(rf"Left ear, {when}, ([\d.]+) Hz: (-?[\d.]+) dB SPL", page)
                if len(shown) != len(expected):
                    sys.exit(f"{rule}, {when}: {len(shown)} bands of {len(expected)}")
                for frequency, level in shown:
                    number = round(10 * np.log10(float(frequency)))
                    worst = max(worst, abs(float(level) - expected[number]))
    print(f"thirds of an octave agree with numpy's within {worst:.2f} dB (limit {LIMIT} dB)")
    sys.exit(1 if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
