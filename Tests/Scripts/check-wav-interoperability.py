#!/usr/bin/env python3
"""Checks that sox, ffmpeg and libsndfile can read the WAV files that this package writes.

The programs must read every file without a warning. Every sample must equal the written sample,
apart from the rounding of the encoding. The script needs sox, ffmpeg, numpy and the Python package
soundfile. Run it in the root of the package. sox 14.4 cannot read RF64 files, so it does not get
them.
"""
import glob, os, re, subprocess, sys, tempfile
import numpy as np
import soundfile

STEP = {"uint8": 2 ** -7, "int16": 2 ** -15, "int24": 2 ** -23, "int32": 2 ** -24,
        "float32": 0, "float64": 0}

# These warnings are not caused by this package. ffmpeg also prints them for its own files, if a
# plain header names no loudspeakers, or if a file has no frames. sox also prints them for files of
# ffmpeg and libsndfile, if an extensible header is for floating-point samples.
ORDINARY = re.compile(r"Guessed Channel Layout|Cannot check for SPDIF|Output file is empty"
                      r"|wave header missing extended part of fmt chunk")


def decoded(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = [line for line in done.stderr.decode().splitlines() if not ORDINARY.search(line)]
    if done.returncode or lines:
        return None, " ".join(lines) or f"status {done.returncode}"
    return np.frombuffer(done.stdout, "<f8"), None


def readers(path):
    if not path.endswith("rf64.wav"):
        yield "sox", lambda: decoded(["sox", "-D", path, "-t", "f64", "-"])
    yield "ffmpeg", lambda: decoded(["ffmpeg", "-v", "warning", "-i", path, "-f", "f64le", "-"])
    yield "libsndfile", lambda: (soundfile.read(path)[0].reshape(-1), None)


failures = checks = 0
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["swift", "test", "--filter", "WAVWriterExportTests"], check=True,
                   env={**os.environ, "WAV_EXPORT_FOLDER": folder}, stdout=subprocess.DEVNULL)
    for path in sorted(glob.glob(f"{folder}/*.wav")):
        name = os.path.basename(path)
        encoding = name.split("-")[0]
        written = np.fromfile(path.rsplit("-", 1)[0] + ".f32", "<f4").astype(float)
        written = np.minimum(written, 1 - STEP[encoding])
        for reader, read in readers(path):
            samples, problem = read()
            if problem is None and len(samples) != len(written):
                problem = f"{len(samples)} samples instead of {len(written)}"
            if problem is None and len(written):
                error = np.abs(samples - written).max()
                if error > STEP[encoding] / 2:
                    problem = f"a sample is off by {error}"
            checks += 1
            if problem:
                failures += 1
                print(f"{name}: {reader}: {problem}")
print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
