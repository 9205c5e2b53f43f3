#!/usr/bin/env python3
"""Compares the uplink of a call with WebRTC's AEC3 on the scenes of scenes.py, in one run.

    python3 Benchmarks/echo/rooms.py MATERIAL        from the package's folder

MATERIAL is a folder with the unpacked Debian packages pocketsphinx-testdata (far talker), festvox-ru (near talker) and
fretsonfire-songs-sectoid (music). Needs numpy, scipy, soundfile, livekit (AEC3), speechmos (AECMOS), and Benchmarks built
in release (or a path to it in BENCHMARKS). For each scene it prints the echo reduction in dB from 0.2 to 2 s and from 20 to
30 s; where somebody talks near the microphone, the gain of that talk in place of the second figure, and in a table of its
own AECMOS's opinion of the echo and of the talk from 10 to 29 s (double talk; 1…5, 5 is best). Neither suppresses noise,
adjusts gain or adds comfort noise.
"""
import os, subprocess, sys, tempfile, wave
import numpy as np
from speechmos import aecmos
import aec3, scenes


def write(path, channels):
    data = np.clip(np.round(np.atleast_2d(channels).T * 32768), -32768, 32767).astype("<i2")
    with wave.open(path, "wb") as file:
        file.setnchannels(data.shape[1])
        file.setsampwidth(2)
        file.setframerate(scenes.RATE)
        file.writeframes(data.tobytes())


def read_float(path):
    data = open(path, "rb").read()
    start = data.index(b"data") + 8
    return np.frombuffer(data[start:start + (len(data) - start) // 4 * 4], "<f4").astype(float)


def ours(program, folder, scene, mode):
    paths = [os.path.join(folder, name) for name in ("microphone.wav", "reference.wav", "output.wav")]
    write(paths[0], scene["microphone"])
    write(paths[1], scene["reference"])
    text = subprocess.run([program, "uplink", mode, *paths], check=True, capture_output=True, text=True).stdout
    return read_float(paths[2]), float(text.split()[0])


def opinion(scene, output, latency):
    """AECMOS of echo and of degradation from 10 to 29 s: what the talkers would say of each."""
    part = slice(10 * scenes.RATE, 29 * scenes.RATE)
    sound = np.concatenate([output[latency:], np.zeros(latency)])
    sample = {"lpb": scene["reference"].mean(0)[part], "mic": scene["microphone"][part], "enh": sound[part]}
    # The speech of the scenes has an RMS of 0.05; the model was trained at about that level.
    found = aecmos.run({name: np.clip(part, -1, 1).astype("f4") for name, part in sample.items()}, scenes.RATE, "dt")
    return found["echo_mos"], found["deg_mos"]


def built():
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    command = ["swift", "build", "-c", "release", "--package-path", package]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(folder, "Benchmarks")


def main():
    program = os.environ.get("BENCHMARKS") or built()
    opinions = []
    print("| scene | linear | linear and residual | AEC3 |\n| --- | ---: | ---: | ---: |")
    costs = np.zeros(3)
    made = scenes.scenes(*scenes.sources(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in made.items():
            cells = []
            for column, run in enumerate((lambda: ours(program, folder, scene, "linear"),
                                          lambda: ours(program, folder, scene, "echo"),
                                          lambda: aec3.process(scene["microphone"], scene["reference"]))):
                output, cost = run()
                costs[column] += cost / len(made)
                # AEC3 delays by about 9 ms, ours by 10 ms.
                latency = (0, 160, 140)[column]
                start = scenes.reduction(scene, output, 0.2, 2, latency)
                second = (scenes.near_gain(scene, output, latency) if scene["near"].any()
                          else scenes.reduction(scene, output, *scenes.MEASURED, latency))
                if scene["near"].any():
                    opinions.append((name, column, opinion(scene, output, latency)))
                cells.append(f"{start:.0f} / {second:.{1 if scene['near'].any() else 0}f}")
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print("\nAECMOS, echo / degradation\n\n| scene | linear | linear and residual | AEC3 |\n| --- | ---: | ---: | ---: |")
    for name in dict.fromkeys(name for name, _, _ in opinions):
        cells = [f"{echo:.2f} / {harm:.2f}" for other, _, (echo, harm) in opinions if other == name]
        print(f"| {name} | {' | '.join(cells)} |")
    print("\nµs for 10 ms:", ", ".join(f"{cost:.0f}" for cost in costs))


if __name__ == "__main__":
    main()
