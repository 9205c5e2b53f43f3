"""Scenes for echo cancellers: recorded speech and music in simulated rooms, 16 kHz, 30 s each.

The far talker and the music are recordings, the rooms are made by the image method with the parameters in ROOMS. The
noise of the microphone lies 70 dB below the echo. Every scene is a dictionary: `reference` ([channel][frame]), `echo`,
`near`, `noise`, and `microphone`, their sum.
"""
import glob, os, wave
import numpy as np
from scipy.signal import fftconvolve, resample_poly

RATE = 16_000
SECONDS = 30
# Size in m, reflection coefficient of all walls, loudspeakers (left, right), microphone.
ROOMS = {
    "office": ((4.2, 3.4, 2.6), 0.80, ((1.2, 1.1, 1.1), (1.9, 1.1, 1.1)), (1.6, 1.5, 1.0)),
    "living room": ((5.8, 4.6, 2.7), 0.86, ((1.0, 1.3, 1.2), (3.2, 1.2, 1.2)), (2.2, 2.6, 0.9)),
    "meeting room": ((7.4, 5.2, 3.0), 0.84, ((2.0, 1.0, 1.4), (5.0, 1.0, 1.4)), (3.4, 2.4, 0.8)),
}
# Where the microphone is after each change of the path, relative to its first place, in m.
MOVES = ((0, 0, 0), (0.35, 0.2, 0), (-0.25, 0.3, 0.1), (0.1, -0.3, 0.05), (0.4, 0.35, 0.15), (-0.3, -0.1, 0.1))
MEASURED = (20, 30)


def response(size, reflection, source, microphone, seconds=0.35):
    """The impulse response of a box (J. Allen & D. Berkley, 1979), with fractional delays."""
    count = int(seconds * RATE)
    result = np.zeros(count + 64)
    order = [int(np.ceil(seconds * 343 / (2 * length))) for length in size]
    taps = np.arange(-16, 17)
    axes = []
    for axis in range(3):
        numbers = np.arange(-order[axis], order[axis] + 1)
        places = np.concatenate([2 * numbers * size[axis] + source[axis], 2 * numbers * size[axis] - source[axis]])
        hits = np.concatenate([np.abs(2 * numbers), np.abs(2 * numbers - 1)])
        axes.append((places - microphone[axis], hits))
    (x, hx), (y, hy), (z, hz) = axes
    distance = np.sqrt(x[:, None, None] ** 2 + y[None, :, None] ** 2 + z[None, None, :] ** 2).ravel()
    hits = (hx[:, None, None] + hy[None, :, None] + hz[None, None, :]).ravel()
    near = distance < seconds * 343
    distance, hits = distance[near], hits[near]
    place = distance / 343 * RATE
    whole = np.floor(place).astype(int)
    gains = reflection ** hits / (4 * np.pi * np.maximum(distance, 0.1))
    window = 0.5 + 0.5 * np.cos(np.pi * taps / 17)
    for tap, weight in zip(taps, window):
        values = gains * np.sinc(tap - (place - whole)) * weight
        index = whole + tap
        valid = (index >= 0) & (index < count)
        np.add.at(result, index[valid], values[valid])
    return result[:count]


def read(path):
    with wave.open(path) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        data = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float) / 32768
    data = data.reshape(-1, channels).T[0]
    return data if rate == RATE else resample_poly(data, RATE, rate)


def speech(paths, start=0):
    sound = np.concatenate([read(path) for path in sorted(paths)])
    sound = np.roll(sound, -int(start * RATE))
    sound = np.tile(sound, int(np.ceil(SECONDS * RATE / len(sound))))[:SECONDS * RATE]
    return sound / np.sqrt(np.mean(sound ** 2)) * 0.05


def drifted(sound, ppm):
    """The sound as a clock that is faster by `ppm` records it."""
    places = np.arange(len(sound)) * (1 + ppm * 1e-6)
    whole = np.floor(places).astype(int)
    part = places - whole
    padded = np.concatenate([np.zeros(16), sound, np.zeros(64)])
    result = np.zeros(len(sound))
    for tap in range(-15, 17):
        weight = np.sinc(tap - part) * (0.5 + 0.5 * np.cos(np.pi * (tap - part) / 17))
        result += padded[np.minimum(whole + tap + 16, len(padded) - 1)] * weight
    return result


def scene(reference, echo, near=None, seed=1, ratio=70):
    generator = np.random.default_rng(seed)
    noise = generator.standard_normal(len(echo)) * np.sqrt(np.mean(echo ** 2)) * 10 ** (-ratio / 20)
    near = np.zeros(len(echo)) if near is None else near
    return {"reference": np.atleast_2d(reference), "echo": echo, "near": near, "noise": noise,
            "microphone": echo + near + noise}


def scenes(far, near, music):
    """All scenes by name. `music` has two channels."""
    room = ROOMS["office"]
    path = response(room[0], room[1], room[2][0], room[3])
    echo = fftconvolve(far, path)[:len(far)]
    gain = 0.05 / np.sqrt(np.mean(echo ** 2))
    result = {}
    for name, (size, reflection, speakers, microphone) in ROOMS.items():
        other = fftconvolve(far, response(size, reflection, speakers[0], microphone))[:len(far)]
        result[f"mono, {name}"] = scene(far, other * 0.05 / np.sqrt(np.mean(other ** 2)))
    size, reflection, speakers, microphone = ROOMS["living room"]
    sides = [fftconvolve(music[side], response(size, reflection, speakers[side], microphone))[:len(far)]
             for side in range(2)]
    both = sum(sides)
    result["stereo music"] = scene(music, both * 0.05 / np.sqrt(np.mean(both ** 2)))
    for ppm in (100, 300):
        result[f"drift {ppm} ppm"] = scene(far, drifted(echo * gain, ppm))
    changing = np.zeros(len(far))
    for index, move in enumerate(MOVES):
        moved = fftconvolve(far, response(room[0], room[1], room[2][0], np.add(room[3], move)))[:len(far)]
        part = slice(index * 5 * RATE, (index + 1) * 5 * RATE)
        changing[part] = moved[part]
    result["path changes"] = scene(far, changing * gain)
    # A small loudspeaker: asymmetric saturation after a high-pass.
    bent = np.tanh(6 * far + 0.15) - np.tanh(0.15) + 0.1 * np.abs(4 * far) ** 2
    distorted = fftconvolve(bent, path)[:len(far)]
    result["distortion"] = scene(far, distorted * 0.05 / np.sqrt(np.mean(distorted ** 2)))
    for delay in (150, 220, 500):
        frames = delay * RATE // 1000
        result[f"delay {delay} ms"] = scene(far, np.concatenate([np.zeros(frames), echo * gain])[:len(far)])
    for ratio in (-10, 0, 10):
        talk = near * 10 ** (ratio / 20)
        talk = np.where((np.arange(len(far)) >= 12 * RATE) & (np.arange(len(far)) < 28 * RATE), talk, 0)
        result[f"near {ratio:+d} dB"] = scene(far, echo * gain, near=talk)
    return result


def level(samples):
    return 10 * np.log10(np.mean(samples ** 2) + 1e-20)


def reduction(scene, output, start, end, latency=0):
    """Level of the microphone over that of the output, in dB, from `start` to `end` in seconds."""
    part = slice(int(start * RATE), int(end * RATE))
    later = slice(part.start + latency, min(part.stop + latency, len(output)))
    return level(scene["microphone"][part]) - level(output[later])


def near_gain(scene, output, latency=0):
    """The gain of the near talker in dB: what of the output is in phase with them, in frames where they talk."""
    frames = RATE // 50
    near = scene["near"][:len(output) - latency]
    output = output[latency:latency + len(near)]
    count = len(near) // frames
    blocks = near[:count * frames].reshape(count, frames)
    made = output[:count * frames].reshape(count, frames)
    energy = np.sum(blocks ** 2, axis=1)
    loud = energy > np.max(energy) * 1e-3
    product = np.abs(np.sum(np.sum(blocks[loud] * made[loud], axis=1)))
    return 20 * np.log10(product / np.sum(energy[loud]) + 1e-9)


def sources(folder):
    """Far talker, near talker, music from the unpacked Debian packages in `folder`."""
    import soundfile
    far = speech(glob.glob(os.path.join(folder, "**/librivox/*.wav"), recursive=True))
    near = speech(sorted(glob.glob(os.path.join(folder, "**/msu_ru_nsh_clunits/wav/ru_00[0-2]*.wav"), recursive=True)))
    song = sorted(glob.glob(os.path.join(folder, "**/Feelings/song.ogg"), recursive=True))[0]
    data, rate = soundfile.read(song, start=44_100 * 20, frames=44_100 * (SECONDS + 1), always_2d=True)
    music = np.stack([resample_poly(data[:, side], RATE, rate)[:SECONDS * RATE] for side in range(2)])
    return far, near, music / np.sqrt(np.mean(music ** 2)) * 0.05
