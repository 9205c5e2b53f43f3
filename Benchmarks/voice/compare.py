#!/usr/bin/env python3
"""Compares voice activity detectors on the same sound in the same run.

    python3 Benchmarks/voice/compare.py [--seconds 60]          from the package's folder

Needs numpy, scipy and webrtcvad (PyPI; setuptools before version 81 if `pkg_resources` is missing),
and espeak-ng, sox, pocketsphinx-testdata and libspeexdsp1 (Debian; installed, not only unpacked).
The scores are:

- F1: compares the decision for each 10 ms with the truth, which is determined from the clean signal
  (`material.active_frames`). It is given for each noise and each ratio of speech level to noise
  level. Delays of the decisions are not compensated.
- Delay of starts: the time from the first active frame of a phrase to the end of the first voice
  decision. Before the phrase there must be at least 300 ms without active frames. A decision of up
  to 100 ms before the phrase counts as 0. The script also prints the delay until the state
  "talking" starts. This state starts after 100 ms of voice.
- False starts per hour: how often the state "talking" starts in noise without speech at 55 dB SPL
  (−45 dB re RMS 1.0). Ten minutes of each noise are used.
"""
import argparse
import numpy as np
from detectors import all_detectors, build, quantized
from material import *

NOISES = ["pink", "hum", "babble", "music", "chords"]
RATIOS = [20, 15, 10, 5, 0, -5]
SPEAKERS = SCORED_VOICES + ["recorded"]


def starts_of_state(decisions):
    """The indices at which the state "talking" starts.

    The state starts after ten consecutive voice decisions. It ends after eighty consecutive
    decisions without voice.
    """
    talking, run, starts = False, 0, []
    for place, voice in enumerate(decisions):
        run = run + 1 if voice != talking else 0
        if run >= (80 if talking else 10):
            talking, run = not talking, 0
            if talking:
                starts.append(place)
    return starts


def onsets(truth, pause=30):
    edges = np.flatnonzero(truth[1:] & ~truth[:-1]) + 1
    return [edge for edge in edges if edge >= pause and not truth[edge - pause : edge].any()]


def delays(truth, decisions):
    """Two times in ms from each onset.

    The first time ends with the first voice decision. The second time ends when the state "talking"
    starts.
    """
    first, state = [], []
    for onset in onsets(truth):
        found = np.flatnonzero(decisions[onset : onset + 200])
        first.append(10 * (found[0] + 1) if len(found) else np.inf)
        begin = max(0, onset - 10)
        starts = starts_of_state(decisions[begin : onset + 200])
        state.append(max(0, 10 * (starts[0] + begin - onset + 1)) if starts else np.inf)
    return first, state


class Score:
    def __init__(self):
        self.hits = self.alarms = self.misses = 0

    def add(self, truth, decisions):
        self.hits += int((truth & decisions).sum())
        self.alarms += int((~truth & decisions).sum())
        self.misses += int((truth & ~decisions).sum())

    @property
    def f1(self):
        return 2 * self.hits / max(1, 2 * self.hits + self.alarms + self.misses)

    @property
    def precision(self):
        return self.hits / max(1, self.hits + self.alarms)

    @property
    def recall(self):
        return self.hits / max(1, self.hits + self.misses)


def speech_in_noise(detectors, seconds):
    """Returns the scores and the delays.

    The scores are given by detector, noise or speaker, and ratio. The delays are given by detector,
    noise and ratio.
    """
    scores, waits = {}, {}
    for speaker in SPEAKERS:
        clean, truth = scored_speech(speaker, seconds)
        for kind in NOISES:
            noise = scored_noise(kind, len(clean), seeded("noise", kind, speaker))
            for ratio in RATIOS:
                samples = quantized(mixed(clean, truth, noise, ratio, -35))
                for name, decide in detectors.items():
                    decisions = decide(samples)[: len(truth)]
                    for key in (kind, "all", speaker):
                        scores.setdefault((name, key, ratio), Score()).add(truth, decisions)
                    first, state = delays(truth, decisions)
                    for key in (kind, "all"):
                        entry = waits.setdefault((name, key, ratio), ([], []))
                        entry[0].extend(first)
                        entry[1].extend(state)
    return scores, waits


def false_starts(detectors, seconds):
    """The count of false starts and the fraction of voice decisions, by detector and noise."""
    result = {}
    for kind in NOISES:
        noise = scored_noise(kind, seconds * RATE, seeded("alone", kind))
        samples = quantized(noise / noise.std() * 10 ** (-45 / 20))
        for name, decide in detectors.items():
            decisions = decide(samples)
            result[name, kind] = len(starts_of_state(decisions)), decisions.mean()
    return result


def best_of(prefix, detectors, scores):
    """The detector with the best F1 over all noises at +10 and +5 dB.

    Only detectors with a name that begins with `prefix` are compared.
    """
    names = [name for name in detectors if name.startswith(prefix)]
    return max(names, key=lambda name: scores[name, "all", 10].f1 + scores[name, "all", 5].f1, default=None)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(*cells):
    row(*cells)
    row(*["---"] + ["---:"] * (len(cells) - 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="speech in each noise at each ratio")
    parser.add_argument("--alone", type=int, default=600, help="seconds of each noise without speech")
    arguments = parser.parse_args()
    recordings(True)  # ends the script now if the recordings are missing
    detectors = all_detectors()
    build()
    scores, waits = speech_in_noise(detectors, arguments.seconds)
    ratios = [f"{ratio:+d} dB" for ratio in RATIOS]

    print("\nF1 of 10 ms decisions, all speakers and noises\n")
    head("detector", *ratios)
    for name in detectors:
        row(name, *[f"{scores[name, 'all', ratio].f1:.3f}" for ratio in RATIOS])

    shown = ["ours"] + [name for name in (best_of(peer, detectors, scores) for peer in ("webrtcvad", "speexdsp")) if name]
    print("\nF1 by noise and by speaker\n")
    head("detector", "with", *ratios)
    for key in NOISES + SPEAKERS:
        for name in shown:
            row(name, key, *[f"{scores[name, key, ratio].f1:.3f}" for ratio in RATIOS])

    print("\nPrecision / recall, all\n")
    head("detector", *ratios)
    for name in shown:
        row(name, *[f"{scores[name, 'all', ratio].precision:.3f} / {scores[name, 'all', ratio].recall:.3f}"
                    for ratio in RATIOS])

    print("\nDelay of starts in ms, median (90 %): to the first decision for voice; to the state's start\n")
    head("detector", "with", *ratios)
    for key in ["all"] + NOISES:
        for name in shown:
            for place, what in ((0, "decision"), (1, "state")):
                cells = []
                for ratio in RATIOS:
                    values = np.array(waits[name, key, ratio][place])
                    middle, late = np.quantile(values, [0.5, 0.9], method="lower")
                    cells.append(f"{middle:.0f} ({late:.0f})")
                row(name, f"{key}, {what}", *cells)

    seconds = arguments.alone
    print(f"\nFalse starts per hour in {seconds} s of noise alone, and share of frames decided for voice\n")
    alone = false_starts({name: detectors[name] for name in shown}, seconds)
    head("detector", *NOISES)
    for name in shown:
        row(name, *[f"{alone[name, kind][0] * 3600 // seconds} ({100 * alone[name, kind][1]:.1f} %)" for kind in NOISES])


if __name__ == "__main__":
    main()
