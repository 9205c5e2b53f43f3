#!/usr/bin/env python3
"""Builds the training material with which `suppression_fit.py` fits the noise suppressor's network.

    python3 Benchmarks/voice/suppression_material.py SOURCES OUT [MINUTES]    from the package's folder

SOURCES is a folder with the files that SPEECH, RECORDED and SHORT below name: unpacked Debian packages and
checkouts of public repositories. They are in the public domain or have one of these licences: CC0,
CC BY, a BSD-like licence, MIT or Apache-2.0. Most noise is generated, 120 minutes by default. Needs
ffmpeg, numpy and scipy. The script writes these files to OUT:

- `speech.i16` and `noise.i16`: 16 kHz, 16 bits, one channel,
- `noise.shares`: for each 8 s of noise, the fraction of the noise that suppression must not remove,
- `speech-kept.i16` and similar names: the same files for validation, with another talker and other
  kinds of noise,
- `manifest.txt`.

`noise.py` scores no talker and no recording of noise that is in this material.
"""
import argparse, functools, glob, json, multiprocessing, os, subprocess, sys, zlib
import numpy as np
import scipy.signal

RATE = 16_000
SEGMENT = 8 * RATE

# Folder, files, licence, maximum minutes, and 1 if the files are used only for validation.
SPEECH = [
    ("speech-to-intent-benchmark", "data/speech/clean/*.wav", "Apache-2.0, more than 50 talkers", 75, 0),
    ("wake-word-benchmark", "audio/*/*.wav", "Apache-2.0, more than 50 talkers, six words", 20, 0),
    ("dataset-voice-kerstin", "audio/*.webm", "CC0, one German talker", 14, 0),
    ("festvox-ru", "usr/share/festival/**/*.wav", "BSD-like, one Russian talker", 14, 0),
    ("asterisk-core-sounds-ru-g722", "usr/share/**/*.g722", "CC BY 3.0, one Russian talker", 12, 0),
    ("asterisk-core-sounds-it-g722", "usr/share/**/*.g722", "CC BY 3.0, one Italian talker", 4, 1),
]
RECORDED = [
    ("blanket", "data/resources/sounds/birds.ogg", "CC0", 0),
    ("blanket", "data/resources/sounds/boat.ogg", "CC0", 0),
    ("blanket", "data/resources/sounds/city.ogg", "CC BY", 0),
    ("blanket", "data/resources/sounds/coffee-shop.ogg", "public domain", 1),
    ("blanket", "data/resources/sounds/fireplace.ogg", "public domain", 0),
    ("blanket", "data/resources/sounds/rain.ogg", "CC BY", 0),
    ("blanket", "data/resources/sounds/storm.ogg", "CC BY", 0),
    ("blanket", "data/resources/sounds/summer-night.ogg", "public domain", 0),
    ("blanket", "data/resources/sounds/train.ogg", "CC BY 3.0", 1),
    ("blanket", "data/resources/sounds/waves.ogg", "CC BY", 0),
    ("blanket", "data/resources/sounds/wind.ogg", "CC0", 0),
    ("ambient-engine", "packages/web/public/assets/bikes.mp3", "CC BY 4.0", 0),
    ("ambient-engine", "packages/web/public/assets/footsteps.mp3", "public domain", 0),
    ("ambient-engine", "packages/web/public/assets/hum.mp3", "public domain", 0),
    ("ambient-engine", "packages/web/public/assets/water.mp3", "public domain", 0),
    ("ambient-engine", "packages/web/public/assets/wind1.mp3", "public domain", 0),
    ("gui-project", "sounds/construction.ogg", "CC BY 3.0", 0),
    ("gui-project", "sounds/farm.ogg", "CC0", 0),
    ("gui-project", "sounds/leaves.ogg", "CC BY 4.0", 0),
    ("gui-project", "sounds/owls.ogg", "CC BY 4.0", 0),
    ("modern-alarm-clock", "public/sfx/city.mp3", "CC0", 0),
    ("modern-alarm-clock", "public/sfx/fireplace.mp3", "CC0", 0),
    ("modern-alarm-clock", "public/sfx/forest.mp3", "CC0", 0),
    ("modern-alarm-clock", "public/sfx/thunder.mp3", "CC0", 0),
    ("modern-alarm-clock", "public/sfx/waves.mp3", "CC0", 0),
    ("modern-alarm-clock", "public/sfx/wind.mp3", "CC0", 0),
    ("noixer", "assets/133099__allh__steam-train-interior_e.mp3", "CC0", 0),
    ("noixer", "assets/155940__ali-k__small-waterfall-pentalofos-salonika-21-33-30-04.mp3", "CC0", 0),
    ("noixer", "assets/19283__ionizing__thunderstorm-5-28-06.mp3", "CC0", 0),
    ("noixer", "assets/197804__7778__indoor-fish-tank-without-bubble-strips-ambiance.mp3", "CC0", 0),
    ("noixer", "assets/252645__yetcop__cat-purr-gato-ronroneando.mp3", "CC0", 0),
    ("noixer", "assets/260105__joshs__train.mp3", "CC0", 0),
    ("noixer", "assets/324404__joedeshon__film-static-03.mp3", "CC0", 0),
    ("noixer", "assets/32655__greysound__frogsandcrickets-excerptb-jma-24bit-48k.mp3", "CC0", 0),
    ("noixer", "assets/394290__epicwizard__bar-crowd-in-belgrade.mp3", "CC0", 0),
    ("noixer", "assets/433783__cagancelik__campfire.mp3", "CC0", 0),
    ("noixer", "assets/450755__florianreichelt__waves-of-hawaii.mp3", "CC0", 0),
    ("noixer", "assets/517042__sonidosreales245__forestday-bw-66.mp3", "CC0", 0),
    ("noixer", "assets/525052__smand__wind-chime-small.mp3", "CC0", 0),
    ("noixer", "assets/551997__legnalegna55__eating-sound-asmr-crunchy-sound.mp3", "CC0", 0),
    ("noixer", "assets/585463__guiller1220__20-crispetas.mp3", "CC0", 0),
    ("noixer", "assets/688692__digitalartsma__drawing-on-paper-with-coal.mp3", "CC0", 0),
    ("noixer", "assets/707733__lizelle__eating-chips.mp3", "CC0", 0),
]
# Recordings with the voices of many people; see KEPT_OF_BABBLE.
CROWDS = ("coffee-shop", "bar-crowd")
# Recordings of single short sounds: folder, files, licence, and 1 if the files are used only for
# validation. A `config.json` names the times of the keys of a keyboard.
SHORT = [
    ("kenney", "Audio (295 files)/RPG sounds (50 sounds)/*.ogg", "CC0: books, pots, knives, doors, steps, coins", 0),
    ("kenney", "Audio (295 files)/Casino sounds (50 sounds)/*.ogg", "CC0: cards, dice, chips", 0),
    ("kenney", "Audio (295 files)/UI sounds (50 sounds)/*.ogg", "CC0: switches, a computer mouse", 1),
    ("sonic-pi-samples", "usr/share/**/perc_*.flac", "CC0: bells, a door, snaps", 0),
    ("sonic-pi-samples", "usr/share/**/drum_*.flac", "CC0: drums, cymbals", 0),
    ("sonic-pi-samples", "usr/share/**/tabla_*.flac", "CC0: tabla", 0),
    ("mechvibes", "src/audio/cherrymx-black-abs/config.json", "MIT: a keyboard", 0),
    ("mechvibes", "src/audio/cherrymx-black-pbt/config.json", "MIT: a keyboard", 0),
    ("mechvibes", "src/audio/cherrymx-blue-abs/config.json", "MIT: a keyboard", 0),
    ("mechvibes", "src/audio/cherrymx-blue-pbt/config.json", "MIT: a keyboard", 0),
    ("mechvibes", "src/audio/cherrymx-brown-abs/config.json", "MIT: a keyboard", 0),
    ("mechvibes", "src/audio/cherrymx-brown-pbt/config.json", "MIT: a keyboard", 0),
    ("mechvibes", "src/audio/cherrymx-red-abs/config.json", "MIT: a keyboard", 1),
    ("mechvibes", "src/audio/cherrymx-red-pbt/config.json", "MIT: a keyboard", 0),
]


def seeded(*key):
    return np.random.default_rng(zlib.crc32(repr(key).encode()))


def read(path):
    form = ["-f", "g722"] if path.endswith(".g722") else []
    command = ["ffmpeg", "-v", "error", *form, "-i", path, "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<f4").astype(float)


def frame_levels(sound):
    frames = sound[: len(sound) // 160 * 160].reshape(-1, 160)
    return 10 * np.log10((frames**2).mean(1) + 1e-12)


# Speech

def utterance(path):
    """One utterance at an active level of -26 dBFS; None if the recording itself is noisy.

    70 % of the utterances are played up to 15 % faster or slower, so that they sound like other
    talkers. 30 % of the utterances get the sound of a small room.
    """
    generator = seeded("speech", os.path.basename(path))
    sound = read(path)
    sound = scipy.signal.sosfilt(scipy.signal.butter(2, 60, "high", fs=RATE, output="sos"), sound - sound.mean())
    if len(sound) < RATE // 2:
        return None
    levels = frame_levels(sound)
    top, bottom = np.percentile(levels, 95), np.percentile(levels, 5)
    if top - bottom < 35 or top < -60:
        return None
    if generator.random() < 0.7:
        speed = generator.uniform(0.87, 1.15)
        sound = scipy.signal.resample_poly(sound, int(round(100 / speed)), 100)
        levels = frame_levels(sound)
    active = np.flatnonzero(levels > np.percentile(levels, 95) - 35)
    sound = sound[max(0, active[0] - 10) * 160 : (active[-1] + 20) * 160]
    levels = frame_levels(sound)
    if generator.random() < 0.3:
        sound = in_room(sound, generator)
    loud = levels > np.percentile(levels, 95) - 25
    power = (10 ** (levels[loud] / 10)).mean()
    sound = sound * 0.05 / np.sqrt(power)
    fade = np.minimum(1, np.arange(len(sound)) / 160)
    pause = np.zeros(int(generator.uniform(0.02, 0.6) * RATE))
    return np.concatenate([sound * fade * fade[::-1], pause])


def in_room(sound, generator):
    """A direct path and a diffuse tail that decays within 0.1…0.4 s."""
    length = int(generator.uniform(0.1, 0.4) * RATE)
    tail = generator.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    tail = scipy.signal.lfilter([1], [1, -generator.uniform(0, 0.5)], tail)
    tail[: int(0.002 * RATE)] = 0
    tail *= 10 ** (-generator.uniform(2, 12) / 20) / np.sqrt((tail**2).sum())
    tail[0] = 1
    return scipy.signal.fftconvolve(sound, tail)[: len(sound)]


# Noise

def shaped(count, generator, slope=None):
    """Steady noise. Its spectrum has a random slope, and random peaks and dips of up to 15 dB."""
    spectrum = np.fft.rfft(generator.standard_normal(count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20)
    octave = np.log2(frequency / 20)
    level = -(generator.uniform(-2, 7) if slope is None else slope) * octave
    for _ in range(generator.integers(0, 5)):
        width = generator.uniform(0.1, 1.2)
        level += generator.uniform(-15, 15) * np.exp(-(((octave - generator.uniform(0, 8.6)) / width) ** 2))
    return np.fft.irfft(spectrum * 10 ** (level / 20), count)


def slowly(count, generator, pace):
    """A random curve with a standard deviation of 1. It changes about `pace` times per second."""
    points = max(4, int(count / RATE * pace))
    course = np.interp(np.linspace(0, points - 1, count), np.arange(points), generator.standard_normal(points))
    return course / course.std()


def steady(count, generator):
    return shaped(count, generator)


def swelling(count, generator):
    """Noise with a changing level, as from traffic, wind or waves."""
    return shaped(count, generator) * 10 ** (generator.uniform(0.1, 0.5) * slowly(count, generator, generator.uniform(0.3, 6)))


def pulsing(count, generator):
    """Noise with the rhythm of syllables, as from saws, brushes or pumps."""
    time = np.arange(count) / RATE
    turn = 2 * np.pi * generator.uniform(0.5, 12) * time + 0.5 * np.cumsum(slowly(count, generator, 2)) / RATE
    envelope = np.maximum(0, 1 + generator.uniform(0.5, 3) * np.sin(turn)) ** generator.uniform(0.5, 3)
    return shaped(count, generator) * (envelope + 0.01)


def motor(count, generator):
    """Shavers, mixers, drills, hair dryers: harmonics with an unsteady frequency, and air noise."""
    base = np.exp(generator.uniform(np.log(40), np.log(500)))
    drift = 1 + generator.uniform(0, 0.03) * slowly(count, generator, generator.uniform(0.2, 4))
    if generator.random() < 0.3:
        drift *= np.interp(np.arange(count), [0, RATE * generator.uniform(0.3, 2), count], [0.2, 1, 1])
    phase = 2 * np.pi * np.cumsum(base * drift) / RATE
    sound, tilt = np.zeros(count), generator.uniform(0.2, 1.6)
    for harmonic in range(1, min(60, int(7_600 / base)) + 1):
        sound += generator.lognormal(0, 0.7) / harmonic**tilt * np.sin(harmonic * phase + generator.uniform(0, 6.3))
    sound *= 1 + generator.uniform(0, 0.5) * np.sin(phase / generator.integers(2, 9))
    air = shaped(count, generator)
    return sound / sound.std() + generator.uniform(0.1, 3) * air / air.std()


def hum(count, generator):
    time = np.arange(count) / RATE
    mains = generator.choice([50.0, 60.0, 100.0, 120.0]) * generator.uniform(0.99, 1.01)
    sound = sum(generator.lognormal(0, 0.8) / harmonic**0.7 * np.sin(2 * np.pi * mains * harmonic * time + generator.uniform(0, 6.3))
                for harmonic in range(1, 24))
    air = shaped(count, generator, 5)
    return sound + generator.uniform(0.1, 2) * air / air.std()


def knocks(count, generator):
    """Short noises, alone or in fast groups: keys, steps, doors, paper."""
    sound = np.zeros(count)
    tone, slope = generator.uniform(-4, 6), generator.uniform(0.003, 0.15)
    place = 0
    while place < count:
        length = int(RATE * slope * generator.uniform(0.3, 3))
        burst = shaped(max(length, 64), generator, tone)
        burst *= np.exp(-np.arange(len(burst)) / len(burst) * generator.uniform(2, 8)) / (burst.std() + 1e-9)
        if generator.random() < 0.5:
            burst *= np.minimum(1, np.arange(len(burst)) / (generator.uniform(0.01, 0.5) * len(burst)))
        part = burst[: count - place]
        sound[place : place + len(part)] += part * generator.lognormal(0, 0.7)
        place += int(RATE * generator.exponential(generator.choice([0.03, 0.1, 0.2, 0.6]))) + 1
    return sound


@functools.cache
def short_sounds(sources, index):
    """The sounds of an entry of SHORT, without silence at the start, and at most 1.5 s long."""
    folder, pattern, _, _ = SHORT[index]
    paths = sorted(glob.glob(os.path.join(sources, folder, pattern), recursive=True))
    assert paths, f"nothing at {folder}/{pattern}"
    if pattern.endswith("config.json"):
        whole = read(os.path.join(os.path.dirname(paths[0]), "sound.ogg"))
        times = [time for time in json.load(open(paths[0]))["defines"].values() if time]
        sounds = [whole[start * RATE // 1000 : (start + length) * RATE // 1000] for start, length in times]
    else:
        sounds = [read(path) for path in paths]
    result = []
    for sound in sounds:
        loud = np.flatnonzero(np.abs(sound) > 0.01 * np.abs(sound).max(initial=1e-9))
        if len(loud) > RATE // 100:
            sound = sound[max(0, loud[0] - 16) : loud[0] + RATE * 3 // 2]
            sound = sound * np.minimum(1, (len(sound) - np.arange(len(sound))) / 160)
            result.append(sound / np.sqrt((sound**2).sum()))
    assert result, f"only silence at {folder}/{pattern}"
    return result


def struck(count, generator, sources, kept):
    """Recorded short sounds in random order: fast and regular as when typing, or in clusters."""
    entries = [index for index, entry in enumerate(SHORT) if entry[3] == kept]
    sounds = short_sounds(sources, entries[generator.integers(len(entries))])
    chosen = [sounds[index] for index in generator.permutation(len(sounds))[: generator.integers(2, 30)]]
    regular = generator.random() < 0.5
    gap, spread = (generator.uniform(0.08, 0.4), 0.4) if regular else (generator.choice([0.04, 0.1, 0.3, 0.8]), 0)
    speed, unequal = generator.uniform(0.75, 1.35), generator.uniform(0.1, 0.8)
    sound, place = np.zeros(count), 0
    while place < count:
        hit = chosen[generator.integers(len(chosen))]
        own = speed * generator.uniform(0.97, 1.03)
        hit = np.interp(np.arange(0, len(hit) - 1, own), np.arange(len(hit)), hit)[: count - place]
        sound[place : place + len(hit)] += hit * generator.lognormal(0, unequal)
        wait = gap * generator.lognormal(0, spread) if regular else generator.exponential(gap)
        if regular and generator.random() < 0.05:
            wait += generator.exponential(1)
        place += int(RATE * wait) + 1
    return sound


def clinks(count, generator):
    """Clusters of damped resonances: dishes, glass, keys."""
    sound, place = np.zeros(count), 0
    pace = generator.choice([0.05, 0.15, 0.4])
    while place < count:
        decay = generator.uniform(0.01, 0.25)
        length = min(int(6 * decay * RATE), count - place)
        time = np.arange(length) / RATE
        hit = np.zeros(length)
        for _ in range(generator.integers(2, 14)):
            frequency = np.exp(generator.uniform(np.log(400), np.log(7_800)))
            hit += generator.lognormal(0, 0.8) * np.sin(2 * np.pi * frequency * time) * np.exp(
                -time / decay * generator.uniform(0.7, 4))
        click = generator.standard_normal(length) * np.exp(-time / 0.002)
        sound[place : place + length] += (hit + generator.uniform(0, 4) * click) * generator.lognormal(0, 0.8)
        place += int(RATE * generator.exponential(pace)) + 1
    return sound


def water(count, generator):
    """Water: bubbles with rising pitch, and hiss."""
    sound = np.zeros(count)
    for place in generator.integers(0, count, int(count / RATE * generator.uniform(15, 250))):
        frequency, decay = np.exp(generator.uniform(np.log(300), np.log(5_000))), generator.uniform(0.003, 0.03)
        length = min(int(5 * decay * RATE), count - place)
        time = np.arange(length) / RATE
        phase = 2 * np.pi * frequency * (time + generator.uniform(0, 6) * time**2)
        sound[place : place + length] += generator.lognormal(0, 0.8) * np.sin(phase) * np.exp(-time / decay)
    hiss = shaped(count, generator, generator.uniform(-2, 3))
    hiss *= 10 ** (0.15 * slowly(count, generator, 8))
    return sound / sound.std() + generator.uniform(0.2, 3) * hiss / hiss.std()


def tones(count, generator):
    """Tones of ringing, beeps and sirens."""
    time = np.arange(count) / RATE
    on = ((time * generator.uniform(0.4, 5)) % 1 < generator.uniform(0.2, 1)).astype(float)
    on = scipy.signal.lfilter([0.01], [1, -0.99], on)
    glide = 2 ** (generator.uniform(0, 0.6) * np.sin(2 * np.pi * generator.uniform(0.1, 4) * time))
    sound = np.zeros(count)
    for frequency in generator.uniform(300, 2_500, generator.integers(1, 4)):
        phase = 2 * np.pi * np.cumsum(frequency * glide) / RATE
        for harmonic in range(1, generator.integers(2, 6)):
            if frequency * harmonic < 5_000:
                sound += np.sin(harmonic * phase) / harmonic ** generator.uniform(0.5, 2)
    return sound * on + 0.003 * generator.standard_normal(count)


def tune(count, generator):
    """Music of random notes."""
    sound = np.zeros(count)
    beat = int(RATE * generator.uniform(0.12, 0.6))
    root = generator.uniform(55, 110)
    scale = np.array([0, 2, 4, 5, 7, 9, 11] if generator.random() < 0.5 else [0, 2, 3, 5, 7, 8, 10])
    for _ in range(generator.integers(1, 4)):
        tilt, decay, octave = generator.uniform(0.5, 2.5), generator.uniform(0.5, 8), generator.integers(0, 4)
        for place in range(0, count, beat * generator.integers(1, 3)):
            for _ in range(generator.integers(1, 4)):
                frequency = root * 2 ** (octave + scale[generator.integers(7)] / 12)
                length = min(int(beat * generator.uniform(0.7, 3)), count - place)
                time = np.arange(length) / RATE
                note = sum(np.sin(2 * np.pi * frequency * h * time) / h**tilt for h in range(1, min(16, int(7_000 / frequency)) + 1))
                note = note * np.exp(-decay * time) * np.minimum(1, time / 0.008)
                sound[place : place + length] += note * np.minimum(1, (length - np.arange(length)) / 160)
    if generator.random() < 0.5:
        for index, place in enumerate(range(0, count, beat)):
            hit = generator.standard_normal(min(RATE // 8, count - place)) * (1 if index % 2 else 0.4)
            sound[place : place + len(hit)] += hit * np.exp(-np.arange(len(hit)) / RATE * generator.uniform(20, 70))
    return sound


def babble(count, generator, voices):
    """Three to eight talkers at once."""
    sound = np.zeros(count)
    for _ in range(generator.integers(3, 9)):
        start = generator.integers(0, len(voices) - count)
        sound += voices[start : start + count] * generator.lognormal(0, 0.3)
    return sound


# The kinds of noise, their relative frequencies, and 1 if a kind is used only for validation.
KINDS = [(steady, 14, 0), (swelling, 8, 0), (pulsing, 6, 0), (motor, 11, 0), (struck, 26, 0), (knocks, 11, 0),
         (clinks, 9, 0), (water, 9, 0), (tune, 7, 0), (babble, 9, 0), (hum, 4, 1), (tones, 4, 0)]
# Babble is speech itself. This fraction of it remains, so it is suppressed by at most 12 dB.
KEPT_OF_BABBLE = 0.25


def noise(task):
    number, kept, voices, sources = task
    generator = seeded("noise", number, kept)
    kinds = [kind for kind in KINDS if kind[2] <= kept]
    weights = np.array([kind[1] * (1 if not kept or kind[2] else 0.5) for kind in kinds], float)

    kept_share = 0.0

    def one():
        nonlocal kept_share
        kind = kinds[generator.choice(len(kinds), p=weights / weights.sum())][0]
        if kind is babble:
            kept_share = KEPT_OF_BABBLE
            sound = babble(SEGMENT, generator, np.memmap(voices, "<i2", "r") / 32768)
        elif kind is struck:
            sound = struck(SEGMENT, generator, sources, kept)
        else:
            sound = kind(SEGMENT, generator)
        return sound / (sound.std() + 1e-9)

    sound = one()
    if generator.random() < 0.25:
        sound = sound + generator.uniform(0.1, 1) * one()
    if generator.random() < 0.4:
        sound = in_room(sound, generator)
    return leveled(sound), kept_share


def leveled(sound):
    """Scales the sound to an RMS of 0.05, as in loud speech.

    The RMS is lower if more than 0.1 % of the samples would be clipped otherwise.
    """
    sound = sound * 0.05 / np.sqrt((sound**2).mean())
    return sound * min(1, 0.9 / np.percentile(np.abs(sound), 99.9))


def at_speeds(recording, generator, kept):
    """The recording unchanged, slower and faster. For validation, only the unchanged recording."""
    yield recording
    if not kept:
        for least, most in ((0.7, 0.9), (1.1, 1.4)):
            yield scipy.signal.resample_poly(recording, int(round(100 / generator.uniform(least, most))), 100)


def integers(sound):
    return np.clip(np.round(sound * 32768), -32768, 32767).astype("<i2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources")
    parser.add_argument("out")
    parser.add_argument("minutes", nargs="?", type=int, default=120, help="of generated noise")
    options = parser.parse_args()
    sources, out = options.sources, options.out
    if not os.path.isdir(sources):
        parser.error(f"{sources} is not a folder")
    os.makedirs(out, exist_ok=True)
    manifest = open(os.path.join(out, "manifest.txt"), "w")
    minutes_of_noise = {0: options.minutes, 1: 8}
    with multiprocessing.Pool() as pool:
        for kept, ending in ((0, ""), (1, "-kept")):
            speech_path = os.path.join(out, f"speech{ending}.i16")
            with open(speech_path, "wb") as file:
                for folder, pattern, licence, minutes, belongs in SPEECH:
                    if belongs != kept:
                        continue
                    paths = sorted(glob.glob(os.path.join(sources, folder, pattern), recursive=True))
                    seeded("order", folder).shuffle(paths)
                    assert paths, f"nothing at {folder}/{pattern}"
                    done = used = 0
                    for path, sound in zip(paths, pool.imap(utterance, paths, chunksize=4)):
                        if sound is None:
                            continue
                        file.write(integers(sound).tobytes())
                        done, used = done + len(sound), used + 1
                        if done > minutes * 60 * RATE:
                            break
                    print(f"speech{ending}: {folder}, {licence}: {used} utterances, {done / RATE / 60:.1f} min", file=manifest)
            shares = []
            with open(os.path.join(out, f"noise{ending}.i16"), "wb") as file:
                count = minutes_of_noise[kept] * 60 * RATE // SEGMENT
                for sound, share in pool.imap(noise, [(number, kept, speech_path, sources) for number in range(count)], chunksize=2):
                    file.write(integers(sound).tobytes())
                    shares.append(share)
                print(f"noise{ending}: made here: {count * 8 / 60:.1f} min", file=manifest)
                for index, (folder, pattern, licence, belongs) in enumerate(SHORT):
                    if belongs == kept:
                        print(f"noise{ending}: {folder}/{pattern}, {licence}: {len(short_sounds(sources, index))} short sounds", file=manifest)
                for folder, name, licence, belongs in RECORDED:
                    if belongs != kept:
                        continue
                    recording = read(os.path.join(sources, folder, name))[: 220 * RATE]
                    for sound in at_speeds(recording, seeded("recorded", folder, name), kept):
                        for start in range(0, len(sound) - SEGMENT + 1, SEGMENT):
                            file.write(integers(leveled(sound[start : start + SEGMENT])).tobytes())
                            shares.append(KEPT_OF_BABBLE if any(crowd in name for crowd in CROWDS) else 0)
                    print(f"noise{ending}: {folder}/{name}, {licence}: {len(recording) / RATE / 60:.1f} min", file=manifest)
            np.array(shares, "<f4").tofile(os.path.join(out, f"noise{ending}.shares"))


if __name__ == "__main__":
    main()
