"""Scenes for echo cancellers at 16 kHz: recorded talkers and music in simulated rooms.

`cases` yields the scenes of one kind. The kind "tune" has the talkers and rooms with which the
constants of the package are chosen. The kind "score" has other talkers and rooms, for the final
scores. The rooms are simulated by the image method. The noise of the microphone has a level of -96
dBFS.
"""
import functools, glob, itertools, os, subprocess, sys
import numpy as np
from scipy.signal import fftconvolve, lfilter
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "voice"))
from suppression_material import read

RATE = 16_000
TALKERS = {"tune": ("lib", "fr", "cs-m", "nl-v"), "score": ("en", "es", "it", "ru", "festvox", "cs-v", "nl-m")}
# Room size in m, reflection coefficient, and positions in m: loudspeaker, microphone, moved
# microphone.
PLACES = {
    "tune": {
        "office": ((4.2, 3.4, 2.6), 0.80, (1.2, 1.1, 1.1), (1.6, 1.5, 1.0), (1.95, 1.7, 1.0)),
        "living room": ((5.8, 4.6, 2.7), 0.86, (1.0, 1.3, 1.2), (2.2, 2.6, 0.9), (1.9, 2.9, 1.0)),
        "desk phone": ((5.2, 3.6, 2.8), 0.86, (2.0, 1.6, 0.75), (2.13, 1.6, 0.76), (2.13, 1.72, 1.0)),
        "van": ((2.7, 1.7, 1.4), 0.66, (0.6, 0.35, 0.55), (1.0, 0.85, 1.2), (1.0, 0.6, 1.2)),
        "conference room": ((8.1, 4.8, 2.9), 0.85, (2.2, 1.2, 1.3), (3.8, 2.2, 0.8), (3.3, 1.9, 0.9)),
        "laptop at home": ((4.4, 3.1, 2.4), 0.82, (1.7, 1.0, 0.8), (1.82, 1.2, 1.0), (1.6, 1.25, 1.0))},
    "score": {
        "laptop": ((3.6, 2.9, 2.5), 0.84, (1.4, 1.3, 0.8), (1.5, 1.5, 1.0), (1.3, 1.55, 1.0)),
        "phone on a table": ((6.4, 4.1, 2.8), 0.85, (2.6, 2.0, 0.76), (2.72, 2.0, 0.77), (2.72, 2.1, 1.0)),
        "meeting room": ((7.4, 5.2, 3.0), 0.84, (2.0, 1.0, 1.4), (3.4, 2.4, 0.8), (3.0, 2.1, 0.9)),
        "car": ((2.4, 1.5, 1.2), 0.62, (0.5, 0.3, 0.5), (0.9, 0.75, 1.1), (0.9, 0.5, 1.1))}}
# Distortions of the loudspeaker. "strong" is an overdriven loudspeaker.
DISTORTIONS = {
    "gentle": lambda x: np.tanh(4 * x) / 4,
    "asymmetric": lambda x: np.tanh(6 * x + 0.15) - np.tanh(0.15) + 1.6 * x ** 2,
    "clipped": lambda x: np.clip(x, -0.1, 0.1),
    "strong": lambda x: np.tanh(20 * x) / 20 + 0.3 * np.abs(x)}
STEADY = ("pink noise", "rain", "tones", "soft tones", "organ", "chords")


def response(size, reflection, source, microphone, seconds=0.35):
    """The impulse response of a box-shaped room, with fractional delays.

    Source of the method: J. Allen & D. Berkley, 1979.
    """
    count = int(seconds * RATE)
    result = np.zeros(count + 64)
    order = [int(np.ceil(seconds * 343 / (2 * length))) for length in size]
    axes = []
    for axis in range(3):
        numbers = np.arange(-order[axis], order[axis] + 1)
        images = np.concatenate([2 * numbers * size[axis] + source[axis], 2 * numbers * size[axis] - source[axis]])
        hits = np.concatenate([np.abs(2 * numbers), np.abs(2 * numbers - 1)])
        axes.append((images - microphone[axis], hits))
    (x, hx), (y, hy), (z, hz) = axes
    distance = np.sqrt(x[:, None, None] ** 2 + y[None, :, None] ** 2 + z[None, None, :] ** 2).ravel()
    hits = (hx[:, None, None] + hy[None, :, None] + hz[None, None, :]).ravel()
    near = distance < seconds * 343
    distance, hits = distance[near], hits[near]
    time = distance / 343 * RATE
    whole = np.floor(time).astype(int)
    gains = reflection ** hits / (4 * np.pi * np.maximum(distance, 0.1))
    taps = np.arange(-16, 17)
    for tap, weight in zip(taps, 0.5 + 0.5 * np.cos(np.pi * taps / 17)):
        index = whole + tap
        valid = (index >= 0) & (index < count)
        np.add.at(result, index[valid], (gains * np.sinc(tap - (time - whole)) * weight)[valid])
    return result[:count]


def drifted(sound, ppm):
    """The sound, recorded with a clock that is faster by `ppm` parts per million."""
    times = np.arange(len(sound)) * (1 + ppm * 1e-6)
    whole = np.floor(times).astype(int)
    padded = np.concatenate([np.zeros(16), sound, np.zeros(64)])
    result = np.zeros(len(sound))
    for tap in range(-15, 17):
        offset = tap - (times - whole)
        weight = np.sinc(offset) * (0.5 + 0.5 * np.cos(np.pi * offset / 17))
        result += padded[np.minimum(whole + tap + 16, len(padded) - 1)] * weight
    return result


@functools.lru_cache(None)
def talker(folder, name):
    def found(pattern, minimum=0):
        return [path for path in sorted(glob.glob(os.path.join(folder, "**", pattern), recursive=True))
                if os.path.getsize(path) > minimum]

    if name == "lib":
        paths = found("librivox/*.wav")
    elif name == "festvox":
        paths = found("msu_ru_nsh_clunits/wav/ru_00[0-2]*.wav")
    elif "-" in name:
        language, fish = name.split("-")
        paths = found(f"*-{fish}-*.ogg", 25_000)
        paths = [path for path in paths if f"/{language}/" in path][::9][:25]
    else:
        paths = [path for path in found("*.g722", 40_000) if f"/sounds/{name}_" in path][5:25]
    if not paths:
        sys.exit(f"{folder}: recordings of {name} are missing")
    sound = np.concatenate([read(path) for path in paths])
    return sound / np.sqrt(np.mean(sound ** 2)) * 0.05


def talk(folder, name, seconds, start):
    """Talk that begins immediately. `start` determines the position in the recordings."""
    sound = talker(folder, name)
    sound = np.roll(sound, -int(start * 7.3 * RATE) % len(sound))
    begin = np.flatnonzero(np.abs(sound) > 0.03)[0]
    sound = np.tile(sound[begin:], 1 + int(np.ceil(seconds * RATE / (len(sound) - begin))))
    return sound[:seconds * RATE]


@functools.lru_cache(None)
def path(kind, place, moved=False, mirrored=False):
    """The impulse response from a loudspeaker to the microphone.

    If `mirrored` is true, it is the second loudspeaker, at the other end of the room.
    """
    size, reflection, source, first, second = PLACES[kind][place]
    if mirrored:
        source = (size[0] - source[0], source[1], source[2])
    return response(size, reflection, source, second if moved else first)


def echo_of(sound, kind, place, moved=False):
    made = fftconvolve(sound, path(kind, place, moved))[:len(sound)]
    return made * 0.05 / np.sqrt(np.mean(made ** 2))


def echo_of_two(sounds, kind, place):
    """The echo of two loudspeakers. `sounds` is an array [loudspeaker, sample]."""
    made = sum(fftconvolve(sound, path(kind, place, mirrored=bool(number)))[:len(sound)] for number, sound in enumerate(sounds))
    return made * 0.05 / np.sqrt(np.mean(made ** 2))


def song(folder, name, kind):
    """24 s of a piece of music, as an array [channel, sample]."""
    paths = sorted(glob.glob(os.path.join(folder, f"**/{name}/song.ogg"), recursive=True))
    if not paths:
        sys.exit(f"{folder}: the song {name} is missing")
    command = ["ffmpeg", "-v", "error", "-ss", "20" if kind == "score" else "60", "-t", "24", "-i", paths[0],
               "-f", "f32le", "-ac", "2", "-ar", str(RATE), "-"]
    sound = np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<f4").astype(float).reshape(-1, 2).T
    return sound * 0.05 / np.sqrt(np.mean(sound.mean(0) ** 2))


def later(sound, milliseconds):
    return np.concatenate([np.zeros(milliseconds * RATE // 1000), sound])[:len(sound)]


def turns(count, generator):
    """Two signals, one per side of a conversation: 1 while the side talks, otherwise 0.

    At some times, both sides talk.
    """
    sides = np.zeros((2, count))
    position, side = 0, 0
    while position < count:
        length = int(generator.uniform(1.5, 5) * RATE)
        sides[side, position:position + length] = 1
        position += length - int(generator.uniform(-.3, 1) * RATE)
        side = 1 - side
    return sides


def steady(name, seconds, generator):
    """Playback of a sound with a nearly constant level."""
    count, time = seconds * RATE, np.arange(seconds * RATE) / RATE
    white = generator.standard_normal(count)
    if name == "pink noise":
        pink = lfilter([.049922, -.095993, .050613, -.004408], [1, -2.494956, 2.017265, -.522190], white)
        return pink / np.std(pink) * 0.02
    if name == "rain":
        drops = lfilter([1], [1, -.6], white * (generator.random(count) < .02) * 4) + .3 * white
        return drops / np.std(drops) * 0.02
    if name == "chords":
        sound = np.zeros(count)
        for number in range(int(seconds / .8)):
            part = slice(int(number * .8 * RATE), count)
            age = time[part] - time[part.start]
            for semitone in generator.choice([0, 3, 4, 7, 10, 12, 15], 4, replace=False):
                pitch = 165 * 2 ** ((semitone + 2 * (number % 5)) / 12)
                sound[part] += sum(np.sin(2 * np.pi * pitch * k * age) / k * np.exp(-age * (2 + k)) for k in (1, 2, 3, 4))
        return sound / np.std(sound) * 0.05
    tones = sum(np.sin(2 * np.pi * pitch * time) / (1 + number % 3)
                for number, pitch in enumerate((98, 196, 294, 392, 588, 784, 1176, 1960)))
    if name != "organ":
        tones = tones * (1 + .3 * np.sin(2 * np.pi * 5.1 * time))
    return tones / np.std(tones) * {"tones": 0.08, "soft tones": 0.00045, "organ": 0.03}[name]


def made(reference, echo, near=None):
    near = np.zeros(len(echo)) if near is None else near
    noise = np.random.default_rng(5).standard_normal(len(echo)) * 1.6e-5
    return {"reference": np.atleast_2d(reference), "near": near, "microphone": echo + near + noise}


def cases(folder, kind):
    """Yields (group, row, function that makes the scene, near periods, echo periods).

    Periods are in seconds.
    """
    names, places = TALKERS[kind], list(PLACES[kind])
    if kind == "tune":
        pairs = 2 * list(itertools.permutations(names, 2))
        rooms = [places[index % 2] if index < 12 else places[2 + index % 4] for index in range(24)]
    else:
        pairs = [(far, names[(index + 1 + index // 2) % len(names)]) for index, far in enumerate(names)]
        rooms = [places[index % len(places)] for index in range(len(pairs))]
    for index, ((far, near), room) in enumerate(zip(pairs, rooms)):
        yield from pair(folder, kind, far, near, room, index)
    for index, name in enumerate(STEADY):
        def scene(name=name, index=index):
            x = steady(name, 55, np.random.default_rng(index))
            return made(x, np.zeros(len(x)), talk(folder, names[index % len(names)], 55, index))
        yield "steady playback without echo", name, scene, ((.5, 5), (5, 55)), ()
    for index, name in enumerate(("pink noise", "rain", "organ")):
        def scene(name=name, index=index):
            x = steady(name, 24, np.random.default_rng(index))
            return made(x, echo_of(x, kind, places[index % len(places)]), talk(folder, names[index % len(names)], 24, index))
        yield "steady playback with echo", f"{name}, near +0 dB", scene, ((.5, 4), (4, 24)), ()
    for index, place in enumerate(places):
        for piece in ("Feelings", "War of freedom"):
            def music(near, two, index=index, place=place, piece=piece):
                x = song(folder, piece, kind)
                x = x if two else x.mean(0)
                echo = echo_of_two(x, kind, place) if two else echo_of(x, kind, place)
                return made(x, echo, talk(folder, names[index % len(names)], 24, index) if near else None)
            for two, what in ((False, "music"), (True, "music, two loudspeakers")):
                yield "echo alone", what, functools.partial(music, False, two), (), ((2, 5), (15, 24))
                yield "near beside music", f"{what}, near +0 dB", functools.partial(music, True, two), ((.5, 1), (1, 4), (4, 24)), ()


def pair(folder, kind, far, near, place, index):
    """Yields the scenes of two talkers."""
    @functools.lru_cache(None)
    def voices(seconds=24):
        x, talking = talk(folder, far, seconds, index), talk(folder, near, seconds, index + 3)
        return x, talking, echo_of(x, kind, place), np.arange(len(x)) / RATE

    def without_echo(gain):
        x, talking, echo, _ = voices(60)
        return made(x, 0 * echo, talking * 10 ** (gain / 20))

    def conversation(gain):
        x, talking, echo, _ = voices(60)
        far_turn, near_turn = turns(len(x), np.random.default_rng(index))
        return made(x * far_turn, echo_of(x * far_turn, kind, place) * 10 ** (-gain / 20), talking * near_turn)

    def at_once(gain):
        x, talking, echo, _ = voices()
        loudness = 10 ** (min(gain, 8) / 20)
        return made(x, echo * loudness * 10 ** (-gain / 20), talking * loudness)

    def after(start, gain, bend=None):
        x, talking, echo, time = voices()
        if bend:
            echo = echo_of(bend(x), kind, place)
        return made(x, echo, np.where(time >= start, talking, 0) * 10 ** (gain / 20))

    def far_joins():
        x, talking, _, time = voices()
        x = np.where(time >= 6, x, 0)
        return made(x, echo_of(x, kind, place), talking)

    def changed(has_near, moves, delays=(0, 0)):
        """A scene in which the echo path changes at 12 s.

        The microphone moves, or the delay of the devices (in ms) changes, or both.
        """
        x, talking, echo, time = voices()
        other = echo_of(x, kind, place, True) if moves else echo
        echo = np.where(time >= 12, later(other, delays[1]), later(echo, delays[0]))
        return made(x, echo, np.where(time >= 4, talking, 0) if has_near else None)

    def alone(change=lambda sound: sound):
        x, _, echo, _ = voices()
        return made(x, change(echo))

    for gain in (0, 8):
        yield ("no echo", f"near {gain:+d} dB", functools.partial(without_echo, gain),
               ((.5, 1), (1, 10), (10, 30), (30, 60)), ())
    for gain in (0, 20):
        yield ("conversation in turns", f"near {gain:+d} dB", functools.partial(conversation, gain), ((.5, 10), (10, 60)), ())
    for gain in (-8, 0, 8, 20, 40):
        yield ("near from the first frame", f"near {gain:+d} dB", functools.partial(at_once, gain),
               ((.5, 1), (1, 2), (2, 4), (4, 24)), ())
    for gain in (0, 8):
        yield ("near after 8 s of far talk", f"near {gain:+d} dB", functools.partial(after, 8, gain), ((8, 10), (10, 24)), ())
    yield "far talk joins near talk", "near +0 dB", far_joins, ((6, 7), (7, 24)), ()
    for row, *change in (("room", True), ("delay", False, (0, 230)), ("delay, room", True, (0, 230)),
                         ("delay 230 to 60 ms", False, (230, 60))):
        yield "path change in double talk", row, functools.partial(changed, True, *change), ((12, 14), (14, 24)), ()
    yield "echo alone", "plain", alone, (), ((.3, 2), (15, 24))
    for row, *change in (("room changes at 12 s", True), ("delay jumps 230 ms at 12 s", False, (0, 230)),
                         ("delay falls to 60 ms at 12 s", False, (230, 60))):
        yield "echo alone", row, functools.partial(changed, False, *change), (), ((12, 13), (15, 24))
    # The echo of a real device never comes before its playback. The delay changes by 7 ms in 24 s.
    for ppm in (-300, 300):
        yield ("echo alone", f"device delay 20 ms, drift {ppm:+d} ppm",
               functools.partial(alone, lambda echo, ppm=ppm: drifted(later(echo, 20), ppm)), (), ((2, 5), (15, 24)))
    for delay in (50, 100, 220, 500):
        yield ("echo alone", f"device delay {delay} ms", functools.partial(alone, lambda echo, delay=delay: later(echo, delay)),
               (), ((.8, 2), (2, 5), (15, 24)))
    for name, bend in DISTORTIONS.items():
        def bent(bend=bend):
            x = voices()[0]
            return made(x, echo_of(bend(x), kind, place))
        yield "distorting loudspeaker", name, bent, (), ((2, 24), (8, 24))
        if name != "gentle":
            group = "near joins strongly distorted echo" if name == "strong" else "near joins distorted echo"
            for gain in (0, 8):
                yield group, f"near {gain:+d} dB", functools.partial(after, 8, gain, bend), ((8, 10), (10, 24)), ()
