#!/usr/bin/env python3
"""Measures how often the output limiter reduces the gain of loud music, with and without headroom.

    apt-get download fretsonfire-songs-sectoid && dpkg -x fretsonfire-songs-sectoid_*.deb data
    swift build -c release --product hearing-live
    python3 Benchmarks/checks/headroom.py --data data      from the package's folder; needs numpy and ffmpeg

The music is one minute of each of two songs, or synthetic music without --data. Its RMS is −12
dBFS. The listener has the standard audiogram N3. As in HearingAudioUnit, the input is attenuated by
the headroom, full scale represents 100 dB SPL plus the headroom, and no output sample exceeds full
scale. hearing-live processes 10 ms at a time and then reports its levels. The script prints the
fraction of time in which the limiter reduces the gain by more than 1 dB at one of the ears.
"""
import argparse, json, os, socket, subprocess, sys, tempfile, time
import numpy as np

RATE = 48_000
SLICE = 480  # frames
LEVEL = -12.0  # dB re full scale, RMS of both channels
FULL_SCALE = 100.0  # dB SPL
HEADROOMS = (0, 6, 8, 10, 24)  # dB
RULES = ("comfortable-speech", "comfortable-music")
REDUCTION = 1.0  # dB
SONGS = ("Metal madness", "War of freedom")
START, SECONDS = 40, 60
SETTLING = 100  # slices


def song(data, name):
    path = os.path.join(data, "usr/share/games/fretsonfire/data/songs/sectoid", name, "song.ogg")
    raw = subprocess.run(["ffmpeg", "-v", "error", "-ss", str(START), "-t", str(SECONDS), "-i", path, "-f", "f32le", "-ac", "2",
                          "-ar", str(RATE), "-"], capture_output=True, check=True).stdout
    return np.frombuffer(raw, "<f4").reshape(-1, 2).astype(float)


def synthetic():
    """Music at 120 beats per minute: chords, bass, bass drum, snare drum and hi-hat.

    The samples are the same in every run.
    """
    generator = np.random.default_rng(1)
    sound = np.zeros((SECONDS * RATE, 2))
    beat = RATE // 2

    def add(start, samples, left, right):
        samples = samples[:len(sound) - start]
        sound[start:start + len(samples)] += samples[:, None] * (left, right)

    def tone(frequency, seconds, decay, harmonics):
        t = np.arange(int(seconds * RATE)) / RATE
        parts = range(1, min(harmonics, int(10_000 / frequency)) + 1)
        wave = sum(np.sin(2 * np.pi * frequency * part * t + generator.uniform(0, 2 * np.pi)) / part for part in parts)
        return wave * np.exp(-decay * t) * np.minimum(1, 200 * t)

    def noise(seconds, decay, smoothing):
        t = np.arange(int(seconds * RATE)) / RATE
        return np.convolve(generator.normal(size=t.size), smoothing, "same") * np.exp(-decay * t)

    for index, start in enumerate(range(0, len(sound), beat)):
        root = 110 * 2 ** ((0, -4, 3, -2)[index // 4 % 4] / 12)
        add(start, 0.5 * tone(root / 2, 0.5, 4, 8), 1, 1)
        for place, note in enumerate((0, 7, 12, 16)):
            add(start, 0.2 * tone(2 * root * 2 ** (note / 12), 0.5, 2, 20), 0.4 + 0.2 * place, 1 - 0.2 * place)
        if index % 2 == 0:
            t = np.arange(RATE // 5) / RATE
            add(start, 1.2 * np.sin(2 * np.pi * (50 * t + 3 * (1 - np.exp(-30 * t)))) * np.exp(-12 * t), 1, 1)
        else:
            add(start, 0.6 * noise(0.2, 20, (0.5, 0.5)), 0.8, 1)
        for half in (0, beat // 2):
            add(start + half, 0.25 * noise(0.08, 60, (1, -1)), 1, 0.6)
    return sound


def loud(sound):
    """The sound with the level `LEVEL`, limited to ±1 as in a loud recording."""
    target, gain = 10 ** (LEVEL / 20), 1.0
    for _ in range(50):
        result = np.clip(gain * sound, -1, 1)
        gain *= target / np.sqrt(np.mean(result ** 2))
    return result


def connected(process, path):
    """A connection to the control socket of a program that has just been started."""
    for _ in range(500):
        control = socket.socket(socket.AF_UNIX)
        try:
            control.connect(path)
            return control
        except OSError:
            control.close()
            if process.poll() is not None:
                sys.exit(process.stderr.read().decode())
            time.sleep(0.01)
    process.kill()
    sys.exit("hearing-live does not open its control socket")


def limited(tool, sound, rule, headroom):
    """The fraction of time in which the limiter reduces the gain by more than `REDUCTION`, 0…1."""
    data = (10 ** (-headroom / 20) * sound).astype("<f4")
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "control")
        with subprocess.Popen(
            [tool, "--rate", str(RATE), "--channels", "2", "--format", "f32le", "--audiogram", "N3", "--rule", rule,
             "--full-scale-spl", str(FULL_SCALE + headroom), "--slice", str(SLICE), "--control", path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            with connected(process, path) as control:
                answers = control.makefile()
                slices = len(data) // SLICE
                for index in range(slices):
                    process.stdin.write(data[index * SLICE:(index + 1) * SLICE].tobytes())
                    process.stdin.flush()
                    process.stdout.read(SLICE * 8)
                    control.sendall(b"levels\n")
                    levels = json.loads(answers.readline().removeprefix("ok levels: "))
                    reduction = max(channel["limiterReduction"] for channel in levels["channels"])
                    count += index >= SETTLING and reduction > REDUCTION
            process.stdin.close()
            process.stdout.read()
    return count / (slices - SETTLING)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="the folder with the unpacked songs; without it, the music is synthetic")
    parser.add_argument("--live", default=".build/release/hearing-live", help="the built hearing-live")
    options = parser.parse_args()
    if not os.access(options.live, os.X_OK):
        sys.exit(f"{options.live} does not exist: run swift build -c release --product hearing-live in the package's folder")
    if options.data:
        sounds = {name: loud(song(options.data, name)) for name in SONGS}
    else:
        sounds = {"synthetic": loud(synthetic())}
    for name, sound in sounds.items():
        peak = 20 * np.log10(np.abs(sound).max() / np.sqrt(np.mean(sound ** 2)))
        print(f"{name}: {len(sound) / RATE:.0f} s, {LEVEL:.0f} dBFS RMS, crest factor {peak:.1f} dB")
    for rule in RULES:
        for headroom in HEADROOMS:
            shares = {name: limited(options.live, sound, rule, headroom) for name, sound in sounds.items()}
            each = ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())
            print(f"{rule}, headroom {headroom} dB: limited by more than {REDUCTION:.0f} dB for "
                  f"{100 * np.mean(list(shares.values())):.1f} % of the time ({each})", flush=True)


main()
