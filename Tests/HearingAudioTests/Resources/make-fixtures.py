#!/usr/bin/env python3
"""Writes Fixtures/*.wav with sox, ffmpeg and libsndfile, and the samples in Fixtures/expected.json.

This script decodes the data chunk of each file itself, with struct and numpy only. The test
compares the samples of the WAV reader with these samples bit for bit. Run the script in this
folder. It needs sox, ffmpeg, numpy and the Python package soundfile.
"""
import json, os, struct, subprocess, tempfile
import numpy as np

# The number of frames is odd. Therefore the data chunks of 8- and 24-bit mono files need padding.
RATE, FRAMES = 22050, 37
OUT = "Fixtures"
rng = np.random.default_rng(20)

FFMPEG = {"uint8": "pcm_u8", "int16": "pcm_s16le", "int24": "pcm_s24le", "int32": "pcm_s32le",
          "float32": "pcm_f32le", "float64": "pcm_f64le"}
SOX = {"uint8": ["-b", "8", "-e", "unsigned"], "int16": ["-b", "16", "-e", "signed"],
       "int24": ["-b", "24", "-e", "signed"], "int32": ["-b", "32", "-e", "signed"],
       "float32": ["-b", "32", "-e", "float"], "float64": ["-b", "64", "-e", "float"]}
SNDFILE = {"uint8": "PCM_U8", "int16": "PCM_16", "int24": "PCM_24", "int32": "PCM_32",
           "float32": "FLOAT", "float64": "DOUBLE"}
WIDTH = {"uint8": 1, "int16": 2, "int24": 3, "int32": 4, "float32": 4, "float64": 8}


def sound(channels):
    x = rng.uniform(-1, 1, (FRAMES, channels))
    x[0], x[1], x[2] = -1, 1 - 2.0 ** -30, 0
    return x


def raw(x):
    file = tempfile.NamedTemporaryFile(suffix=".f64", delete=False)
    file.write(x.astype("<f8").tobytes())
    file.close()
    return file.name


def data_chunk(blob):
    """Returns the bytes of the data chunk. If its size is unknown, it ends with the file."""
    at = 12
    sizes64 = None
    while True:
        code, size = blob[at:at + 4], struct.unpack_from("<I", blob, at + 4)[0]
        if code == b"ds64":
            sizes64 = struct.unpack_from("<QQ", blob, at + 8)
        if code == b"data":
            if size == 0xFFFFFFFF and sizes64:
                size = sizes64[1]
            return blob[at + 8:at + 8 + size]
        at += 8 + size + size % 2


def decode(blob, encoding, channels):
    data = data_chunk(blob)
    data = data[:len(data) // (WIDTH[encoding] * channels) * WIDTH[encoding] * channels]
    if encoding == "uint8":
        x = (np.frombuffer(data, "u1").astype(np.float64) - 128) / 2 ** 7
    elif encoding == "int24":
        b = np.frombuffer(data, "u1").reshape(-1, 3).astype(np.int64)
        v = b[:, 0] + (b[:, 1] << 8) + (b[:, 2] << 16)
        x = np.where(v >= 2 ** 23, v - 2 ** 24, v) / 2 ** 23
    elif encoding.startswith("int"):
        bits = int(encoding[3:])
        x = np.frombuffer(data, f"<i{bits // 8}").astype(np.float64) / 2.0 ** (bits - 1)
    else:
        x = np.frombuffer(data, f"<f{WIDTH[encoding]}").astype(np.float64)
    return x.astype("<f4").view("<u4").reshape(-1, channels)


def run(arguments, stdout=None):
    subprocess.run(arguments, check=True, stdout=stdout, stderr=subprocess.DEVNULL)


expected = []


def add(name, encoding, channels):
    with open(f"{OUT}/{name}", "rb") as file:
        samples = decode(file.read(), encoding, channels)
    assert len(samples) == FRAMES, (name, len(samples))
    expected.append({"file": name, "encoding": encoding, "sampleRate": RATE,
                     "channelCount": channels,
                     "bitPatterns": [samples[:, c].tolist() for c in range(channels)]})


def with_ffmpeg(name, encoding, channels, *options, pipe=False):
    source = raw(sound(channels))
    command = ["ffmpeg", "-y", "-v", "error", "-f", "f64le", "-ar", str(RATE), "-ac",
               str(channels), "-i", source, "-c:a", FFMPEG[encoding], *options, "-f", "wav"]
    if pipe:
        with open(f"{OUT}/{name}", "wb") as file:
            run([*command, "-"], stdout=file)
    else:
        run([*command, f"{OUT}/{name}"])
    os.unlink(source)
    add(name, encoding, channels)


def with_sox(name, encoding, channels, kind="wav", pipe=False):
    source = raw(sound(channels))
    command = ["sox", "-D", "-t", "f64", "-r", str(RATE), "-c", str(channels), source,
               *SOX[encoding], "-t", kind]
    if pipe:
        with open(f"{OUT}/{name}", "wb") as file:
            run([*command, "-"], stdout=file)
    else:
        run([*command, f"{OUT}/{name}"])
    os.unlink(source)
    add(name, encoding, channels)


def with_sndfile(name, encoding, channels, container):
    import soundfile
    soundfile.write(f"{OUT}/{name}", sound(channels), RATE, subtype=SNDFILE[encoding],
                    format=container)
    add(name, encoding, channels)


os.makedirs(OUT, exist_ok=True)
for old in os.listdir(OUT):
    os.unlink(f"{OUT}/{old}")
for encoding in FFMPEG:
    with_ffmpeg(f"ffmpeg-{encoding}-mono.wav", encoding, 1)
    with_ffmpeg(f"ffmpeg-{encoding}-stereo.wav", encoding, 2)
    with_sox(f"sox-{encoding}-mono.wav", encoding, 1)
    with_sox(f"sox-{encoding}-stereo.wav", encoding, 2)
    with_sndfile(f"sndfile-{encoding}-wavex-stereo.wav", encoding, 2, "WAVEX")
with_ffmpeg("ffmpeg-int16-surround.wav", "int16", 6)
with_ffmpeg("ffmpeg-int24-rf64.wav", "int24", 2, "-rf64", "always")
with_ffmpeg("ffmpeg-int16-tagged.wav", "int16", 1, "-metadata", "title=odd", "-write_bext", "1",
            "-metadata", "description=a chunk before the sound")
with_ffmpeg("ffmpeg-int16-pipe.wav", "int16", 2, pipe=True)
with_ffmpeg("ffmpeg-float32-pipe.wav", "float32", 1, pipe=True)
with_sox("sox-int16-pipe.wav", "int16", 1, pipe=True)
with_sox("sox-int24-plain.wav", "int24", 2, kind="wavpcm")
with_sndfile("sndfile-float32-rf64.wav", "float32", 2, "RF64")
with_sndfile("sndfile-int24-plain.wav", "int24", 1, "WAV")

with open(f"{OUT}/expected.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(entry) for entry in expected) + "\n]\n")
print(len(expected), "files,", sum(os.path.getsize(f"{OUT}/{f}") for f in os.listdir(OUT)), "bytes")
