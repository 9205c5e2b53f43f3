#!/usr/bin/env python3
"""Checks the figures of `hearing-render --data-sheet --json` by measurements with numpy.

The script renders test signals with hearing-render, and compares its own figures with the printed
figures.

    python3 Benchmarks/checks/data-sheet.py .build/release/hearing-render [N1 N3 N7/music …]

Without names, all ten standard audiograms are measured, N7 also with the program for music. The
measured output must meet the limit of 21 CFR 800.30, and tones of 90 dB SPL may exceed the preset's
maximum output by at most 1 dB. The tolerances are 0.2 dB for levels and
gains, 0.2 percentage points for distortion, and 2 ms or 2 % for times. The conversion to the 2 cm³
coupler uses separate tables (ISO 389-7, ISO 389-2).
"""
import argparse, json, os, subprocess, sys, tempfile
import numpy as np
import wav

RATE, FULL_SCALE = 48_000, 100
AUDIOGRAMS = ["N1", "N2", "N3", "N4", "N5", "N6", "N7", "S1", "S2", "S3", "N7/music"]
TOLERANCE = 0.2
# The levels in dB SPL at 0 dB HL: ISO 389-7 (free field), ISO 389-2 (insert earphone in a 2 cm³
# coupler).
FREE_FIELD = {80: 31.5, 100: 26.5, 125: 22.1, 160: 17.9, 200: 14.4, 250: 11.4, 315: 8.6, 400: 6.2, 500: 4.4, 630: 3.0,
              800: 2.2, 1000: 2.4, 1250: 3.5, 1600: 1.7, 2000: -1.3, 2500: -4.2, 3150: -6.0, 4000: -5.4, 5000: -1.5,
              6300: 6.0, 8000: 12.6}
COUPLER = {125: 26, 250: 14, 500: 5.5, 750: 2, 1000: 0, 1500: 2, 2000: 3, 3000: 3.5, 4000: 5.5, 6000: 2, 8000: 0}


def to_coupler(frequencies):
    free = np.interp(frequencies, list(FREE_FIELD), list(FREE_FIELD.values()))
    coupler = np.interp(np.log(frequencies), np.log(list(COUPLER)), list(COUPLER.values()))
    return coupler - free


def decibels(power):
    return 10 * np.log10(np.maximum(power, 1e-30)) + FULL_SCALE


class Device:
    """Renders signals for one listener. The listener is a list of options of hearing-render."""

    def __init__(self, program, listener, folder):
        self.program, self.listener, self.folder = program, listener, folder

    def render(self, samples):
        before, after = os.path.join(self.folder, "in.wav"), os.path.join(self.folder, "out.wav")
        wav.write(before, samples, RATE)
        subprocess.run(
            [self.program, before, after, *self.listener, "--full-scale-spl", str(FULL_SCALE), "--keep-scale", "--quiet"],
            check=True)
        return wav.read(after)

    def tones(self, frequencies, level, length=1.5, gap=1.0):
        """Renders tones one after another.

        Returns their steady parts as an array [ear, tone, frame].
        """
        amplitude = 10 ** ((level - FULL_SCALE) / 20) * 2**0.5
        time = np.arange(int(length * RATE)) / RATE
        silence = np.zeros(int(gap * RATE))
        signal = np.concatenate([np.concatenate([silence, amplitude * np.sin(2 * np.pi * f * time)]) for f in frequencies])
        output = self.render(signal).reshape(2, len(frequencies), -1)
        return output[:, :, -int(0.4 * RATE):]

    def levels(self, frequencies, level):
        """The level in dB SPL of each steady tone, with a Hann window, as an array [ear, tone]."""
        steady = self.tones(frequencies, level)
        window = np.hanning(steady.shape[-1])
        return decibels((steady**2 * window).sum(-1) / window.sum())


def envelope(samples):
    """The level in dB SPL of each period of a 2 kHz tone."""
    return decibels((samples.reshape(-1, RATE // 2000) ** 2).mean(-1))


def settled(levels, tolerance):
    """The time in milliseconds until the level stays within `tolerance` dB of its final value.

    The last 10 ms are ignored. There, the look-ahead of the limiter may already react to the next
    change of the level.
    """
    levels = levels[:-20]
    off = np.nonzero(np.abs(levels - levels[-1]) > tolerance)[0]
    return (off[-1] + 1 if len(off) else 0) / 2


def pink():
    """Tones of equal level, a twelfth of an octave apart, as described on the data sheet."""
    frequencies = np.round(1000 * 2 ** (np.arange(-42, 43) / 12))
    time = np.arange(RATE) / RATE
    phases = np.pi * np.arange(len(frequencies)) ** 2 / len(frequencies)
    amplitude = 10 ** ((65 - FULL_SCALE) / 20) * (2 / len(frequencies)) ** 0.5
    return frequencies, amplitude * np.sin(2 * np.pi * frequencies[:, None] * time + phases[:, None]).sum(0)


def measure(device, sheet):
    """The figures of the data sheet: for each name, one row per ear, left first.

    Levels are in dB.
    """
    f = np.array(sheet["frequencies"])
    shift = to_coupler(f)
    average = lambda values: values[:, [20, 24, 28]].mean(1)
    soft, medium, loud = (device.levels(f, level) for level in (50, 60, 90))
    gain = medium - 60 + shift
    figures = {
        "outputAt90": loud, "couplerOutputAt90": loud + shift, "gainAt50": soft - 50, "gainAt60": medium - 60,
        "couplerGainAt60": gain, "maximumCouplerOutput": (loud + shift).max(1), "averageOutputAt90": average(loud + shift),
        "fullOnGain": average(soft - 50 + shift),
        "referenceTestGain": np.minimum(average(loud + shift) - 77, average(gain)),
    }
    outputs = np.stack([device.levels([250, 500, 1000, 2000, 4000], level) for level in range(40, 101, 10)], -1)
    figures["inputOutput"] = outputs.reshape(2, -1)
    percents = []
    for frequency, level in [(500, 70), (800, 70), (1600, 65)]:
        steady = device.tones([frequency], level)[:, 0]
        spectrum = np.abs(np.fft.rfft(steady * np.hanning(steady.shape[-1]))) ** 2
        width = steady.shape[-1] / RATE
        power = lambda f: spectrum[:, int(f * width) - 3 : int(f * width) + 4].sum(1)
        harmonics = sum(power(k * frequency) for k in range(2, 11) if k * frequency < RATE / 2)
        percents.append(100 * np.sqrt(harmonics / power(frequency)))
    figures["distortion"] = np.stack(percents, -1)
    period = np.sin(2 * np.pi * np.arange(24) / 24) * 2**0.5
    parts = [(55, 6000), (90, 3000), (55, 10_000)]
    steps = np.concatenate([np.tile(period * 10 ** ((level - FULL_SCALE) / 20), count) for level, count in parts])
    levels = [envelope(channel) for channel in device.render(steps)]
    figures["attack"] = np.array([settled(channel[6000:9000], 3) for channel in levels])
    figures["release"] = np.array([settled(channel[9000:], 4) for channel in levels])
    tones, noise = pink()
    steady = device.render(np.tile(noise, 3))[:, -RATE:]
    power = np.abs(np.fft.rfft(steady))[:, tones.astype(int)] ** 2
    third = 10 * np.log10(np.stack([power[:, max(0, i - 2) : i + 3].sum(1) for i in range(len(tones))], -1))
    peaks = [i for i in range(10, len(tones) - 10) if 250 <= tones[i] <= 5000]
    figures["roughness"] = np.stack([third[:, i] - (third[:, i - 8] + third[:, i + 8]) / 2 for i in peaks]).max(0)
    click = np.zeros(RATE)
    click[RATE // 2] = 10 ** ((60 - FULL_SCALE) / 20)
    figures["latency"] = (np.abs(device.render(click)).argmax(1) - RATE // 2) * 1000 / RATE
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the built hearing-render")
    parser.add_argument("names", nargs="*", default=AUDIOGRAMS, help="audiograms, such as N3 or N7/music")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if not os.access(program, os.X_OK):
        parser.error(f"{program} is not a program")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            page = os.path.join(folder, "sheet.html")
            audiogram, _, kind = name.partition("/")
            listener = ["--audiogram", audiogram, "--program", kind or "speech"]
            printed = subprocess.run([program, *listener, "--data-sheet", page, "--json"], stdout=subprocess.PIPE)
            if printed.returncode:
                sys.exit(f"{name}: hearing-render cannot make the data sheet")
            sheets = {sheet["ear"]: sheet for sheet in json.loads(printed.stdout)["ears"]}
            figures = measure(Device(program, listener, folder), sheets["left"])
            worst, problems = 0, []
            for key, values in figures.items():
                for ear, row in zip(["left", "right"], values):
                    said = sheets[ear][key]
                    if key == "inputOutput":
                        said = np.concatenate([curve["outputs"] for curve in said])
                    if key == "distortion":
                        said = [tone["percent"] for tone in said]
                    off = np.abs(np.array(said) - row).max()
                    limit = max(2, 0.02 * np.max(row)) if key in ("attack", "release", "latency") else TOLERANCE
                    if limit == TOLERANCE:
                        worst = max(worst, off)
                    if not off <= limit:
                        problems.append(f"{key}, {ear}: off by {off:.2f}")
            for ear, loud, maximum in zip(["left", "right"], figures["outputAt90"], figures["maximumCouplerOutput"]):
                if maximum > sheets[ear]["outputLimit"] + 0.05:
                    problems.append(f"{ear}: {maximum:.1f} dB SPL in the coupler exceed {sheets[ear]['outputLimit']}")
                excess = (loud - np.array(sheets[ear]["permittedOutput"])).max()
                if excess > 1.05:
                    problems.append(f"{ear}: a tone exceeds the preset's maximum output by {excess:.1f} dB")
            print(f"{name}: largest difference {worst:.3f} dB" + "".join(f"\n  {problem}" for problem in problems), flush=True)
            failed = failed or bool(problems)
    sys.exit(failed)


if __name__ == "__main__":
    main()
