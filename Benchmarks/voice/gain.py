#!/usr/bin/env python3
"""Compares our gain control with that of WebRTC, on the same speech in the same run.

    python3 Benchmarks/voice/gain.py MATERIAL [--utterances N]    from the package's folder

MATERIAL is the same folder as for `noise.py`. Needs ffmpeg, numpy, livekit and webrtc-noise-gain.
The package Benchmarks must be built in release mode, or BENCHMARKS must be the path of the
executable.

Each utterance is repeated until it lasts 14 s. It has active levels of -45…-10 dBFS, with noise
that is 40 dB lower. The columns show the active level (ITU-T P.56) of the output as mean and range
over the utterances, and the maximum peak. The measurement starts 2 s after the start of speech. Our
target is -18 dBFS. The peers have other targets, so compare the ranges instead of the means.
"""
import argparse, os, sys
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from noise import RATE, integers, ours, talkers

LEVELS = (-45, -35, -25, -15, -10)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material")
    parser.add_argument("--utterances", type=int, default=6)
    options = parser.parse_args()
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


main()
