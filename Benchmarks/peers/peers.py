"""The test sound, the timing and the printing for comparisons with other software."""
import math, os, random, resource, statistics, subprocess, time, wave

FREQUENCIES = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
RATE, SECONDS, RUNS = 48_000, 10, 7


def make_noise(path, syllables=False):
    """Writes ten seconds of stereo noise.

    With `syllables`, its level changes four times per second, as in speech.
    """
    generator = random.Random(1)
    samples = bytearray()
    for index in range(RATE * SECONDS * 2):
        loudness = max(0.02, math.sin(8 * math.pi * (index // 2) / RATE)) * 4 if syllables else 1
        value = int(generator.uniform(-1500, 1500) * loudness)
        samples += value.to_bytes(2, "little", signed=True)
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
    """Times the difference between two commands.

    The commands run in pairs, so that the speed of the machine affects both.
    """
    return [per_frame(cpu_seconds(with_effect) - cpu_seconds(without)) for _ in range(RUNS)]


def in_memory_times(work):
    """The CPU times of this process for several calls of `work`."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(per_frame(time.process_time() - start))
    return times


def benchmark(*arguments):
    """The output of the package's own benchmarks."""
    package = os.path.join(os.path.dirname(__file__), "..")
    build = ["swift", "build", "-c", "release", "--package-path", package]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return subprocess.run([os.path.join(folder, "Benchmarks"), *arguments], check=True, capture_output=True,
                          text=True).stdout


def ours(path):
    """The minimum and the median time of this package in ns/frame, by settings and block size."""
    rows = {}
    for line in benchmark("peers", path).splitlines():
        name, block, best, median = line.split()
        rows[name, int(block)] = (float(best), float(median))
    return rows


def heading(title):
    print(f"{title:<52}{'best':>9}{'median':>9}{'ratio':>9}{'CPU s/s':>10}")


def row(name, best, median, reference):
    print(f"{name:<52}{best:9.1f}{median:9.1f}{median / reference:9.1f}{median * RATE / 1e9:10.5f}")


def report(name, times, reference):
    row(name, min(times), statistics.median(times), reference)
