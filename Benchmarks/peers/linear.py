#!/usr/bin/env python3
"""Times what a user could take instead of the linear processor, on the same file in the same run.

    python3 Benchmarks/peers/linear.py            from the package's folder

Each peer applies ten gains at the audiometric frequencies to ten seconds of stereo noise. Ours is timed in memory by
`Benchmarks signal FILE.wav`; pedalboard (Python index) in memory as well, in blocks of the same size; sox and ffmpeg
(Debian) as whole processes, less the same processes without the equaliser. Peers that are not installed are skipped,
and said so. Times are CPU nanoseconds a stereo frame: best and median of several runs.
"""
import os, re, resource, shutil, statistics, subprocess, tempfile, time, wave

FREQUENCIES = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
GAINS = [2.0 * (i + 1) for i in range(10)]
RATE, SECONDS, RUNS = 48_000, 10, 7


def make_noise(path):
    import random
    generator = random.Random(1)
    samples = bytearray()
    for _ in range(RATE * SECONDS * 2):
        samples += int(generator.uniform(-1500, 1500)).to_bytes(2, "little", signed=True)
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(bytes(samples))


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def per_frame(seconds):
    return seconds * 1e9 / (RATE * SECONDS)


def process_times(with_effect, without):
    """Pairs of runs, so that a machine whose speed drifts does not favour one of them."""
    return [per_frame(cpu_seconds(with_effect) - cpu_seconds(without)) for _ in range(RUNS)]


def ours(path):
    package = os.path.join(os.path.dirname(__file__), "..")
    build = ["swift", "build", "-c", "release", "--package-path", package]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    text = subprocess.run([os.path.join(folder, "Benchmarks"), "signal", path], check=True, capture_output=True,
                          text=True).stdout
    rows = {}
    for line in text.splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if cells[:2] == ["10", "2"]:
            rows[int(cells[2])] = (float(cells[4]), float(cells[5]))
    return rows


def pedalboard_times(path, block):
    from pedalboard import Pedalboard, PeakFilter
    from pedalboard.io import AudioFile
    with AudioFile(path) as file:
        audio = file.read(file.frames)
    board = Pedalboard([PeakFilter(f, g, 1.5) for f, g in zip(FREQUENCIES, GAINS)])
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        board(audio, RATE, buffer_size=block)
        times.append(per_frame(time.process_time() - start))
    return times


def report(name, times, reference):
    best, median = min(times), statistics.median(times)
    print(f"{name:<44}{best:9.1f}{median:9.1f}{median / reference:9.1f}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        noise = os.path.join(folder, "noise.wav")
        output = os.path.join(folder, "output.wav")
        make_noise(noise)
        rows = ours(noise)
        reference = rows[64][1]
        print(f"{'ns a stereo frame, ten bands, 48 kHz':<44}{'best':>9}{'median':>9}{'ratio':>9}")
        for block in (64, 512):
            best, median = rows[block]
            print(f"{f'HearingDSP, blocks of {block}':<44}{best:9.1f}{median:9.1f}{median / reference:9.1f}")
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
