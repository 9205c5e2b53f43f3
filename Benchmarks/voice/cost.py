#!/usr/bin/env python3
"""Compares the cost of the uplink with the cost of WebRTC's whole chain, on the same files.

    python3 Benchmarks/voice/cost.py [ROUNDS]        from the package's folder

Needs numpy and livekit (WebRTC's audio processing). The script builds the package Benchmarks,
unless BENCHMARKS is the path of the executable. Both programs process 20 s of one channel at 48
kHz. The far voice is noise with the envelope of syllables. The microphone signal contains the echo
of the far voice, talk at this end of the same kind, and steady noise. The figures are processor
times in µs per 10 ms: the minimum of several rounds (default 5), which alternate between the
programs.

WebRTC performs echo cancellation, noise suppression, gain control and a high-pass. The overhead of
the Python package livekit is measured with all these stages switched off, and subtracted. "Whole
call" also includes playback, ducking, the limiter and the detector of the far voice, which WebRTC's
chain does not have. "Uplink alone" is the cost of `capture`.
"""
import argparse, os, re, subprocess, sys, tempfile, time, wave
import numpy as np
from livekit import rtc
from livekit.rtc.apm import AudioProcessingModule
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from built import built

RATE, FRAME = 48_000, 480


def talk(generator, seconds, pitch):
    times = np.arange(seconds * RATE) / RATE
    sound = sum(np.sin(2 * np.pi * pitch * part * times + part) / part for part in range(1, 25))
    envelope = np.maximum(0, np.sin(2 * np.pi * 2.3 * times)) * (np.sin(2 * np.pi * 0.31 * times + pitch) > -0.4)
    sound = (sound + generator.standard_normal(len(times))) * envelope
    return sound / np.sqrt(np.mean(sound ** 2)) * 0.05


def write(path, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2").tobytes())


def webrtc(microphone, reference, is_on):
    module = AudioProcessingModule(
        echo_cancellation=is_on, noise_suppression=is_on, high_pass_filter=is_on, auto_gain_control=is_on)
    heard, played = (np.round(x * 32768).astype("<i2") for x in (microphone, reference))
    frames = [[bytearray(x[index:index + FRAME].tobytes()) for x in (played, heard)]
              for index in range(0, len(heard) - FRAME + 1, FRAME)]
    start = time.process_time()
    for far, near in frames:
        module.process_reverse_stream(rtc.AudioFrame(far, RATE, 1, FRAME))
        module.set_stream_delay_ms(0)
        module.process_stream(rtc.AudioFrame(near, RATE, 1, FRAME))
    return (time.process_time() - start) / len(frames) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rounds", nargs="?", type=int, default=5)
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error("ROUNDS must be at least 1")
    program = os.environ.get("BENCHMARKS") or built("Benchmarks")
    generator = np.random.default_rng(1)
    far, near = talk(generator, 20, 120), talk(generator, 20, 190)
    path = generator.standard_normal(9_600) * np.exp(-np.arange(9_600) / 2_000)
    echo = np.fft.irfft(np.fft.rfft(far, 1 << 20) * np.fft.rfft(path, 1 << 20))[:len(far)]
    echo *= 0.03 / np.sqrt(np.mean(echo ** 2))
    microphone = echo + near * (np.arange(len(far)) > 10 * RATE) + 0.001 * generator.standard_normal(len(far))
    costs = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("microphone.wav", "reference.wav", "output.wav")]
        write(paths[0], microphone)
        write(paths[1], far)
        for _ in range(rounds):
            for name in ("WebRTC, all on", "WebRTC, all off"):
                costs.setdefault(name, []).append(webrtc(microphone, far, name.endswith("on")))
            for mode in ("linear", "wideSpectrum", "standard", "voiceIsolation", "bypass"):
                text = subprocess.run([program, "uplink", mode, *paths], check=True, capture_output=True, text=True).stdout
                whole, alone = (float(number) for number in re.findall(r"[\d.]+(?= µs| *$)", text.strip()))
                costs.setdefault(f"whole call, {mode}", []).append(whole)
                costs.setdefault(f"uplink alone, {mode}", []).append(alone)
    best = {name: min(values) for name, values in costs.items()}
    print("| µs for 10 ms at 48 kHz | least | median |\n| --- | ---: | ---: |")
    for name, values in costs.items():
        print(f"| {name} | {best[name]:.1f} | {np.median(values):.1f} |")
    print(f"| WebRTC's chain without the wheel's overhead | {best['WebRTC, all on'] - best['WebRTC, all off']:.1f} | |")


main()
