#!/usr/bin/env python3
"""Makes the two sounds in this folder.

One sound is a short silence, for a call in which one end is silent. The other sound is two seconds
of music.
"""
import math, os, struct, wave

RATE = 48_000
FOLDER = os.path.dirname(os.path.abspath(__file__))


def write(name, samples):
    with wave.open(os.path.join(FOLDER, name), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", round(32_767 * sample)) for sample in samples))


def melody():
    for note in (0, 4, 7, 12, 7, 4, 0, -5):
        frequency = 262 * 2 ** (note / 12)
        for frame in range(RATE // 4):
            time = frame / RATE
            tone = sum(math.sin(2 * math.pi * frequency * part * time) / part for part in (1, 2, 3))
            yield 0.1 * tone * math.exp(-6 * time) * min(1, 200 * time)


write("silence.wav", [0] * (RATE // 10))
write("music.wav", melody())
