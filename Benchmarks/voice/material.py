"""Speech, noise and the ground truth for the comparison of voice activity detectors.

Everything is generated when it is needed, at 16 kHz. Speech comes from espeak-ng and from Debian's
pocketsphinx-testdata; noise comes from numpy and sox. The training material and the scored material
have no synthetic voice, no recording and no sentence in common. Each of them uses every second
recording of a corpus, so some talkers are in both materials. Both materials use the same generators
for pink noise, hum and babble, but with different seeds, and with different voices for babble. The
music of the two materials comes from different generators. Both kinds of music contain sines and
plucked strings. The detector has a rule for spectral lines with a constant frequency. This rule was
tuned with music that is similar to the scored music.
"""
import functools, glob, os, subprocess, sys, tempfile, zlib
import numpy as np
import scipy.io.wavfile
import scipy.signal

RATE = 16_000
FRAME = RATE // 100
RECORDED = "/usr/share/pocketsphinx/test/data"

SCORED_VOICES = ["en-gb", "en-us+m3", "en-gb-scotland+f2", "en-us+f3"]
SCORED_SENTENCES = [
    "The morning train was late again, so we walked along the river.",
    "Please put the small blue cup on the shelf near the window.",
    "She asked him twice, and he never gave a proper answer.",
    "Seven ships sailed south before the storm reached the harbour.",
    "Could you tell me where the nearest post office is?",
    "A thick layer of dust covered the old wooden floor.",
    "They finished the work at noon and went home early.",
    "No, I do not think that this is a good idea.",
    "The fisherman fixed his net while the children watched.",
    "We have four hundred and thirty six boxes left.",
    "Bright sunshine filled the kitchen after breakfast.",
    "Yes. That is exactly what I said yesterday.",
]
# Voices of other languages add other sounds, because each voice pronounces the English text by the
# rules of its language.
FITTED_VOICES = [
    "de+m1", "de+f1", "fr+m4", "fr+f5", "es+m5", "es+f4", "it+m7", "pl+m2", "pl+f1", "sv+m6", "nl+f5", "nl+m4",
    "en-us+m1", "en-us+m7", "en-us+f4", "en-gb-x-rp+m2", "en-gb-x-rp+f1", "en-us+f5", "en-gb+m5", "pt+f4", "ru+m1",
    "cs+m2", "fi+f1", "hu+m7", "en-us+m2", "en-gb+f1", "en-gb-x-gbclan+m4", "en-us+m5",
]
FITTED_SENTENCES = [
    "Every evening the old man feeds the birds behind the church.",
    "Ten kilometres of road were closed because of the snow.",
    "My sister plays the violin, my brother prefers football.",
    "What time does the film begin? Half past eight, I believe.",
    "Take the second street on the left, then ask again.",
    "Fresh bread and cheese make a simple meal.",
    "Nobody knew who had opened the garden gate.",
    "The judge listened patiently to both sides.",
    "Hello. Can you hear me? Very good.",
    "It was a pleasure to meet all of you this week.",
    "Our neighbours bought a huge yellow van.",
    "Sixteen students passed the first examination.",
    "Mother wanted some more lemons and melons.",
    "Fish, chips, salt and vinegar, thank you.",
    "Why would anyone throw away such a lovely mirror?",
    "One, two, three, four, five, six, seven, eight.",
]


def seeded(*key):
    return np.random.default_rng(zlib.crc32(repr(key).encode()))


def active_frames(clean):
    """For each 10 ms frame, whether it contains speech. Uses only the clean signal.

    The level is measured after a high-pass at 80 Hz. A frame contains speech if it is at most 30 dB
    below the loud frames, and at least 6 dB above the recording's own noise. The level of the loud
    frames is the 95th percentile of the frames that are at most 60 dB below the loudest frame. The
    level of the noise is the 5th percentile of the frames that are not digital silence. Gaps of up
    to 50 ms are filled, and runs of less than 20 ms are removed.
    """
    high = scipy.signal.sosfilt(scipy.signal.butter(2, 80, "high", fs=RATE, output="sos"), clean)
    frames = high[: len(high) // FRAME * FRAME].reshape(-1, FRAME)
    level = 10 * np.log10((frames**2).mean(1) + 1e-14)
    heard = level[level > level.max() - 60]
    floor = np.percentile(level[level > -110], 5)
    threshold = np.percentile(heard, 95) - 30
    if floor > threshold - 30:
        threshold = max(threshold, floor + 6)
    active = level > threshold
    _fill(active, True, 5)
    _fill(active, False, 1)
    return active


def _fill(active, value, longest):
    """Fills short runs of the other value with `value`.

    A run is filled if it has at most `longest` frames and is not at the start or the end.
    """
    edges = np.flatnonzero(np.diff(active.astype(np.int8))) + 1
    for begin, end in zip(edges[:-1], edges[1:]):
        if active[begin] != value and end - begin <= longest:
            active[begin:end] = value


@functools.cache
def spoken(voice, sentence, speed=160, pitch=50):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "speech.wav")
        subprocess.run(
            ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", path, sentence], check=True,
            stderr=subprocess.DEVNULL)
        rate, sound = scipy.io.wavfile.read(path)
    sound = scipy.signal.resample_poly(sound / 32768, RATE, rate)
    return sound / np.sqrt((sound[np.abs(sound) > 0.01] ** 2).mean()) * 0.1


@functools.cache
def recordings(scored):
    """Every second recording, without DC offset and with fades at both ends."""
    paths = sorted(glob.glob(RECORDED + "/**/*.wav", recursive=True) + glob.glob(RECORDED + "/**/*.raw", recursive=True))
    if not paths:
        sys.exit(f"no recordings in {RECORDED}: apt-get install pocketsphinx-testdata")
    result = []
    for path in paths[0 if scored else 1 :: 2]:
        sound = (scipy.io.wavfile.read(path)[1] if path.endswith(".wav") else np.fromfile(path, "<i2")) / 32768
        sound = sound - sound.mean()
        fade = np.minimum(1, np.arange(len(sound)) / 80)
        sound = sound * fade * fade[::-1]
        result.append(sound / np.sqrt((sound[np.abs(sound) > 0.02] ** 2).mean()) * 0.1)
    return result


def with_pauses(pieces, seconds, generator):
    """The pieces one after another, with pauses of 0.3…2 s; also the frames that contain speech."""
    sound, truth = [np.zeros(RATE)], [np.zeros(100, bool)]
    length = RATE
    while length < seconds * RATE:
        piece = pieces[generator.integers(len(pieces))]
        piece = piece[: len(piece) // FRAME * FRAME]
        pause = int(generator.uniform(30, 200)) * FRAME
        sound += [piece, np.zeros(pause)]
        truth += [active_frames(piece), np.zeros(pause // FRAME, bool)]
        length += len(piece) + pause
    sound, truth = np.concatenate(sound), np.concatenate(truth)
    return sound[: seconds * RATE], truth[: seconds * 100]


def scored_speech(voice, seconds=60):
    generator = seeded("scored", voice)
    if voice == "recorded":
        return with_pauses(recordings(True), seconds, generator)
    return with_pauses([spoken(voice, sentence) for sentence in SCORED_SENTENCES], seconds, generator)


def level_of_speech(sound, truth):
    frames = sound.reshape(-1, FRAME)
    return np.sqrt((frames[truth] ** 2).mean())


def mixed(sound, truth, noise, snr, level):
    """A mixture of speech and noise.

    The active frames of the speech have `level` dB re RMS 1.0. The noise is `snr` dB lower.
    """
    gain = 10 ** (level / 20) / level_of_speech(sound, truth)
    noise = noise[: len(sound)]
    return gain * sound + noise * 10 ** ((level - snr) / 20) / np.sqrt((noise**2).mean())


# Noise

def shaped(count, slope, generator):
    """Noise with a power that falls by `slope` dB per octave above 20 Hz."""
    spectrum = np.fft.rfft(generator.standard_normal(count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20)
    return np.fft.irfft(spectrum * frequency ** (-slope / 6.02), count)


def pink(count, generator):
    return shaped(count, 3.01, generator)


def fan_hum(count, generator):
    """A fan: mains hum with harmonics, the tone of the blades, and wind noise."""
    time = np.arange(count) / RATE
    sound = shaped(count, 5, generator)
    sound /= sound.std()
    mains = generator.choice([50.0, 60.0])
    for harmonic in range(1, 12):
        sound += generator.uniform(0.2, 1.2) / harmonic**0.7 * np.sin(
            2 * np.pi * mains * harmonic * time + generator.uniform(0, 6.3))
    blade = generator.uniform(90, 220)
    wobble = np.cumsum(1 + 0.004 * np.sin(2 * np.pi * generator.uniform(0.1, 0.6) * time)) / RATE
    for harmonic in range(1, 6):
        sound += generator.uniform(0.3, 1) / harmonic * np.sin(2 * np.pi * blade * harmonic * wobble)
    return sound * (1 + 0.1 * np.sin(2 * np.pi * generator.uniform(0.2, 1) * time))


def babble(count, generator, voices, sentences, talkers=8):
    """Several talkers at once."""
    sound = np.zeros(count)
    for talker in range(talkers):
        voice = voices[generator.integers(len(voices))]
        speed = int(generator.integers(135, 190))
        place = -int(generator.integers(RATE))
        while place < count:
            piece = spoken(voice, sentences[generator.integers(len(sentences))], 130 + 20 * (speed // 20 % 4))
            part = piece[max(0, -place) : count - place]
            sound[max(0, place) : max(0, place) + len(part)] += part
            place += len(piece)
    return sound


def scored_music(count, generator):
    """Chords, a melody and a bass. The tones have envelopes and come from sox and numpy."""
    sound = np.zeros(count)
    beat = int(RATE * generator.uniform(0.4, 0.6))
    root = generator.uniform(100, 140)
    chords = [(0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14)]
    scale = [0, 2, 4, 5, 7, 9, 11, 12]
    step = 0
    for place in range(0, count, beat):
        chord = chords[step // 4 % 4]
        if step % 4 == 0:
            for note in chord:
                _add(sound, place, _sox_tone("triangle", root * 2 ** (1 + note / 12), 4 * beat), 0.3)
        if step % 2 == 0:
            _add(sound, place, _sox_tone("pluck", root * 2 ** (chord[0] / 12 - 0.0), 2 * beat), 0.7)
        note = scale[generator.integers(len(scale))]
        _add(sound, place, _sox_tone("sine" if step % 8 < 4 else "pluck", root * 2 ** (2 + note / 12), beat), 0.6)
        step += 1
    return sound


@functools.lru_cache(maxsize=512)
def _sox_tone(kind, frequency, length):
    seconds = length / RATE
    command = ["sox", "-n", "-r", str(RATE), "-e", "floating-point", "-b", "32", "-t", "raw", "-", "synth",
               f"{seconds}", kind, f"{frequency:.3f}", "fade", "t", "0.01", f"{seconds}", f"{0.6 * seconds:.3f}"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, "<f4").astype(float)


def _add(sound, place, tone, gain):
    part = tone[: len(sound) - place]
    sound[place : place + len(part)] += gain * part


def scored_chords(count, generator):
    """Chords of tones with eight harmonics. Every second, a new chord begins and decays."""
    sound = np.zeros(count)
    for place in range(0, count, RATE):
        time = np.arange(min(RATE, count - place)) / RATE
        root = 130.81 * 2 ** (generator.integers(0, 12) / 12)
        third = generator.choice([3, 4])
        for interval in (0, third, 7):
            for harmonic in range(1, 9):
                tone = np.sin(2 * np.pi * root * 2 ** (interval / 12) * harmonic * time)
                sound[place : place + len(time)] += tone / harmonic * np.minimum(1, time / 0.01) * np.exp(-2 * time)
    return sound


def scored_noise(kind, count, generator):
    if kind == "pink":
        return pink(count, generator)
    if kind == "hum":
        return fan_hum(count, generator)
    if kind == "babble":
        return babble(count, generator, ["en-gb-x-rp+m3", "en-us+f2", "en-gb-scotland", "en-us+m6"], SCORED_SENTENCES)
    return (scored_music if kind == "music" else scored_chords)(count, generator)
