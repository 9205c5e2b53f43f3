#!/usr/bin/env python3
"""Times alternatives to the linear processor, on the same file in the same run.

    python3 Benchmarks/peers/linear.py            from the package's folder

Each program applies ten gains at the audiometric frequencies to ten seconds of stereo noise. The
programs are:

- Ours: timed in memory by `Benchmarks peers FILE.wav`.
- pedalboard (PyPI): timed in memory, in blocks of the same size.
- sox and ffmpeg (Debian): the time of the whole process, minus the time of the same process without
  the equaliser.
- cascade.c, the reference: the twelve sections alone, written by hand for SSE and compiled with cc.

Programs that are not installed are skipped with a message. Times are CPU times in ns per stereo
frame: best and median of several runs.
"""
import array, os, random, shutil, subprocess, tempfile
from peers import FREQUENCIES, RATE, heading, in_memory_times, make_noise, ours, process_times, report, row

GAINS = [2.0 * (i + 1) for i in range(10)]


def pedalboard_times(path, block):
    from pedalboard import Pedalboard, PeakFilter
    from pedalboard.io import AudioFile
    with AudioFile(path) as file:
        audio = file.read(file.frames)
    board = Pedalboard([PeakFilter(f, g, 1.5) for f, g in zip(FREQUENCIES, GAINS)])
    return in_memory_times(lambda: board(audio, RATE, buffer_size=block))


def cascade_times(folder):
    """The rows of the table for cascade.c, or the reason why it cannot be timed."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return "no C compiler installed"
    here = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(folder, "cascade")
    build = subprocess.run([compiler, "-O3", "-o", program, os.path.join(here, "cascade.c"), "-lm"], capture_output=True)
    if build.returncode != 0:
        return "cascade.c needs a processor with SSE"
    generator = random.Random(1)
    frames = array.array("f", (generator.uniform(-0.05, 0.05) for _ in range(2 * RATE)))
    output = subprocess.run([program], input=frames.tobytes(), check=True, capture_output=True, text=False).stdout
    return [line.split("\t") for line in output.decode().splitlines()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        noise = os.path.join(folder, "noise.wav")
        output = os.path.join(folder, "output.wav")
        make_noise(noise)
        rows = ours(noise)
        reference = rows["linear", 64][1]
        heading("ns per stereo frame, ten bands, 48 kHz")
        for block in (64, 512):
            row(f"HearingDSP, blocks of {block}", *rows["linear", block], reference)
        cascade = cascade_times(folder)
        if isinstance(cascade, str):
            print(f"hand-written cascade: skipped, {cascade}")
        else:
            for name, block, best, median in cascade:
                row(f"SSE by hand, {name} cascade alone, {block}", float(best), float(median), reference)
        for block in (64, 512):
            try:
                report(f"pedalboard, ten peak filters, blocks of {block}", pedalboard_times(noise, block), reference)
            except ImportError:
                print(f"pedalboard: not installed, skipped (blocks of {block})")
        if shutil.which("sox"):
            effects = [w for f, g in zip(FREQUENCIES, GAINS) for w in ("equalizer", str(f), "1.5q", str(g))]
            base = ["sox", "-V1", "-G", noise, "-b", "16", output]
            report("sox, ten equalizers", process_times(base + effects, base), reference)
        else:
            print("sox: not installed, skipped")
        if shutil.which("ffmpeg"):
            chain = ",".join(f"equalizer=f={f}:t=q:w=1.5:g={g}" for f, g in zip(FREQUENCIES, GAINS))
            base = ["ffmpeg", "-loglevel", "error", "-y", "-i", noise]
            report("ffmpeg, ten equalizers", process_times(base + ["-af", chain, output], base + [output]), reference)
        else:
            print("ffmpeg: not installed, skipped")


main()
