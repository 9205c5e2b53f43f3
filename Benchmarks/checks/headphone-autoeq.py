#!/usr/bin/env python3
"""Compares rendered headphone corrections with those of AutoEq, for the same responses.

    python3 -m venv venv && venv/bin/pip install autoeq
    swift build -c release --product hearing-render
    venv/bin/python Benchmarks/checks/headphone-autoeq.py [PATH of hearing-render]

Ten responses are made from fixed seeds. The target is a flat response. Boosts are limited to 12 dB,
and to 6 dB above 10 kHz. For each response, AutoEq (with its eight peaks and two shelves at 48 kHz)
writes ParametricEQ.txt and GraphicEQ.txt. `hearing-render --headphone` gets these two files and the
measured response. It renders an impulse without any other gain. For each response, the script
prints these figures in dB:

- file: the maximum difference between two responses from 20 Hz to 16 kHz. hearing-render renders
  the first response from ParametricEQ.txt. AutoEq's filters compute the second response from the
  same file, with the preamp.
- graphic: the RMS difference between the rendered response and the curve in GraphicEQ.txt, from 50
  Hz to 10 kHz. The difference of their mean levels is removed.
- ours: the RMS error of the correction that hearing-render fits to the measured response.
- AutoEq: the RMS error of the filters in AutoEq's ParametricEQ.txt. Both errors are computed from
  50 Hz to 10 kHz, without the mean.

The script ends with 1 if `file` exceeds 0.05, if `graphic` or `ours` exceeds 0.5, or if `ours`
exceeds AutoEq's error by more than 0.02.
"""
import pathlib, re, subprocess, sys, tempfile
import numpy as np
from autoeq.constants import PEQ_CONFIGS
from autoeq.frequency_response import FrequencyResponse
from autoeq.peq import HighShelf, LowShelf, Peaking

import wav
from headphone_curves import GRID, INNER, RATE, made, wanted

AUDIBLE = GRID <= 16_000


def rendered(program, folder, headphone):
    """The response in dB, on the frequency grid, of `hearing-render --headphone` for an impulse."""
    source, target, audiogram = (folder / name for name in ("impulse.wav", "rendered.wav", "normal.csv"))
    impulse = np.zeros(2 * RATE)
    impulse[RATE // 2] = 0.1
    wav.write(source, impulse, RATE)
    audiogram.write_text("frequency_hz,left_dbhl,right_dbhl\n1000,0,0\n")
    subprocess.run(
        [program, source, target, "--audiogram", audiogram, "--rule", "half-gain", "--headphone", headphone, "--full-scale-spl",
         "100", "--keep-scale", "--quiet"], check=True)
    response = wav.read(target)[0][RATE // 2 :] / 0.1
    # The discrete Fourier transform, only at the frequencies of the grid.
    time = np.arange(len(response))
    return np.array([20 * np.log10(abs(np.sum(response * np.exp(-2j * np.pi * f / RATE * time)))) for f in GRID])


def autoeq_files(points, target, folder):
    """Writes AutoEq's files for a response, and returns their paths."""
    response = FrequencyResponse(name="curve", frequency=points[:, 0].copy(), raw=points[:, 1].copy())
    response.interpolate()
    response.center()
    response.equalization = np.interp(np.log(response.frequency), np.log(GRID), target)
    parametric, graphic = folder / "ParametricEQ.txt", folder / "GraphicEQ.txt"
    response.write_eqapo_parametric_eq(parametric, response.optimize_parametric_eq(PEQ_CONFIGS["8_PEAKING_WITH_SHELVES"], RATE))
    response.write_eqapo_graphic_eq(graphic)
    return parametric, graphic


def parametric_curve(text):
    """The sum of the filters in the file in dB. Each filter is evaluated by AutoEq."""
    kinds = {"PK": Peaking, "LSC": LowShelf, "HSC": HighShelf}
    found = re.findall(r"ON (\w+) Fc (\S+) Hz Gain (\S+) dB Q (\S+)", text)
    filters = [kinds[kind](GRID, RATE, fc=float(fc), gain=float(gain), q=float(q)) for kind, fc, gain, q in found]
    return float(re.search(r"Preamp: (\S+) dB", text)[1]) + sum(one.fr for one in filters)


def graphic_curve(text):
    points = np.array([[float(word) for word in item.split()] for item in text.split(":", 1)[1].split(";")])
    return np.interp(np.log(GRID), np.log(points[:, 0]), points[:, 1])


def rms(difference):
    return float(np.std(difference[INNER]))


def main():
    package = pathlib.Path(__file__).resolve().parent.parent.parent
    program = sys.argv[1] if len(sys.argv) > 1 else package / ".build/release/hearing-render"
    is_good = True
    print(f"{'response':<12}{'file':>8}{'graphic':>9}{'ours':>8}{'AutoEq':>8}{'uncorrected':>13}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(10):
            points = made(seed)
            target = wanted(points)
            measured = folder / "measured.csv"
            np.savetxt(measured, points, delimiter=",")
            parametric, graphic = autoeq_files(points, target, folder)
            written = parametric_curve(parametric.read_text())
            file = float(np.max(np.abs((rendered(program, folder, parametric) - written)[AUDIBLE])))
            curve = rms(rendered(program, folder, graphic) - graphic_curve(graphic.read_text()))
            ours, theirs = rms(rendered(program, folder, measured) - target), rms(written - target)
            holds = file <= 0.05 and curve <= 0.5 and ours <= 0.5 and ours <= theirs + 0.02
            is_good = is_good and holds
            print(f"made, {seed:<6}{file:8.3f}{curve:9.3f}{ours:8.3f}{theirs:8.3f}{rms(target):13.3f}"
                  + ("" if holds else "  FAILS"), flush=True)
    sys.exit(0 if is_good else 1)


main()
