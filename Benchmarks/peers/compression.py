#!/usr/bin/env python3
"""Times alternatives to the compressing processor, on the same file in the same run.

    python3 Benchmarks/peers/compression.py            from the package's folder

Each program compresses ten seconds of stereo noise that has syllables. The settings are a ratio of
3:1, an attack of 5 ms, a release of 100 ms and, if possible, ten bands. The programs are:

- Ours (ten bands, limiter): timed in memory by `Benchmarks peers FILE.wav`.
- pedalboard (PyPI): one broadband compressor, ten peak filters and a limiter, timed in memory.
- Faust (Debian's faust and g++): a ten-band compressor and a limiter, timed in memory in a separate
  program.
- sox and ffmpeg (Debian): the time of the whole process, minus the time of the same process without
  the effect.

Programs that are not installed are skipped with a message. openMHA cannot be installed by name;
openmha.cfg describes how to compare with it. Times are CPU times in ns per stereo frame: best and
median of several runs. Ratios are relative to our time in blocks of 64 frames.
"""
import os, shutil, subprocess, tempfile, wave
from peers import (FREQUENCIES, RATE, RUNS, heading, in_memory_times, make_noise, ours, process_times, report,
                   row)

EDGES = [354, 612, 866, 1225, 1732, 2449, 3464, 4899, 6928, 20_000]
NAMES = {"linear": "ten gains, no compression", "compression": "ten bands, limiter",
         "look-ahead": "the same, linked limiter, 2 ms look-ahead"}


def pedalboard_times(path, block):
    from pedalboard import Compressor, Limiter, Pedalboard, PeakFilter
    from pedalboard.io import AudioFile
    with AudioFile(path) as file:
        audio = file.read(file.frames)
    board = Pedalboard([Compressor(threshold_db=-40, ratio=3, attack_ms=5, release_ms=100)]
                       + [PeakFilter(f, 2.0 * (i + 1), 1.5) for i, f in enumerate(FREQUENCIES)]
                       + [Limiter(threshold_db=-5, release_ms=60)])
    return in_memory_times(lambda: board(audio, RATE, buffer_size=block))


def faust_times(path, folder, options):
    """The times of the Faust program, or the reason why it cannot be timed."""
    missing = [tool for tool in ("faust", "g++") if not shutil.which(tool)]
    if missing:
        return " and ".join(missing) + " not installed"
    here = os.path.dirname(os.path.abspath(__file__))
    source, program = os.path.join(folder, "compression.cpp"), os.path.join(folder, "compression")
    subprocess.run(["faust", *options, "-a", os.path.join(here, "faust-timing.cpp"),
                    os.path.join(here, "compression.dsp"), "-o", source], check=True)
    subprocess.run(["g++", "-O3", "-o", program, source], check=True)
    with wave.open(path) as file:
        frames = file.readframes(file.getnframes())
    output = subprocess.run([program, str(RATE), str(RUNS)], input=frames, check=True, capture_output=True).stdout
    return [float(line) for line in output.split()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        noise = os.path.join(folder, "noise.wav")
        output = os.path.join(folder, "output.wav")
        make_noise(noise, syllables=True)
        rows = ours(noise)
        reference = rows["compression", 64][1]
        heading("ns per stereo frame, 48 kHz")
        for (name, block), times in rows.items():
            row(f"HearingDSP, {NAMES[name]}, blocks of {block}", *times, reference)
        for block in (64, 512):
            try:
                report(f"pedalboard, 1 compressor, 10 peaks, limiter, {block}", pedalboard_times(noise, block), reference)
            except ImportError:
                print(f"pedalboard: not installed, skipped (blocks of {block})")
        for name, options in (("Faust, ten bands, limiter", []), ("Faust, vector code", ["-vec", "-vs", "32"])):
            times = faust_times(noise, folder, options)
            if isinstance(times, str):
                print(f"{name}: skipped, {times}")
            else:
                report(f"{name}, blocks of 64", times, reference)
        if shutil.which("sox"):
            band = "0.005,0.1 -70,-57,-40,-27,0,-13 0 -60"
            effect = ["mcompand"] + [word for edge in EDGES[:-1] for word in (band, str(edge))] + [band]
            base = ["sox", "-V1", "-G", noise, "-b", "16", output]
            report("sox, mcompand, ten bands", process_times(base + effect, base), reference)
        else:
            print("sox: not installed, skipped")
        if shutil.which("ffmpeg"):
            bands = " | ".join(f"0.005,0.1 6 -70/-57,-40/-27,0/-13 {edge}" for edge in EDGES)
            base = ["ffmpeg", "-loglevel", "error", "-y", "-i", noise]
            report("ffmpeg, mcompand, ten bands",
                   process_times(base + ["-af", f"mcompand=args='{bands}'", output], base + [output]), reference)
            chain = ",".join(f"equalizer=f={f}:t=q:w=1.5:g={2 * (i + 1)}" for i, f in enumerate(FREQUENCIES))
            broadband = "acompressor=threshold=0.01:ratio=3:attack=5:release=100"
            report("ffmpeg, 1 acompressor, 10 equalizers, alimiter",
                   process_times(base + ["-af", f"{broadband},{chain},alimiter=limit=0.5", output], base + [output]),
                   reference)
        else:
            print("ffmpeg: not installed, skipped")


main()
