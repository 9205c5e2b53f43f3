#!/usr/bin/env python3
"""Counts how often voice detectors mistake household noises, sirens and distant babble for the start of speech.

    python3 Benchmarks/voice/false_starts.py NOISES             from the package's folder

NOISES is a folder with the folders Breathing, Cough, BabyCry and Keyboard of
github.com/amsehili/noise-of-life (only for scoring). Needs numpy, scipy and webrtcvad (PyPI), and
ffmpeg, espeak-ng, sox and pocketsphinx-testdata (Debian; installed, not only unpacked). The package
Benchmarks must be built in release mode, or BENCHMARKS must be the path of the executable.

The recordings of a class are played one after another in a room noise of 25 dB SPL. The loud frames
of each recording have a level of 55 dB SPL (-45 dB re RMS 1.0). Sirens are generated: wailing,
yelping and two-tone, with harmonics, an echo and traffic. "Starts a minute" counts how often the
state "talking" starts. This state starts after 100 ms of voice, and ends after 800 ms without
voice. In the last table, a talker speaks at 65 dB SPL, and the level of six other talkers is 20 dB
lower. This table shows the number of phrases, of detected phrases, and of starts in pauses.
"""
import argparse, glob, os, subprocess, sys
import numpy as np
import scipy.signal
from compare import head, row, starts_of_state
from detectors import build, ours, quantized, webrtc
from material import FRAME, RATE, SCORED_SENTENCES, SCORED_VOICES, babble, level_of_speech, pink, recordings, scored_speech, seeded

CLASSES = ("Keyboard", "Cough", "Breathing", "BabyCry")


def read(path):
    command = ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<f4").astype(float)


def leveled(sound, level):
    """Scales the sound, so that its loud frames have `level` dB re RMS 1.0.

    Loud frames are at most 10 dB below the 90th percentile of the levels.
    """
    frames = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)
    power = (frames**2).mean(1)
    loud = power[power >= 0.1 * np.quantile(power, 0.9)]
    return sound * 10 ** (level / 20) / np.sqrt(loud.mean() + 1e-12)


def recorded(folder, kind):
    paths = sorted(glob.glob(os.path.join(folder, kind, "*.wav")))
    if not paths:
        sys.exit(f"no recordings in {os.path.join(folder, kind)}")
    pieces = []
    for path in paths:
        sound = read(path)
        sound = leveled(sound - sound.mean(), -45)
        fade = np.minimum(1, np.arange(len(sound)) / 160)
        pieces += [sound * fade * fade[::-1], np.zeros(RATE)]
    return np.concatenate(pieces)


def sirens(seconds, generator):
    """Wailing, yelping and two-tone sirens of ten seconds each."""
    pieces, count = [], 10 * RATE
    time = np.arange(count) / RATE
    for number in range(seconds // 10):
        low, high = generator.uniform(450, 700), generator.uniform(1_100, 1_700)
        kind = number % 3
        if kind == 0:
            frequency = low * (high / low) ** (0.5 - 0.5 * np.cos(2 * np.pi * time / generator.uniform(3, 6)))
        elif kind == 1:
            frequency = low * (high / low) ** ((time * generator.uniform(2, 4)) % 1)
        else:
            low = generator.uniform(400, 450)
            frequency = np.where((time * generator.uniform(0.9, 1.6)) % 1 < 0.5, low, low * generator.uniform(1.2, 1.4))
        phase = 2 * np.pi * np.cumsum(frequency) / RATE
        sound = sum(np.sin(h * phase) / h ** generator.uniform(0.7, 1.5) * (h * frequency < 7_000) for h in range(1, 7))
        street = np.zeros(RATE // 3)
        street[0] = 1
        street[generator.integers(200, len(street), 12)] = generator.normal(0, 0.25, 12)
        sound = scipy.signal.fftconvolve(sound, street)[:count]
        traffic = pink(count, generator)
        pieces.append(sound / sound.std() + 0.05 * traffic / traffic.std())
    return leveled(np.concatenate(pieces), -45)


def in_babble(detectors, seconds):
    """For each detector: the numbers of phrases, of detected phrases, and of starts in pauses.

    Six talkers are 20 dB below the main talker.
    """
    result = {name: [0, 0, 0] for name in detectors}
    for speaker in SCORED_VOICES + ["recorded"]:
        clean, truth = scored_speech(speaker, seconds)
        gain = 10 ** (-35 / 20) / level_of_speech(clean, truth)
        crowd = babble(len(clean), seeded("far", speaker), ["en-gb-x-rp+m3", "en-us+f2", "en-us+m6"], SCORED_SENTENCES, 6)
        samples = quantized(gain * clean + crowd / crowd.std() * 10 ** (-55 / 20))
        # A start belongs to a phrase if it is at most 100 ms before the first active frame and at
        # most 100 ms after the last active frame.
        edges = np.flatnonzero(np.diff(truth.astype(int), prepend=0, append=0))
        spans = []
        for begin, end in zip(edges[::2], edges[1::2]):
            if spans and begin - spans[-1][1] < 80:
                spans[-1][1] = end
            else:
                spans.append([begin, end])
        spans = [span for span in spans if span[1] - span[0] >= 30]
        for name, decide in detectors.items():
            starts = starts_of_state(decide(samples)[: len(truth)])
            hit = [any(begin - 10 <= start <= end + 10 for start in starts) for begin, end in spans]
            inside = [any(begin - 10 <= start <= end + 10 for begin, end in spans) for start in starts]
            result[name][0] += len(spans)
            result[name][1] += sum(hit)
            result[name][2] += len(starts) - sum(inside)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("noises")
    parser.add_argument("--seconds", type=int, default=600, help="of sirens")
    arguments = parser.parse_args()
    recordings(True)  # ends the script now if the recordings are missing
    detectors = {"ours": ours, "webrtcvad mode 3": webrtc(3, 1)}
    build()
    sounds = {kind: recorded(arguments.noises, kind) for kind in CLASSES}
    sounds["Siren"] = sirens(arguments.seconds, seeded("sirens"))
    print("\nStarts a minute (share of frames decided for voice)\n")
    head("detector", *sounds)
    cells = {name: [] for name in detectors}
    for kind, sound in sounds.items():
        room = pink(len(sound), seeded("room", kind))
        samples = quantized(sound + room / room.std() * 10 ** (-75 / 20))
        for name, decide in detectors.items():
            decisions = decide(samples)
            pace = len(starts_of_state(decisions)) * 60 * RATE / len(samples)
            cells[name].append(f"{pace:.1f} ({100 * decisions.mean():.0f} %)")
    for name in detectors:
        row(name, *cells[name])
    print("\nSix talkers 20 dB below the one who talks: phrases, found, starts in pauses\n")
    head("detector", "phrases", "found", "in pauses")
    for name, counts in in_babble(detectors, 60).items():
        row(name, *counts)


if __name__ == "__main__":
    main()
