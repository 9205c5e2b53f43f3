"""The training material for the detector's weights; `material.py` describes the overlap with the scored material."""
import numpy as np
import scipy.signal
from material import *


def _pulsed_phrase(generator, base, tilt):
    """Minimal synthetic speech: syllables of pulses through three gliding formants, with fricatives and stops."""
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


def fitted_speech(seconds, generator, pulsed):
    if pulsed:
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
    # A different microphone for each item.
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
    """Keys, steps, doors: short noises at random."""
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
    """Noise with the rhythm of syllables: a saw, a brush, a pump."""
    time = np.arange(count) / RATE
    depth, pace = generator.uniform(0.3, 1), generator.uniform(1, 8)
    envelope = 1 + depth * np.sin(2 * np.pi * pace * time + generator.uniform(0, 3) * np.sin(0.7 * time))
    return shaped(count, generator.uniform(0, 6), generator) * envelope


def _swelling(count, generator):
    """Noise that comes and goes: traffic, wind, waves."""
    slow = scipy.signal.resample(generator.standard_normal(max(4, int(count / RATE * generator.uniform(0.3, 3)))), count)
    return shaped(count, generator.uniform(0, 6), generator) * 10 ** (0.4 * slow)


def fitted_noise(count, generator):
    kind = generator.choice(
        ["pink", "coloured", "hum", "babble", "music", "bursts", "beeps", "swelling", "pulsing", "two"],
        p=[0.15, 0.12, 0.13, 0.09, 0.28, 0.07, 0.03, 0.05, 0.03, 0.05])
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
    one, other = fitted_noise(count, generator), fitted_noise(count, generator)
    return one / one.std() + generator.uniform(0.2, 1) * other / other.std()


def _telephone(sound, generator):
    low, high = generator.uniform(120, 350), generator.uniform(3_000, 3_900)
    return scipy.signal.sosfilt(scipy.signal.butter(3, [low, high], "band", fs=RATE, output="sos"), sound)


def item(number):
    """One piece of fitting material: samples and truth."""
    generator = seeded("fitted", number)
    seconds = int(generator.choice([8, 30], p=[0.4, 0.6]))
    count = seconds * RATE
    level = generator.uniform(-65, -15)
    sort = generator.random()
    if sort < 0.34:
        sound, truth = fitted_noise(count, generator), np.zeros(seconds * 100, bool)
        sound = sound / sound.std() * 10 ** (level / 20)
    else:
        speech, truth = fitted_speech(seconds + 1, generator, number % 6 == 5)
        skipped = int(generator.uniform(0, 100))
        speech, truth = speech[skipped * FRAME :][:count], truth[skipped:][: seconds * 100]
        snr = generator.uniform(-5, 22) if sort < 0.88 else generator.uniform(22, 60)
        noise = fitted_noise(count, generator) if sort < 0.95 else shaped(count, generator.uniform(0, 4), generator)
        sound = mixed(speech, truth, noise, snr if sort < 0.98 else 200, level)
    if generator.random() < 0.15:
        # A section that is muted or nearly muted.
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
        sound = sound + generator.uniform(-0.02, 0.02)
    if generator.random() < 0.3:
        sound = np.round(sound * 32768) / 32768
    return np.clip(sound, -1, 1), truth
