#!/usr/bin/env python3
"""Compares the echo canceller with speexdsp's, on the same files in the same run.

    python3 Benchmarks/echo/compare.py [--keep FOLDER]        from the package's folder

Needs numpy, sox, Debian's libspeexdsp1, pocketsphinx-testdata (recorded far voice) and espeak-ng (near voice). The far
voice is convolved with rooms of noise that decays by 60 dB in 0.3 s, with or without direct sound and delay. The scene:
far voice alone for 10 s, both voices for 10 s, far voice alone, and another room from 25 s on. The near voice is as loud
as the echo; noise is 45 dB below it. Both cancellers get 16-bit files and the same tail; speexdsp runs with frames of
8, 10 and 20 ms, and each row shows the best of the three. Rows: the echo return loss enhancement in dB; and in double
talk the level of the near voice above its distortion and the residual echo.
"""
import argparse, ctypes, glob, os, subprocess, sys, tempfile, time, wave
import numpy as np

RATE = 16_000
RECORDED = "/usr/share/pocketsphinx/test/data/librivox/*.wav"
WORDS = ("The quick brown fox jumps over the lazy dog while seven wise men watch from the hill. Could you tell me when "
         "the next train to London leaves, and whether it stops in Reading? I would rather walk along the river than "
         "sit in a hot office all afternoon. Please remember to bring the green umbrella, it may well rain again.")
ROWS = [("0 … 0.5 s", 0, .5), ("0.5 … 1 s", .5, 1), ("1 … 2 s", 1, 2), ("2 … 4 s", 2, 4), ("4 … 10 s", 4, 10),
        ("in double talk, 12 … 20 s", 12, 20), ("right after it, 20 … 20.5 s", 20, 20.5), ("20.5 … 25 s", 20.5, 25),
        ("0 … 1 s after the room changed", 25, 26), ("1 … 2 s after it changed", 26, 27),
        ("2 … 5 s after it changed", 27, 30)]
ROOMS = [("direct sound as loud as the room", 0, 0.0), ("no direct sound, 30 ms late", .03, None),
         ("direct sound 6 dB above the room, 50 ms late", .05, 6.0)]


def read(path):
    with wave.open(path) as file:
        if file.getframerate() != RATE or file.getnchannels() != 1 or file.getsampwidth() != 2:
            raise ValueError(f"{path}: not 16-bit mono at {RATE} Hz")
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768


def write(path, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(as_integers(samples).tobytes())


def as_integers(samples):
    return np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")


def read_float(path):
    data = open(path, "rb").read()
    start = data.index(b"data") + 8
    return np.frombuffer(data[start:start + (len(data) - start) // 4 * 4], "<f4").astype(float)


def near_voice(folder):
    raw, path = os.path.join(folder, "espeak.wav"), os.path.join(folder, "near.wav")
    subprocess.run(["espeak-ng", "-v", "en-gb", "-s", "160", "-w", raw, WORDS], check=True)
    subprocess.run(["sox", raw, "-r", str(RATE), path], check=True)
    return read(path)


def active_power(samples):
    powers = (samples[:len(samples) // 160 * 160].reshape(-1, 160) ** 2).mean(1)
    return powers[powers > powers.max() * 1e-4].mean()


def room(generator, delay, direct):
    times = np.arange(int(.36 * RATE)) / RATE
    response = generator.standard_normal(len(times)) * 10 ** (-3 * times / .3)
    response = np.concatenate([np.zeros(int(.002 * RATE)), response / np.sqrt((response ** 2).sum())])
    if direct is not None:
        response[int(.002 * RATE)] += 10 ** (direct / 20)
    return np.concatenate([np.zeros(int(delay * RATE)), response / np.sqrt((response ** 2).sum())])


def scene(folder, seed, delay, direct):
    generator = np.random.default_rng(seed)
    far = np.concatenate([read(path) for path in sorted(glob.glob(RECORDED))])
    far = np.concatenate([far, far])[:30 * RATE]
    far *= np.sqrt(1e-2 / active_power(far))
    echo, other = (np.convolve(far, room(generator, delay, direct))[:len(far)] for _ in range(2))
    echo = np.concatenate([echo[:25 * RATE], other[25 * RATE:]])
    near = np.zeros(len(far))
    voice = np.resize(near_voice(folder), 10 * RATE)
    near[10 * RATE:20 * RATE] = voice * np.sqrt(active_power(echo) / active_power(voice))
    noise = generator.standard_normal(len(far)) * np.sqrt(active_power(echo)) * 10 ** (-45 / 20)
    return far, echo, near, noise


def ours(program, folder, microphone, far, tail):
    paths = [os.path.join(folder, name) for name in ("microphone.wav", "reference.wav", "output.wav")]
    write(paths[0], microphone)
    write(paths[1], far)
    text = subprocess.run([program, "echo", *paths, str(tail)], check=True, capture_output=True, text=True).stdout
    return read_float(paths[2]), float(text.split()[0])


def speexdsp(library, microphone, far, tail, frame):
    state = ctypes.c_void_p(library.speex_echo_state_init(frame, int(tail * RATE)))
    rate = ctypes.c_int(RATE)
    library.speex_echo_ctl(state, 24, ctypes.byref(rate))
    near, reference = as_integers(microphone), as_integers(far)
    output = np.zeros(len(near), "<i2")
    address = lambda array, start: ctypes.c_void_p(array.ctypes.data + 2 * start)
    before = time.process_time()
    for start in range(0, len(near) - frame + 1, frame):
        library.speex_echo_cancellation(state, address(near, start), address(reference, start), address(output, start))
    seconds = time.process_time() - before
    library.speex_echo_state_destroy(state)
    return output / 32768, seconds * 1e9 / len(near)


def decibels(wanted, other):
    return 10 * np.log10((wanted ** 2).sum() / ((other ** 2).sum() + 1e-20))


def figures(parts, output):
    far, echo, near, noise = parts
    left = output - near - noise
    span = lambda start, end: slice(int(start * RATE), int(end * RATE))
    rows = [decibels(echo[span(a, b)], left[span(a, b)]) for _, a, b in ROWS]
    talk = span(12, 20)
    return rows + [decibels(near[talk], left[talk])]


def build():
    package = os.path.join(os.path.dirname(__file__), "..")
    command = ["swift", "build", "-c", "release", "--package-path", package]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(folder, "Benchmarks")


def compare(program, library, folder, tail):
    names = [name for name, _, _ in ROWS] + ["near voice over its distortion and echo"]
    frames = (128, 160, 320)
    own, peers, own_cost, peer_cost = [], {frame: [] for frame in frames}, [], {frame: [] for frame in frames}
    for number, (name, delay, direct) in enumerate(ROOMS):
        parts = scene(folder, 3 + number, delay, direct)
        microphone = parts[1] + parts[2] + parts[3]
        output, cost = ours(program, folder, microphone, parts[0], tail)
        own.append(figures(parts, output))
        own_cost.append(cost)
        for frame in frames:
            output, cost = speexdsp(library, microphone, parts[0], tail, frame)
            peers[frame].append(figures(parts, output))
            peer_cost[frame].append(cost)
    print(f"\nTail {tail} s, mean of {len(ROOMS)} rooms, dB")
    print(f"{'':<40}{'EchoCanceller':>14}" + "".join(f"{f'speex {frame}':>11}" for frame in frames))
    means = [np.mean(own, 0)] + [np.mean(peers[frame], 0) for frame in frames]
    lost = 0
    for row, name in enumerate(names):
        best = max(mean[row] for mean in means[1:])
        lost += means[0][row] < best
        print(f"{name:<40}{means[0][row]:>14.1f}" + "".join(f"{mean[row]:>11.1f}" for mean in means[1:])
              + ("" if means[0][row] >= best else "   behind"))
    print(f"{'ns a sample':<40}{min(own_cost):>14.0f}" + "".join(f"{min(peer_cost[f]):>11.0f}" for f in frames))
    print(f"{'latency in frames':<40}{0:>14}" + "".join(f"{frame:>11}" for frame in frames))
    for (name, _, _), ours_row, index in zip(ROOMS, own, range(len(ROOMS))):
        print(f"{name}: 2 … 4 s {ours_row[3]:.1f} dB, right after double talk {ours_row[6]:.1f}; "
              f"speexdsp's best {max(peers[f][index][3] for f in frames):.1f}, "
              f"{max(peers[f][index][6] for f in frames):.1f}")
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", help="keep the files of the last room in this folder")
    parser.add_argument("--program", help="the Benchmarks executable, if it is built already")
    options = parser.parse_args()
    if not glob.glob(RECORDED):
        sys.exit("pocketsphinx-testdata is not installed")
    try:
        library = ctypes.CDLL("libspeexdsp.so.1")
    except OSError:
        sys.exit("libspeexdsp1 is not installed")
    library.speex_echo_state_init.restype = ctypes.c_void_p
    program = options.program or build()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        lost = sum(compare(program, library, folder, tail) for tail in (.192, .128))
    print(f"\nrows in which a variant of speexdsp is better: {lost}")


main()
