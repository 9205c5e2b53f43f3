#!/usr/bin/env python3
"""Reads public test suites for WAV and JSON with the readers of this package.

    python3 Benchmarks/suites/files.py [--hound FOLDER] [--json FOLDER]        from the package's folder

The WAV files of scipy come with its wheel (PyPI: scipy 1.17); they are compared with scipy's
reader. --hound is a checkout of github.com/ruuda/hound (Apache-2.0). Its files are compared with
scipy's reader or, if scipy refuses a file, with libsndfile's reader (PyPI: soundfile). --json is a
checkout of github.com/nst/JSONTestSuite (MIT). A folder that is not given is skipped with a
message.

A WAV file passes if its samples equal those of the other reader. It also passes if it is refused
with a named error; the error is printed. A reader fails if a signal ends it or if it needs 10 s. It
also fails if it needs 2 MB more memory (without the samples) than for the smallest file. For a file
of hound that once exhausted memory, the limit is 1 MB.

Each JSON file becomes the value of an unknown key in a document. Every reader must accept all y_
files as JSON, refuse all n_ files as "not JSON", and not crash on i_ files. Foundation accepts a
comma at the end of a list; this is reported. The package Benchmarks must be built in release mode,
or SUITE_READER must be the path of SuiteReader.
"""
import argparse, glob, os, subprocess, sys, tempfile, warnings
import numpy as np
import scipy.io
from scipy.io import wavfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from built import built

# Foundation on Linux accepts a comma at the end of an array or an object.
FOUNDATION_ACCEPTS = ("n_array_extra_comma.json", "n_array_number_and_comma.json", "n_object_trailing_comma.json")
failures = []


def run(*command):
    """The exit status and the standard output of a command."""
    process = subprocess.run(["timeout", "10", *command], stdout=subprocess.PIPE, text=True)
    return process.returncode, process.stdout.strip()


def theirs(path):
    """The sample rate and the samples from another reader, or None if no reader accepts the file.

    The samples are an array [frame, channel]. Full scale is 1.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rate, samples = wavfile.read(path)
        if samples.dtype == np.uint8:
            samples = (samples.astype(float) - 128) / 128
        elif samples.dtype.kind == "i":
            samples = samples / 2.0 ** (8 * samples.dtype.itemsize - 1)
        return rate, samples.reshape(len(samples), -1).astype(float)
    except Exception:
        pass
    try:
        import soundfile
        samples, rate = soundfile.read(path, always_2d=True)
        return rate, samples
    except Exception:
        return None


def check_wav(program, paths):
    smallest = min(paths, key=os.path.getsize)
    equal, refused, alone = 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "samples")
        floor = int(run(program, "wav", smallest, output)[1].split()[0])
        for path in paths:
            name = os.path.basename(path)
            status, text = run(program, "wav", path, output)
            if status:
                failures.append(f"{name}: ends with {status}")
                continue
            memory, text = text.split(" ", 1)
            memory, size = int(memory), os.path.getsize(path) // 1024
            if memory > floor + (1024 if name.startswith("oom") else 2048) + 12 * size:
                failures.append(f"{name}: {memory - floor} kB more than the smallest file, which has {size} kB")
            other = theirs(path)
            if text.startswith("error"):
                refused.append(f"{name}: {text[6:]}" + ("" if other is None else " (the other reader reads it)"))
                continue
            rate, channels = map(int, text.split())
            samples = np.fromfile(output, "<f4").reshape(-1, channels)
            if other is None:
                alone.append(f"{name}: {len(samples)} frames")
            elif other[0] != rate or other[1].shape != samples.shape:
                failures.append(f"{name}: {rate} Hz, {samples.shape}; the other reader {other[0]} Hz, {other[1].shape}")
            elif len(samples) and np.abs(samples - other[1].astype("f4")).max() > 0:
                failures.append(f"{name}: samples differ by {np.abs(samples - other[1]).max()}")
            else:
                equal += 1
    print(f"{len(paths)} files: {equal} equal, {len(refused)} refused, {len(alone)} that no other reader reads")
    for line in refused + alone:
        print("   ", line)


def check_json(program, folder):
    counts = {}
    for path in sorted(glob.glob(os.path.join(folder, "test_parsing", "*.json"))):
        name = os.path.basename(path)
        status, text = run(program, "json", path)
        kind = name[0]
        counts[kind] = counts.get(kind, 0) + 1
        if status:
            failures.append(f"{name}: ends with {status}")
        elif kind == "y" and text != "none":
            failures.append(f"{name}: refused as JSON by {text}")
        elif name in FOUNDATION_ACCEPTS and text == "none":
            print(f"Foundation accepts {name}")
        elif kind == "n" and len(text.split()) < 8:
            failures.append(f"{name}: not refused as JSON by all readers, only by {text}")
    print(f"JSON: {counts.get('y', 0)} valid, {counts.get('n', 0)} invalid and {counts.get('i', 0)} undecided documents, eight readers")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hound")
    parser.add_argument("--json")
    options = parser.parse_args()
    program = os.environ.get("SUITE_READER") or built("SuiteReader")
    print("WAV files of scipy")
    check_wav(program, sorted(glob.glob(os.path.join(os.path.dirname(scipy.io.__file__), "tests", "data", "*.wav"))))
    if options.hound:
        print("WAV files of hound")
        check_wav(program, sorted(glob.glob(os.path.join(options.hound, "testsamples", "**", "*.wav"), recursive=True)))
    else:
        print("skipped: hound; name a checkout with --hound")
    if options.json:
        check_json(program, options.json)
    else:
        print("skipped: JSONTestSuite; name a checkout with --json")
    for failure in failures:
        print("FAILED", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
