#!/usr/bin/env python3
"""Measures how much of near talk the uplink of a call loses while the far talker talks, beside WebRTC's AEC3.

    python3 Benchmarks/echo/double_talk.py MATERIAL        from the package's folder

MATERIAL is a folder with the unpacked Debian packages pocketsphinx-testdata, festvox-ru, asterisk-core-sounds-{en,fr,es}-g722
and fillets-ng-data-cs. Needs ffmpeg, numpy, scipy, livekit (AEC3), speechmos (AECMOS), and Benchmarks built in release (or a
path to it in BENCHMARKS). Six pairs of recorded talkers in the rooms of scenes.py; near talk from 12 s on, as loud as the
echo and 10 dB louder. Of the frames of 20 ms in which near talk is within 20 dB of its loudest, the gain that 5 % fall below,
the median, and the share that is lowered by more than 10 dB; and AECMOS's opinion of echo / degradation.
"""
import glob, os, sys, tempfile
import numpy as np
from scipy.signal import fftconvolve
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "voice"))
import aec3, rooms, scenes
from suppression_material import read

PAIRS = (("en", "lib"), ("fr", "en"), ("es", "fr"), ("lib", "cs"), ("cs", "es"), ("ru", "lib"))
BEGIN, FRAME = 12 * scenes.RATE, scenes.RATE // 50


def joined(paths):
    assert paths, "recordings are missing"
    sound = np.concatenate([read(path) for path in paths])
    sound = np.tile(sound, int(np.ceil(scenes.SECONDS * scenes.RATE / len(sound))))[:scenes.SECONDS * scenes.RATE]
    return sound / np.sqrt(np.mean(sound ** 2)) * 0.05


def talkers(folder):
    def found(pattern, least=0):
        paths = sorted(glob.glob(os.path.join(folder, "**", pattern), recursive=True))
        return [path for path in paths if os.path.getsize(path) > least]

    result = {language: joined(found(f"*-{language}-*/**/*.g722", 40_000)[5:14]) for language in ("en", "fr", "es")}
    return result | {
        "lib": joined(found("librivox/*.wav")), "ru": joined(found("msu_ru_nsh_clunits/wav/ru_00[0-2]*.wav")),
        "cs": joined(found("*data-cs/**/*.ogg", 35_000)[::7][:8])}


def gains(scene, output, latency):
    """The gain in dB of each frame in which near talk is loud."""
    count = (len(output) - latency - BEGIN) // FRAME
    near = scene["near"][BEGIN:BEGIN + count * FRAME].reshape(count, FRAME)
    made = output[BEGIN + latency:BEGIN + latency + count * FRAME].reshape(count, FRAME)
    power = np.mean(near ** 2, axis=1)
    loud = power > power.max() * 0.01
    return 10 * np.log10((np.mean(made ** 2, axis=1)[loud] + 1e-12) / power[loud])


def main():
    program = os.environ.get("BENCHMARKS") or rooms.built()
    voices = talkers(sys.argv[1])
    names = ("linear", "linear and residual", "AEC3")
    found = {ratio: {name: [] for name in names} for ratio in (0, 10)}
    with tempfile.TemporaryDirectory() as folder:
        for number, (far, near) in enumerate(PAIRS):
            size, reflection, speakers, microphone = list(scenes.ROOMS.values())[number % 3]
            path = scenes.response(size, reflection, speakers[0], microphone)
            echo = fftconvolve(voices[far], path)[:len(voices[far])]
            echo *= 0.05 / np.sqrt(np.mean(echo ** 2))
            for ratio, columns in found.items():
                talk = np.roll(voices[near], BEGIN) * 10 ** (ratio / 20)
                talk[:BEGIN] = 0
                scene = scenes.scene(voices[far], echo, near=talk)
                for name, latency in zip(names, (0, 160, 140)):
                    output = (aec3.process(scene["microphone"], scene["reference"]) if name == "AEC3" else
                              rooms.ours(program, folder, scene, "linear" if name == "linear" else "echo"))[0]
                    values = gains(scene, output, latency)
                    columns[name].append([np.percentile(values, 5), np.median(values), 100 * np.mean(values < -10),
                                          *rooms.opinion(scene, output, latency)])
    print("| near talk | | 5 % below | median | lowered by 10 dB | AECMOS |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for ratio, columns in found.items():
        for name, rows in columns.items():
            rare, median, lost, echo, harm = np.mean(rows, axis=0)
            print(f"| {ratio:+d} dB | {name} | {rare:.1f} dB | {median:.1f} dB | {lost:.1f} % | {echo:.2f} / {harm:.2f} |")


if __name__ == "__main__":
    main()
