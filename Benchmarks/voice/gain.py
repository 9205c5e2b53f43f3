#!/usr/bin/env python3
"""Compares the package's gain control with WebRTC's, on the same speech in the same run.

    python3 Benchmarks/voice/gain.py MATERIAL [--utterances N] [--noises NOISES]    from the package's folder

MATERIAL is the same folder as for `noise.py`. NOISES is a folder with the folders Cough and
FemaleScream of github.com/amsehili/noise-of-life. Needs ffmpeg, numpy, scipy, livekit and
webrtc-noise-gain. The package Benchmarks must be built in release mode, or BENCHMARKS must be the
path of the executable.

Each utterance is repeated until it lasts 14 s. It is processed at active levels of -45…-10 dBFS,
with noise that is 40 dB lower. The columns show the active level (ITU-T P.56) of the output as mean
and range over the utterances, and the maximum peak. The measurement starts 2 s after the start of
speech. The target of the package is -18 dBFS. WebRTC's gain controls have other targets. Therefore
compare the ranges instead of the means.

The second table shows how fast the gain adapts to softer speech. After 8 s, speech of -15 dBFS
becomes softer. The gain is compared with the gain for speech that was soft from the start. The
table shows the seconds of speech until the two gains differ by at most 3 dB for 2 s of speech. The
columns contain the mean and the maximum over the utterances. With NOISES, there are two more
scenes: a cough or a scream of at most 1 s with a peak of -3 dBFS occurs in speech of -38 dBFS.
"""
import argparse, os, sys
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from noise import RATE, find, integers, ours, read, talkers

LEVELS = (-45, -35, -25, -15, -10)
FALLS = (6, 12, 15, 20, 25)
BURSTS = ("Cough", "FemaleScream")


def active_level(samples):
    """The active speech level in dBFS according to ITU-T P.56, method B."""
    smoothing = np.exp(-1 / (0.03 * RATE))
    first = second = 0.0
    envelope = np.empty(len(samples))
    for index, value in enumerate(np.abs(samples)):
        first = smoothing * first + (1 - smoothing) * value
        second = smoothing * second + (1 - smoothing) * first
        envelope[index] = second
    energy, hangover, last = (samples**2).sum(), int(0.2 * RATE), None
    for exponent in np.arange(-15, 0, 0.5):
        threshold = 2.0**exponent
        above = np.flatnonzero(envelope >= threshold)
        if not len(above):
            break
        # After each sample above the threshold, the next 200 ms count as active.
        active = np.minimum(np.diff(above, append=len(samples)), hangover).sum()
        level = 10 * np.log10(energy / active)
        margin = level - 20 * np.log10(threshold)
        if margin <= 15.9:
            if last is None:
                return level
            share = (last[1] - 15.9) / (last[1] - margin)
            return last[0] + share * (level - last[0])
        last = (level, margin)
    return last[0]


def webrtc_adaptive(samples):
    """The gain control of WebRTC's audio processing module."""
    from livekit import rtc
    from livekit.rtc.apm import AudioProcessingModule

    module = AudioProcessingModule(
        echo_cancellation=False, noise_suppression=False, high_pass_filter=False, auto_gain_control=True)
    parts, data = [], integers(samples)
    for start in range(0, len(data) - 159, 160):
        frame = rtc.AudioFrame(bytearray(data[start : start + 160].tobytes()), RATE, 1, 160)
        module.process_stream(frame)
        parts.append(np.frombuffer(frame.data, "<i2"))
    return np.concatenate(parts) / 32768


def webrtc_digital(samples):
    """WebRTC's older digital gain control with a target of -18 dBFS."""
    from webrtc_noise_gain import AudioProcessor

    processor, data = AudioProcessor(18, 0), integers(samples)
    parts = [processor.Process10ms(data[start : start + 160].tobytes()).audio for start in range(0, len(data) - 159, 160)]
    return np.frombuffer(b"".join(parts), "<i2") / 32768


def settling(process, sound, changed, start):
    """The seconds of speech from `start` until the gains of both sounds agree within 3 dB."""
    frames = [process(signal)[start * RATE :] for signal in (changed, sound)]
    count = min(map(len, frames)) // (RATE // 50)
    frames = [(part[: count * (RATE // 50)].reshape(count, -1) ** 2).mean(1) for part in frames]
    speech = (sound[start * RATE :][: count * (RATE // 50)].reshape(count, -1) ** 2).mean(1)
    speech = speech > speech.max() / 1000
    differs = np.abs(10 * np.log10((frames[0][speech] + 1e-12) / (frames[1][speech] + 1e-12))) > 3
    settled = [index for index in range(len(differs)) if not differs[index : index + 100].any()]
    return (settled[0] if settled else len(differs)) / 50


def print_settling(systems, spoken, noises):
    """Prints the second table."""
    print("\n| change of level | " + " | ".join(systems) + " |\n| --- |" + " ---: |" * len(systems))
    scenes = {}
    for sound in spoken:
        sound = np.resize(sound, 24 * RATE)
        sound = sound * 10 ** ((-15 - active_level(sound[: 14 * RATE])) / 20)
        for fall in FALLS:
            soft = sound * 10 ** (-fall / 20)
            changed = np.concatenate([sound[: 8 * RATE], soft[8 * RATE :]])
            scenes.setdefault(f"{fall} dB softer", []).append((soft, changed, 8))
        for name in BURSTS if noises else ():
            soft = sound * 10 ** (-23 / 20)
            burst = read(find(noises, f"{name}/*.wav")[0])[:RATE]
            changed = soft.copy()
            changed[8 * RATE : 8 * RATE + len(burst)] += burst * 0.7 / np.abs(burst).max()
            scenes.setdefault(f"after {name}", []).append((soft, changed, 9))
    for name, cases in scenes.items():
        cells = []
        for process in systems.values():
            times = [settling(process, soft, np.clip(changed, -1, 1), start) for soft, changed, start in cases]
            cells.append(f"{np.mean(times):.1f} (max. {max(times):.1f})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material")
    parser.add_argument("--utterances", type=int, default=6)
    parser.add_argument("--noises", help="a checkout of noise-of-life")
    options = parser.parse_args()
    if options.utterances < 1:
        parser.error("--utterances must be at least 1")
    for name in BURSTS if options.noises else ():
        if not find(options.noises, f"{name}/*.wav"):
            parser.error(f"no recordings in {os.path.join(options.noises, name)}")
    spoken = talkers(options.material)
    spoken = spoken[:: max(1, len(spoken) // options.utterances)][: options.utterances]
    generator = np.random.default_rng(3)
    systems = {"ours": ours("gain"), "WebRTC, livekit": webrtc_adaptive, "WebRTC, digital, target -18": webrtc_digital}
    print("| speech at | " + " | ".join(f"{name}: level, peak" for name in systems) + " |")
    print("| --- |" + " ---: |" * len(systems))
    for level in LEVELS:
        cells = []
        for process in systems.values():
            levels, peaks = [], []
            for sound in spoken:
                sound = np.resize(sound, 14 * RATE)
                sound = sound * 10 ** ((level - active_level(sound)) / 20)
                noise = generator.standard_normal(len(sound)) * 10 ** ((level - 40) / 20)
                output = process(np.clip(sound + noise, -1, 1))
                levels.append(active_level(output[2 * RATE :]))
                peaks.append(20 * np.log10(np.abs(output).max() + 1e-9))
            cells.append(f"{np.mean(levels):.1f} ({min(levels):.1f}…{max(levels):.1f}), {max(peaks):.1f}")
        print(f"| {level} dBFS | " + " | ".join(cells) + " |", flush=True)
    print_settling(systems, spoken, options.noises)


main()
