"""Reads and writes 32-bit float WAV files for the checks, independently of the package."""
import struct, sys
import numpy as np


def write(path, samples, rate):
    """Writes a file. `samples` is an array [channel, frame], or [frame] for one channel."""
    samples = np.atleast_2d(samples)
    channels, data = samples.shape[0], samples.T.astype("<f4").tobytes()
    fmt = struct.pack("<HHIIHH", 3, channels, rate, 4 * channels * rate, 4 * channels, 32)
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVE")
        file.write(b"fmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", len(data)) + data)


def read(path):
    """Reads a file as an array [channel, frame]."""
    with open(path, "rb") as file:
        raw = file.read()
    position, channels = 12, 0
    while position < len(raw):
        name, size = raw[position : position + 4], struct.unpack("<I", raw[position + 4 : position + 8])[0]
        if name == b"fmt ":
            channels = struct.unpack("<H", raw[position + 10 : position + 12])[0]
        if name == b"data":
            return np.frombuffer(raw, "<f4", size // 4, position + 8).reshape(-1, channels).T.astype(float)
        position += 8 + size + size % 2
    sys.exit(f"{path}: no sound")
