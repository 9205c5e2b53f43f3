#!/usr/bin/env python3
"""Compares the uplink of a call with WebRTC's AEC3 on the scenes of scenes.py, in one run.

    python3 Benchmarks/echo/rooms.py MATERIAL        from the package's folder

MATERIAL is a folder with the unpacked Debian packages pocketsphinx-testdata (far talker), festvox-ru (near talker) and
fretsonfire-songs-sectoid (music). Needs numpy, scipy, soundfile, and livekit (AEC3). For each scene it prints the echo
reduction in dB from 0.2 to 2 s and from 20 to 30 s; where somebody talks near the microphone, the gain of that talk
instead of the second figure. Neither suppresses noise, adjusts gain or adds comfort
noise.
"""
import os, subprocess, sys, tempfile, wave
import numpy as np
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


def main():
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    command = ["swift", "build", "-c", "release", "--package-path", package]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    program = os.path.join(folder, "Benchmarks")
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
                cells.append(f"{start:.0f} / {second:.{1 if scene['near'].any() else 0}f}")
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print("µs for 10 ms:", ", ".join(f"{cost:.0f}" for cost in costs))


main()
