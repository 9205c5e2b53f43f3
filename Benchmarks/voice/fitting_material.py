"""The training material for the detector's weights.

`fit.py` gets the folder SOURCES with the recordings: the talkers and noises that
`suppression_material.py` lists, and the baby cries below. `compare.py` and `false_starts.py` do not
score any of these recordings. `material.py` describes what the training material and the scored
material have in common.
"""
import functools, glob, os
import numpy as np
import scipy.signal
import suppression_material
from material import *

# Clips of ESC-50 with the licence CC0 or CC BY, according to the file LICENSE of ESC-50. They come
# from the public repository giulbia/baby_cry_detection: "crying baby merged" by bonehead (CC0),
# "Crying baby" by ciccarelli (CC0), and "long baby cry 7 minutes" by klankbeeld (CC BY). Recordings
# that are also in noise-of-life are omitted, because that set is scored.
BABIES = "baby_cry_detection/data/301 - Crying baby/[245]-%s-*.ogg"
BABY_NAMES = ["66637", "185575", "198411"]


def _pulsed_phrase(generator, base, tilt):
    """Simple synthetic speech.

    Pulses pass through three gliding formants. Between these vowels, there are fricatives and
    stops.
    """
    step = RATE // 200
    sound, phase, pitch = [], 0.0, base
    states = [np.zeros(2) for _ in range(3)]
    formants = np.array([500.0, 1_500, 2_500])
    for _ in range(generator.integers(2, 9)):
        length = int(generator.uniform(0.02, 0.09) * RATE)
        if generator.random() < 0.6:
            hiss = scipy.signal.lfilter([1, -generator.uniform(0.3, 1)], [1], generator.standard_normal(length))
            sound.append(generator.uniform(0.02, 0.3) * hiss * np.sin(np.pi * np.arange(length) / length))
        else:
            sound.append(np.zeros(length))
        goal = np.array([generator.uniform(260, 800), generator.uniform(800, 2_300), generator.uniform(2_200, 3_200)])
        blocks = int(generator.uniform(12, 60))
        glide = (base * generator.uniform(0.75, 1.35) - pitch) / blocks
        strength = generator.uniform(0.4, 1)
        for block in range(blocks):
            pitch += glide
            formants = formants + (goal - formants) * 0.12
            phases = phase + np.arange(1, step + 1) * pitch / RATE
            pulses = np.diff(np.floor(phases), prepend=np.floor(phase)) * (1 + 0.1 * generator.standard_normal(step))
            phase = phases[-1] % 1
            part = pulses + 0.01 * generator.standard_normal(step)
            for index in range(3):
                radius = np.exp(-np.pi * (50 + 40 * index) / RATE)
                angle = 2 * np.pi * formants[index] / RATE
                gain = (1 - radius) * np.sqrt(1 - 2 * radius * np.cos(2 * angle) + radius**2)
                part, states[index] = scipy.signal.lfilter(
                    [gain], [1, -2 * radius * np.cos(angle), radius**2], part, zi=states[index])
            share = block / blocks
            sound.append(part * strength * 20 * min(1, 8 * share + 0.1, 5 * (1 - share)))
    phrase = scipy.signal.lfilter([1 - tilt], [1, -tilt], np.concatenate(sound))
    return phrase / np.sqrt((phrase**2).mean()) * 0.1


@functools.cache
def _talkers(sources):
    """The paths of the recorded talkers, with one list per source.

    The validation talkers of the suppressor and recordings of single words are not included.
    """
    lists = [
        sorted(glob.glob(os.path.join(sources, folder, pattern), recursive=True))
        for folder, pattern, _, _, kept in suppression_material.SPEECH if not kept and "wake-word" not in folder]
    assert all(lists), f"recordings are missing in {sources}"
    return lists


def _recorded_phrases(sources, generator):
    """Six recordings of one source, all at the same level."""
    lists = _talkers(sources)
    # Half of the items use the first source, because it has more than 50 talkers.
    paths = lists[0] if generator.random() < 0.5 else lists[generator.integers(1, len(lists))]
    result = []
    while len(result) < 6:
        sound = suppression_material.read(paths[generator.integers(len(paths))])[: 8 * RATE]
        if len(sound) < RATE // 2:
            continue
        sound = sound - sound.mean()
        levels = suppression_material.frame_levels(sound)
        if np.percentile(levels, 95) - np.percentile(levels, 5) < 30:
            continue
        fade = np.minimum(1, np.arange(len(sound)) / 80)
        sound = sound * fade * fade[::-1]
        loud = levels > np.percentile(levels, 95) - 20
        result.append(0.1 * sound / 10 ** (levels[loud].mean() / 20))
    return result


def fitted_speech(seconds, generator, pulsed, sources):
    if not pulsed and generator.random() < 0.4:
        sound, truth = with_pauses(_recorded_phrases(sources, generator), seconds, generator)
    elif pulsed:
        base, tilt = generator.uniform(80, 260), generator.uniform(0, 0.95)
        sound, truth = with_pauses([_pulsed_phrase(generator, base, tilt) for _ in range(12)], seconds, generator)
    elif generator.random() < 0.25:
        sound, truth = with_pauses(recordings(False), seconds, generator)
    else:
        voice = FITTED_VOICES[generator.integers(len(FITTED_VOICES))]
        speed, pitch = int(generator.choice([135, 155, 175])), int(generator.choice([30, 50, 70]))
        chosen = generator.choice(len(FITTED_SENTENCES), 6, replace=False)
        sound, truth = with_pauses(
            [spoken(voice, FITTED_SENTENCES[index], speed, pitch) for index in chosen], seconds, generator)
    # Each item has a different microphone response.
    tilt = generator.uniform(-0.5, 0.5)
    return scipy.signal.lfilter([1, tilt], [1], sound), truth


def _tone(kind, frequency, length, generator, vibrato):
    time = np.arange(length) / RATE
    depth = 0.004 * vibrato
    phase = 2 * np.pi * frequency * (time + depth / 30 * np.sin(2 * np.pi * 5.5 * time))
    harmonics = int(min(24, 7_500 / frequency))
    if kind == "sine":
        return np.sin(phase)
    if kind == "bell":
        ratio, index = generator.choice([1.4, 2, 3.5]), generator.uniform(1, 4)
        return np.sin(phase + index * np.exp(-3 * time) * np.sin(ratio * phase))
    if kind == "string":
        burst = generator.uniform(-1, 1, int(RATE / frequency) + 1)
        excitation = np.zeros(length)
        excitation[: min(length, len(burst))] = burst[: length]
        period = int(RATE / frequency)
        feedback = np.zeros(period + 2)
        feedback[0], feedback[period], feedback[period + 1] = 1, -0.498, -0.498
        return 2 * scipy.signal.lfilter([1], feedback, excitation)
    slope = {"saw": 1, "square": 1, "organ": generator.uniform(0.3, 2), "soft": 2}[kind]
    step = 2 if kind == "square" else 1
    sound = np.zeros(length)
    bright = generator.uniform(0.3, 1) * harmonics
    for harmonic in range(1, harmonics + 1, step):
        sound += np.sin(harmonic * phase + harmonic) / harmonic**slope * np.exp(-((harmonic / bright) ** 2))
    return sound


def _envelope(length, generator):
    time = np.arange(length) / RATE
    attack = generator.choice([0.003, 0.01, 0.03, 0.1])
    rise = np.minimum(1, time / attack)
    fall = np.exp(-time * generator.choice([0, 1, 3, 8]))
    release = np.minimum(1, (length - np.arange(length)) / (0.05 * RATE))
    return rise * fall * np.minimum(1, release)


def fitted_music(count, generator):
    """Tunes of random instruments, with or without chords, bass and drums."""
    sound = np.zeros(count)
    alone = generator.random() < 0.4
    beat = int(RATE * generator.uniform(*((0.1, 0.5) if alone else (0.18, 0.7))))
    kinds = ["sine", "saw", "square", "organ", "soft", "bell", "string", "string", "sine"]
    scale = np.array([0, 2, 3, 5, 7, 8, 10] if generator.random() < 0.5 else [0, 2, 4, 5, 7, 9, 11])
    root = generator.uniform(55, 110)
    for part in range(1 if alone else generator.integers(1, 4)):
        kind = kinds[generator.integers(len(kinds))]
        size = 1 if alone else generator.choice([1, 1, 2, 3, 4])
        octave = generator.integers(1 if alone else 0, 4)
        hold = 1 if alone else generator.choice([1, 1, 2, 4])
        vibrato = generator.random() < 0.2
        gain = generator.uniform(0.2, 1) / size
        legato = generator.uniform(0.6, 1.3)
        shape = generator.integers(1 << 30)
        for place in range(0, count, beat * hold):
            if generator.random() < 0.15:
                continue
            degree = generator.integers(0, 7)
            length = min(int(beat * hold * legato), count - place)
            envelope = _envelope(length, np.random.default_rng(shape))
            for voice in range(size):
                note = scale[(degree + 2 * voice) % 7] + 12 * ((degree + 2 * voice) // 7) + 12 * octave
                tone = _tone(kind, root * 2 ** (note / 12), length, np.random.default_rng(shape), vibrato)
                sound[place : place + length] += gain * tone * envelope
    if generator.random() < 0.4:
        sound += 0.5 * _drums(count, beat, generator)
    return sound + 1e-6 * generator.standard_normal(count)


def _drums(count, beat, generator):
    sound = np.zeros(count)
    for step, place in enumerate(range(0, count, max(1, beat // 2))):
        length = min(int(0.15 * RATE), count - place)
        time = np.arange(length) / RATE
        if step % 4 == 0:
            hit = np.sin(2 * np.pi * (50 * time + 3 * (1 - np.exp(-40 * time)))) * np.exp(-20 * time)
        elif step % 4 == 2:
            hit = generator.standard_normal(length) * np.exp(-30 * time)
        else:
            hit = 0.3 * np.diff(generator.standard_normal(length + 1)) * np.exp(-70 * time)
        sound[place : place + length] += hit
    return sound


def _bursts(count, generator):
    """Short noises at random times: keys, steps, doors."""
    sound = 0.003 * shaped(count, 3, generator) / 1
    for _ in range(int(count / RATE * 10 ** generator.uniform(0, 1.2))):
        length = int(RATE * generator.uniform(0.005, 0.25))
        place = generator.integers(0, max(1, count - length))
        burst = shaped(max(length, 64), generator.uniform(-3, 6), generator)[:length]
        burst = burst / (burst.std() + 1e-9) * np.exp(-np.arange(length) / length * 5)
        sound[place : place + length] += burst[: len(sound) - place] * generator.uniform(0.1, 1)
    return sound


def _beeps(count, generator):
    """Ringing, dialling and warning tones."""
    time = np.arange(count) / RATE
    pair = generator.uniform(300, 1_800, 2)
    on = (time * generator.uniform(0.4, 5)) % 1 < generator.uniform(0.2, 0.8)
    on = scipy.signal.lfilter([0.01], [1, -0.99], on)
    return (np.sin(2 * np.pi * pair[0] * time) + np.sin(2 * np.pi * pair[1] * time)) * on + 1e-4 * shaped(
        count, 3, generator)


def _pulsing(count, generator):
    """Noise with the rhythm of syllables, as from a saw, a brush or a pump."""
    time = np.arange(count) / RATE
    depth, pace = generator.uniform(0.3, 1), generator.uniform(1, 8)
    envelope = 1 + depth * np.sin(2 * np.pi * pace * time + generator.uniform(0, 3) * np.sin(0.7 * time))
    return shaped(count, generator.uniform(0, 6), generator) * envelope


def _swelling(count, generator):
    """Noise with a changing level, as from traffic, wind or waves."""
    slow = scipy.signal.resample(generator.standard_normal(max(4, int(count / RATE * generator.uniform(0.3, 3)))), count)
    return shaped(count, generator.uniform(0, 6), generator) * 10 ** (0.4 * slow)


def _through_throat(sound, generator, strong=1.0):
    """Adds the resonances of a vocal tract with a random shape."""
    for low, high in ((250, 900), (800, 2_200), (1_900, 3_400)):
        radius = np.exp(-np.pi * generator.uniform(60, 350) / strong / RATE)
        angle = 2 * np.pi * generator.uniform(low, high) / RATE
        peak = scipy.signal.lfilter([1 - radius], [1, -2 * radius * np.cos(angle), radius**2], sound)
        sound = peak / (peak.std() + 1e-9) * generator.uniform(0.2, 1) + sound / (sound.std() + 1e-9) * generator.uniform(0, 0.5)
    return sound


def _room(count, generator):
    """The noise of a room, 25…75 dB below the other sounds."""
    noise = shaped(count, generator.uniform(0, 6), generator)
    return noise / noise.std() * 10 ** generator.uniform(-3.75, -1.25)


def _breath(count, generator):
    """Breathing in and out through the nose or the mouth, sometimes with a wheeze."""
    sound = _room(count, generator)
    throats = [generator.integers(1 << 30) for _ in range(2)]
    slopes = generator.uniform(-3, 6, 2)
    place = int(generator.uniform(0, 1) * RATE)
    lengths = generator.uniform(0.25, 1.8, 2)
    turn = 0
    while place < count:
        length = int(RATE * lengths[turn] * generator.uniform(0.8, 1.2))
        air = _through_throat(shaped(length, slopes[turn], generator), np.random.default_rng(throats[turn]))
        if generator.random() < 0.15:
            time = np.arange(length) / RATE
            air += generator.uniform(0, 0.5) * np.sin(2 * np.pi * (generator.uniform(150, 700) * time + 20 * time**2))
        course = np.sin(np.pi * np.arange(length) / length) ** generator.uniform(0.3, 2)
        course *= 1 + generator.uniform(0, 0.4) * scipy.signal.resample(generator.standard_normal(max(4, length // 800)), length)
        part = (air / air.std() * course)[: count - place]
        sound[place : place + len(part)] += part * (1, generator.uniform(0.2, 1))[turn]
        place += length + int(RATE * generator.uniform(0.05, 1.2))
        turn = 1 - turn
    return sound


def _unsteady_pulses(frequency, generator, roughness):
    """An irregular voice: pulses with jumping periods, and noise."""
    jumps = 1 + roughness * generator.standard_normal(len(frequency) // 40 + 2)
    phase = np.cumsum(frequency * np.repeat(jumps, 40)[: len(frequency)]) / RATE
    pulses = np.diff(np.floor(phase), prepend=0)
    return pulses / (pulses.std() + 1e-9)


def _cough(count, generator):
    """Coughs, sneezes and clearing of the throat: a burst, air, and often a hoarse end."""
    sound = _room(count, generator)
    place = int(generator.uniform(0.1, 1.5) * RATE)
    throat = generator.integers(1 << 30)
    base = generator.uniform(120, 450)
    while place < count:
        for _ in range(generator.integers(1, 5)):
            burst, air, end = (int(RATE * generator.uniform(*span)) for span in ((0.01, 0.06), (0.03, 0.2), (0, 0.2)))
            end = end * (generator.random() < 0.7)
            length = burst + air + end
            time = np.arange(length)
            course = np.where(time < burst, 1, np.exp(-(time - burst) / (0.3 * air) * generator.uniform(0.2, 1.2)))
            course = course * np.minimum(1, time / (RATE * generator.uniform(0.001, 0.02)))
            noise = shaped(length, generator.uniform(-3, 4), generator)
            hit = noise / noise.std() * course
            if end:
                glide = base * generator.uniform(0.8, 1.3) * np.linspace(generator.uniform(0.9, 1.5), generator.uniform(0.6, 1), length)
                hoarse = _unsteady_pulses(glide, generator, generator.uniform(0.02, 0.3))
                begin = int((burst + air) * generator.uniform(0.2, 1))
                window = np.zeros(length)
                window[begin:] = np.sin(np.pi * np.arange(length - begin) / (length - begin)) ** 0.5
                hit += generator.uniform(0.1, 1.5) * hoarse * window
            hit = _through_throat(hit, np.random.default_rng(throat), 2)
            fade = np.minimum(1, (length - time) / (0.02 * RATE))
            part = (hit / hit.std() * fade * generator.uniform(0.3, 1))[: count - place]
            sound[place : place + len(part)] += part
            place += length + int(RATE * generator.uniform(0.03, 0.4))
            if place >= count:
                break
        place += int(RATE * generator.uniform(0.3, 3))
    return sound


def _cry(count, generator):
    """A crying baby: long rising and falling notes of 300…700 Hz.

    They are often hoarse, with gasps between them.
    """
    sound = _room(count, generator)
    place, throat = int(generator.uniform(0, 1) * RATE), generator.integers(1 << 30)
    base = generator.uniform(300, 600)
    rough = generator.uniform(0, 0.06)
    while place < count:
        length = int(RATE * generator.uniform(0.3, 1.8))
        share = np.linspace(0, 1, length)
        arch = base * generator.uniform(0.85, 1.2) * (1 + generator.uniform(0, 0.35) * np.sin(np.pi * share**generator.uniform(0.5, 2)))
        arch *= 1 + generator.uniform(0, 0.02) * np.sin(2 * np.pi * generator.uniform(4, 9) * share * length / RATE)
        voice = _unsteady_pulses(arch, generator, rough * (generator.random() < 0.5))
        voice = scipy.signal.lfilter([1], [1, -generator.uniform(0.3, 0.95)], voice)
        voice = _through_throat(voice + generator.uniform(0.01, 0.5) * generator.standard_normal(length), np.random.default_rng(throat), 2)
        course = np.sin(np.pi * share) ** generator.uniform(0.2, 0.8)
        part = (voice / voice.std() * course)[: count - place]
        sound[place : place + len(part)] += part
        place += length
        gasp = int(RATE * generator.uniform(0.08, 0.6))
        air = _through_throat(generator.standard_normal(gasp), generator)
        part = (air / air.std() * np.sin(np.pi * np.arange(gasp) / gasp) * generator.uniform(0.01, 0.3))[: max(0, count - place)]
        sound[place : place + len(part)] += part
        place += gasp + int(RATE * generator.choice([0, generator.uniform(0, 1.5)]))
    return sound


def _recorded_cry(count, generator, sources):
    name = BABY_NAMES[generator.integers(len(BABY_NAMES))]
    paths = sorted(glob.glob(os.path.join(glob.escape(sources), BABIES % name)))
    assert paths, f"no recording {name} of a baby in {sources}"
    pieces, length = [], 0
    while length < count:
        piece = suppression_material.read(paths[generator.integers(len(paths))])
        piece = scipy.signal.resample_poly(piece, generator.integers(75, 135), 100)
        pieces.append(piece / (piece.std() + 1e-9))
        length += len(piece)
    return np.concatenate(pieces)[:count]


def _siren(count, generator):
    """Gliding or alternating tones with harmonics and echoes."""
    time = np.arange(count) / RATE
    low = generator.uniform(300, 1_000)
    high = low * generator.uniform(1.15, 3)
    turn = (time * np.exp(generator.uniform(np.log(0.1), np.log(6)))) % 1
    shape = generator.integers(4)
    course = (0.5 - 0.5 * np.cos(2 * np.pi * turn), 1 - np.abs(2 * turn - 1), turn, np.floor(2 * turn))[shape]
    phase = 2 * np.pi * np.cumsum(low * (high / low) ** course) / RATE
    tilt = generator.uniform(0.3, 2.5)
    sound = sum(np.sin(h * phase + h) / h**tilt * (h * high < 7_500) for h in range(1, generator.integers(2, 12)))
    echo = np.zeros(RATE // 2)
    echo[0] = 1
    echo[generator.integers(100, len(echo), 10)] = generator.normal(0, 0.2, 10)
    sound = scipy.signal.fftconvolve(sound, echo)[:count]
    street = shaped(count, generator.uniform(1, 5), generator)
    return sound / sound.std() + generator.choice([0.003, 0.03, 0.2]) * street / street.std()


def _recorded_noise(count, generator, sources):
    """The recordings of wind, rain, streets and fire with which the suppressor is fitted."""
    recordings = [(folder, path) for folder, path, _, kept in suppression_material.RECORDED if not kept]
    folder, path = recordings[generator.integers(len(recordings))]
    sound = _whole(os.path.join(sources, folder, path))
    begin = generator.integers(0, max(1, len(sound) - count))
    return np.resize(sound[begin : begin + count], count)


@functools.cache
def _whole(path):
    return suppression_material.read(path).astype("f4")


def fitted_noise(count, generator, sources):
    kind = generator.choice(
        ["pink", "coloured", "hum", "babble", "music", "bursts", "beeps", "swelling", "pulsing", "breath", "cough", "cry",
         "recorded cry", "siren", "household", "recorded", "two"],
        p=[0.1, 0.07, 0.09, 0.07, 0.18, 0.06, 0.02, 0.04, 0.02, 0.06, 0.1, 0.03, 0.03, 0.03, 0.05, 0.03, 0.02])
    if kind == "breath":
        return _breath(count, generator)
    if kind == "cough":
        return _cough(count, generator)
    if kind == "cry":
        return _cry(count, generator)
    if kind == "recorded cry":
        return _recorded_cry(count, generator, sources)
    if kind == "siren":
        return _siren(count, generator)
    if kind == "household":
        makers = (suppression_material.knocks, suppression_material.clinks, suppression_material.water,
                  suppression_material.motor)
        return makers[generator.integers(len(makers))](count, generator)
    if kind == "recorded":
        return _recorded_noise(count, generator, sources)
    if kind == "pink":
        return pink(count, generator)
    if kind == "coloured":
        return shaped(count, generator.uniform(-2, 7), generator)
    if kind == "hum":
        return fan_hum(count, generator)
    if kind == "babble":
        return babble(count, generator, FITTED_VOICES, FITTED_SENTENCES)
    if kind == "music":
        return fitted_music(count, generator)
    if kind == "bursts":
        return _bursts(count, generator)
    if kind == "beeps":
        return _beeps(count, generator)
    if kind == "pulsing":
        return _pulsing(count, generator)
    if kind == "swelling":
        return _swelling(count, generator)
    one, other = (fitted_noise(count, generator, sources) for _ in range(2))
    return one / one.std() + generator.uniform(0.2, 1) * other / other.std()


def _telephone(sound, generator):
    low, high = generator.uniform(120, 350), generator.uniform(3_000, 3_900)
    return scipy.signal.sosfilt(scipy.signal.butter(3, [low, high], "band", fs=RATE, output="sos"), sound)


def item(number, sources):
    """One item of training material: its samples, and for each frame whether it contains speech."""
    generator = seeded("fitted", number)
    seconds = int(generator.choice([8, 30], p=[0.4, 0.6]))
    count = seconds * RATE
    level = generator.uniform(-78, -13)
    sort = generator.random()
    if sort < 0.38:
        sound, truth = fitted_noise(count, generator, sources), np.zeros(seconds * 100, bool)
        sound = sound / sound.std() * 10 ** (level / 20)
    else:
        speech, truth = fitted_speech(seconds + 1, generator, number % 5 == 4, sources)
        skipped = int(generator.uniform(0, 100))
        speech, truth = speech[skipped * FRAME :][:count], truth[skipped:][: seconds * 100]
        snr = generator.uniform(-5, 22) if sort < 0.84 else generator.uniform(22, 60)
        noise = fitted_noise(count, generator, sources) if sort < 0.93 else shaped(count, generator.uniform(0, 4), generator)
        sound = mixed(speech, truth, noise, snr if sort < 0.95 else 200, level)
    if generator.random() < 0.15:
        # One section of the item is muted or nearly muted.
        begin = int(generator.uniform(-0.2, 0.7) * seconds * 100)
        end = begin + int(generator.uniform(50, 400))
        begin = max(0, begin)
        sound[begin * FRAME : end * FRAME] *= generator.choice([0, 0.003])
        truth = truth.copy()
        truth[begin:end] = False
    if generator.random() < 0.15:
        sound = _telephone(sound, generator)
    if generator.random() < 0.1:
        peak = np.abs(sound).max() * generator.uniform(0.1, 0.5)
        sound = np.clip(sound, -peak, peak)
    if generator.random() < 0.2:
        sound = sound + generator.choice([0.02, 0.12]) * generator.uniform(-1, 1)
    if generator.random() < 0.3:
        sound = np.round(sound * 32768) / 32768
    return np.clip(sound, -1, 1), truth
