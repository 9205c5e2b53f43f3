#!/usr/bin/env python3
"""Scores prescriptions for daily use: levels, limiting, intelligibility, quality, music.

    python3 -m venv venv && venv/bin/pip install "numpy<2.4" scipy numba soundfile soxr G722
    venv/bin/pip install --no-deps pyclarity==0.9.0
    for p in pocketsphinx-testdata asterisk-core-sounds-{fr,it,ru}-g722 festvox-ru fillets-ng-data-{cs,nl} \\
      fretsonfire-songs-sectoid asterisk-moh-opsound-g722 searchandrescue-data etw-data tuxfootball; do apt-get download $p; done
    for f in *.deb; do dpkg -x $f data; done
    swift build -c release --package-path Benchmarks --product BenefitRenderer
    venv/bin/python Benchmarks/benefit/comfort.py levels --renderer PATH --data data
    venv/bin/python Benchmarks/benefit/comfort.py table  --renderer PATH --data data --cache FILE --set unseen

`BenefitRenderer` renders all sound with the package's processor. The gains of both ears are linked,
and the look-ahead of the limiter is 2 ms. An RMS of 1.0 represents 100 dB SPL. The listeners are
those of `acceptance.py`.

`levels` prints output levels for pink and white noise (20 Hz to 20 kHz, 48 kHz) and for speech. It
also prints the fraction of time in which the limiter reduces the gain by more than 0.5 dB, at the
preset's maximum output. The figures for speech are means over the talkers.

`table` prints HASPI and HASQI at 50, 65 and 80 dB SPL, in quiet and at an SNR of +5 dB. The noise
`noise` has the spectrum of the talkers' speech. The noise `recorded` is recorded: from aircraft in
the set `search`, from crowds in the set `unseen`. The reference is the clean sentence at 65 dB SPL.
HASQI uses equalisation mode 1. The set `search` is for comparing candidates (`--parameters`). The
set `unseen` is for scoring the result, with other talkers. The random generator is seeded for each
score. Scores are cached by content. `ear_model.py` computes them several times as fast as
pyclarity. Below the table, the script prints each requirement and whether it is met.

Options of `table`: With `--reference 0`, the reference has the same level as the scored sound. This
is for the comparison with unprocessed speech. With `--before 80`, the same sound at 80 dB SPL is
played directly before the scored sound. This shows the scores of soft speech after loud speech.
With `--peers`, pyclarity's enhancers process the same samples.
"""
import argparse, glob, hashlib, json, os, subprocess, sys, tempfile, warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
import soundfile

import acceptance
import ear_model

FULL_SCALE = 100.0
RATE = 16000
FREQUENCIES = [250, 500, 1000, 2000, 4000, 6000]
AUDIOGRAMS = {name: [float(x) for x in acceptance.thresholds(name, FREQUENCIES)] for name in acceptance.POINTS}
LEVELS = [50, 65, 80]
CONDITIONS = ["quiet", "noise", "recorded"]
SNR = 5.0
# The talkers for the search of parameters, and other talkers for the final scores.
TALKERS = {
    "search": {
        "librivox (en)": "usr/share/pocketsphinx/test/data/librivox/*.wav",
        "June (fr)": "usr/share/asterisk/sounds/fr_CA_f_June/*.g722",
        "festvox (ru)": "usr/share/festival/voices/russian/msu_ru_nsh_clunits/wav/*.wav",
    },
    "unseen": {
        "Carlo (it)": "usr/share/asterisk/sounds/it_IT_m_Carlo/*.g722",
        "Ivrvoice (ru)": "usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU/*.g722",
        "actor (cs)": "usr/share/games/fillets-ng/sound/*/cs/*-v-*.ogg",
        "actor (nl)": "usr/share/games/fillets-ng/sound/*/nl/*-m-*.ogg",
    },
}
# Recorded noise, for the search of parameters and for the final scores. The licence of the noise
# for the final scores is the GPL.
NOISES = {
    "search": ("usr/share/games/searchandrescue/sounds/**/*engine_inside*.wav",),
    "unseen": ("usr/share/games/etw/crowd/crowd*.wav", "usr/share/games/tuxfootball/sound/crowd*.wav"),
}
SENTENCE_SECONDS = 2.2


def read(path):
    if path.endswith(".g722"):
        from G722 import G722
        with open(path, "rb") as file:
            return np.asarray(G722(16000, 64000).decode(file.read()), float) / 32768
    samples, rate = soundfile.read(path, dtype="float64")
    if samples.ndim > 1:
        samples = samples.mean(axis=1)
    if rate != RATE:
        import soxr
        samples = soxr.resample(samples, rate, RATE)
    return samples


def scaled(samples, level):
    return samples * 10 ** ((level - FULL_SCALE) / 20) / np.sqrt(np.mean(samples**2))


def talkers(data, name):
    """The first SENTENCE_SECONDS of one sentence per talker.

    Silence at the ends of a sentence is removed. The sentence is the first one of the talker that
    is then at least SENTENCE_SECONDS long.
    """
    sentences = {}
    for talker, pattern in TALKERS[name].items():
        for path in sorted(glob.glob(os.path.join(data, pattern))):
            if "silence" in path:
                continue
            samples = read(path)
            loud = np.flatnonzero(np.abs(samples) > 0.02 * np.max(np.abs(samples) + 1e-9))
            if len(loud) < RATE:
                continue
            samples = samples[loud[0] : loud[-1] + 1]
            if len(samples) >= SENTENCE_SECONDS * RATE:
                sentences[talker] = samples[: int(SENTENCE_SECONDS * RATE)]
                break
        else:
            sys.exit(f"no sentence of {talker} at {pattern}")
    return sentences


def shaped_noise(speech, count, seed):
    size = 512
    window = np.hanning(size)
    frames = np.lib.stride_tricks.sliding_window_view(speech, size)[:: size // 2] * window
    magnitude = np.sqrt(np.mean(np.abs(np.fft.rfft(frames, axis=1)) ** 2, axis=0))
    impulse = np.roll(np.fft.irfft(magnitude), size // 2) * window
    white = np.random.default_rng(seed).standard_normal(count + size)
    noise = np.convolve(white, impulse, mode="valid")[:count]
    return noise / np.sqrt(np.mean(noise**2))


def recorded_noise(data, name, count, number):
    """Recorded noise with an RMS of 1.

    The recordings of the set follow one another. `number` determines where the noise begins.
    """
    paths = sorted({path for pattern in NOISES[name] for path in glob.glob(os.path.join(data, pattern), recursive=True)})
    if not paths:
        sys.exit(f"no recorded noise at {' or '.join(NOISES[name])}")
    parts = [read(path) for path in paths]
    sound = np.concatenate([part / np.sqrt(np.mean(part**2)) for part in parts])
    noise = np.resize(np.roll(sound, -number * count), count)
    return noise / np.sqrt(np.mean(noise**2))


def broadband(kind, rate, seconds, seed):
    """Noise from 20 Hz to 20 kHz with an RMS of 1."""
    count = int(rate * seconds)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    f = np.fft.rfftfreq(count, 1 / rate)
    shape = np.where((f >= 20) & (f <= 20000), 1.0, 0.0)
    if kind == "pink":
        shape = shape / np.sqrt(np.maximum(f, 1))
    noise = np.fft.irfft(spectrum * shape, count)
    return noise / np.sqrt(np.mean(noise**2))


class Renderer:
    """Renders sound with the package's processor, in a separate process."""

    def __init__(self, path, program="speech"):
        self.program = program
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def render(self, samples, rate, audiogram, system):
        source, target = os.path.join(self.folder, "in.f32"), os.path.join(self.folder, "out.f32")
        samples.astype(np.float32).tofile(source)
        job = {
            "input": source, "output": target, "sampleRate": rate, "audiogram": audiogram,
            "thresholds": acceptance.POINTS[audiogram], "program": self.program, "rule": system.get("rule", "candidate"), "parameters": system.get("parameters"),
            "isLimited": system.get("limited", True), "lookAhead": 0.002,
        }
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        latency = int(round(0.002 * rate))
        out = np.fromfile(target, np.float32).astype(float)
        return np.concatenate([out[latency:], np.zeros(latency)]), answer


SYSTEMS = {
    "unprocessed": {"rule": "none"},
    "camfit-compressive": {"rule": "camfit-compressive", "limited": False},
    "camfit-limited": {"rule": "camfit-compressive"},
    "nal-r": {"rule": "nal-r", "limited": False},
    "comfortable-speech": {"rule": "comfortable-speech"},
    "comfortable-music": {"rule": "comfortable-music"},
}


def level(samples):
    return FULL_SCALE + 10 * np.log10(np.mean(samples**2) + 1e-20)


def levels(renderer, system, sentences, audiograms):
    """For each audiogram: output levels in dB SPL, and the time with limiting in percent."""
    tail = lambda x: x[int(2.5 * 48000):]
    noise = {kind: broadband(kind, 48000, 4, 7) for kind in ("pink", "white")}
    for audiogram in audiograms:
        row = {}
        for kind, at in [("pink", 30), ("white", 30), ("pink", 50)]:
            row[f"{kind} {at}"] = level(tail(renderer.render(scaled(noise[kind], at), 48000, audiogram, system)[0]))
        for at in [50, 65, 75, 80]:
            found = []
            for speech in sentences:
                out, answer = renderer.render(np.tile(scaled(speech, at), 3), RATE, audiogram, system)
                found.append((level(out[2 * len(speech):]), 100 * answer["limitedShare"]))
            row[f"speech {at}"], row[f"limited {at}"] = np.mean(found, axis=0)
        row["pink 50 - speech 65"] = row["pink 50"] - row["speech 65"]
        yield audiogram, row


def listener(name):
    from clarity.utils.audiogram import Audiogram
    return Audiogram(levels=np.array(AUDIOGRAMS[name], float), frequencies=np.array(FREQUENCIES))


def score(task):
    warnings.simplefilter("ignore")
    reference, signal, audiogram, key, which = task
    ear_model.install()
    from clarity.evaluator.haspi import haspi_v2
    from clarity.evaluator.hasqi import hasqi_v2
    scores = {}
    if "haspi" in which:
        np.random.seed(1)
        scores["haspi"] = float(haspi_v2(reference, RATE, signal, RATE, listener(audiogram), level1=FULL_SCALE)[0])
    if "hasqi" in which:
        np.random.seed(1)
        scores["hasqi"] = float(
            hasqi_v2(reference, RATE, signal, RATE, listener(audiogram), equalisation=1, level1=FULL_SCALE)[0])
    return key, scores


class Cache:
    def __init__(self, path):
        self.path, self.values = path, {}
        if path and os.path.exists(path):
            with open(path) as file:
                self.values = json.load(file)

    def save(self):
        if self.path:
            with open(self.path + ".new", "w") as file:
                json.dump(self.values, file)
            os.replace(self.path + ".new", self.path)


def scored(renderer, systems, sentences, cache, which=("haspi", "hasqi"), reference_level=65, levels=LEVELS,
           audiograms=tuple(AUDIOGRAMS), conditions=CONDITIONS, peers=(), recorded=None, before=None):
    """Returns {(system, talker, audiogram, level, condition): scores}.

    `recorded` returns recorded noise for a number of samples and the number of a talker. `before`
    is the level in dB SPL of the sound before the scored sound; None for the same level.
    """
    keys, tasks = {}, {}
    together = np.concatenate(list(sentences.values()))
    for number, (talker, speech) in enumerate(sentences.items()):
        noise = shaped_noise(together, len(speech), number + 1)
        for at in levels:
            reference = scaled(speech, reference_level or at)
            inputs = {"quiet": scaled(speech, at)}
            inputs["noise"] = inputs["quiet"] + scaled(noise, at - SNR)
            if "recorded" in conditions:
                inputs["recorded"] = inputs["quiet"] + scaled(recorded(len(speech), number), at - SNR)
            for audiogram in audiograms:
                for condition in conditions:
                    # Every processor renders the sound once before the scored rendering, so that
                    # its gains have settled. With `before`, the first rendering has another level.
                    first = inputs[condition] * 10 ** ((at if before is None else before) / 20 - at / 20)
                    twice = np.concatenate([first, inputs[condition]])
                    outputs = {name: renderer.render(twice, RATE, audiogram, system)[0] for name, system in systems.items()}
                    outputs |= {name: peer(name, twice, audiogram) for name in peers}
                    for name, output in outputs.items():
                        signal = output[len(speech):]
                        key = hashlib.sha256(
                            reference.tobytes() + signal.tobytes() + audiogram.encode()).hexdigest()[:32]
                        keys[name, talker, audiogram, at, condition] = key
                        missing = [w for w in which if w not in cache.values.get(key, {})]
                        if missing:
                            tasks[key] = (reference, signal, audiogram, key, missing)
    print(f"{len(tasks)} of {len(keys)} cells to score", file=sys.stderr)
    for count, task in enumerate(tasks.values(), start=1):
        key, scores = score(task)
        cache.values.setdefault(key, {}).update(scores)
        if count % 10 == 0 or count == len(tasks):
            cache.save()
    return {cell: cache.values[key] for cell, key in keys.items()}


# Two groups of music pieces. The first group was used to choose the parameters for music. The
# second group is used only for the final scores.
MUSIC = {
    "search": {
        "Metal madness": ("usr/share/games/fretsonfire/data/songs/sectoid/Metal madness/song.ogg", 40.0),
        "Escape from chaosland": ("usr/share/games/fretsonfire/data/songs/sectoid/Escape from chaosland/song.ogg", 40.0),
        "morning coffee": ("usr/share/asterisk/moh/manolo_camp-morning_coffee.g722", 30.0),
        "cold day": ("usr/share/asterisk/moh/macroform-cold_day.g722", 30.0),
        "the simplicity": ("usr/share/asterisk/moh/macroform-the_simplicity.g722", 30.0),
        "system": ("usr/share/asterisk/moh/reno_project-system.g722", 30.0),
    },
    "unseen": {
        "Feelings": ("usr/share/games/fretsonfire/data/songs/sectoid/Feelings/song.ogg", 40.0),
        "War of freedom": ("usr/share/games/fretsonfire/data/songs/sectoid/War of freedom/song.ogg", 40.0),
        "dity": ("usr/share/asterisk/moh/macroform-robot_dity.g722", 30.0),
        "in flight": ("usr/share/games/searchandrescue/music/in_flight01.wav", 10.0),
        "on the ground": ("usr/share/games/searchandrescue/music/on_ground01.wav", 10.0),
        "menus": ("usr/share/games/searchandrescue/music/menus01.wav", 10.0),
    },
}
MUSIC_SECONDS = 3.0


def clips(data, name):
    result = {}
    for clip, (path, start) in MUSIC[name].items():
        samples = read(os.path.join(data, path))[int(start * RATE) :][: int(MUSIC_SECONDS * RATE)]
        if len(samples) < MUSIC_SECONDS * RATE or np.mean(samples**2) < 1e-6:
            sys.exit(f"{path}: no {MUSIC_SECONDS:g} s of sound from {start:g} s")
        result[clip] = samples
    return result


# pyclarity's enhancers, as in benefit.py: NAL-R, and a six-band compressor with two settings. The
# first setting is the example in pyclarity's documentation. The second setting is fitted with
# pyclarity's CAMFIT table.
PEERS = ["pyclarity NAL-R", "pyclarity compressor", "pyclarity compressor, fitted"]


def peer(name, samples, audiogram):
    import benefit
    benefit.AUDIOGRAMS.update(AUDIOGRAMS)
    if name == PEERS[0]:
        return benefit.peer_nal_r(samples, RATE, audiogram)
    return benefit.peer_compressor(samples, RATE, audiogram, name == PEERS[2])


def score_music(task):
    warnings.simplefilter("ignore")
    ear_model.install()
    from clarity.evaluator.haaqi import haaqi_v1
    reference, signal, audiogram, key = task
    np.random.seed(1)
    return key, float(haaqi_v1(reference, RATE, signal, RATE, listener(audiogram), equalisation=1, level1=FULL_SCALE)[0])


def music(renderer, data, name, cache, systems, audiograms, peers, levels):
    """Prints HAAQI of every clip for each system, audiogram and level.

    Also prints the percentage of the time in which the limiter reduces the gain.
    """
    results = {}
    cells = [(clip, scaled(samples, level), level) for clip, samples in clips(data, name).items() for level in levels]
    for clip, reference, level in cells:
        clip = f"{clip} {level}"
        for audiogram in audiograms:
            signals, limited = {}, {}
            for name, system in systems.items():
                output, answer = renderer.render(np.concatenate([reference] * 2), RATE, audiogram, system)
                signals[name], limited[name] = output[len(reference):], 100 * answer["limitedShare"]
            signals |= {name: peer(name, reference, audiogram) for name in peers}
            for name, signal in signals.items():
                key = "m" + hashlib.sha256(reference.tobytes() + signal.tobytes() + audiogram.encode()).hexdigest()[:31]
                if "haaqi" not in cache.values.get(key, {}):
                    cache.values[key] = {"haaqi": score_music((reference, signal, audiogram, key))[1]}
                    cache.save()
                results[name, clip, audiogram] = cache.values[key]["haaqi"]
                print(f"{name:<30}{clip:<28}{audiogram:<4}{results[name, clip, audiogram]:.3f}"
                      + (f"{limited[name]:8.1f} %" if name in limited else ""), flush=True)
    for name in dict.fromkeys(n for n, _, _ in results):
        values = {(c, a): v for (n, c, a), v in results.items() if n == name}
        text = f"{name:<30} mean {np.mean(list(values.values())):.3f} lowest {min(values.values()):.3f} of {len(values)}"
        if name != "nal-r" and "nal-r" in systems:
            clip, audiogram = min(values, key=lambda key: values[key] - results["nal-r", *key])
            text += f", largest loss against NAL-R {values[clip, audiogram] - results['nal-r', clip, audiogram]:+.3f} ({clip}, {audiogram})"
        print(text)
    return results


def table(results, systems):
    """Prints the means of HASPI and HASQI for each system, over all cells and by condition."""
    conditions = list(dict.fromkeys(key[4] for key in results))
    columns = [("haspi", level, "quiet") for level in LEVELS] + [("haspi", None, c) for c in conditions if c != "quiet"]
    columns += [("haspi", None, None), ("hasqi", None, None)]
    heads = [f"{c} {l or f'{SNR:+g}'}" if c else which.upper() for which, l, c in columns]
    print(f"{'system':<30}" + "".join(f"{head:>13}" for head in heads))
    for name in systems:
        values = [[s[which] for (n, t, a, l, c), s in results.items()
                   if n == name and which in s and level in (None, l) and condition in (None, c)]
                  for which, level, condition in columns]
        print(f"{name:<30}" + "".join(f"{np.mean(v) if v else np.nan:13.3f}" for v in values))


def details(results, systems, which):
    """Prints the mean over the talkers, and each talker, for each audiogram, level and condition."""
    cells = list(dict.fromkeys((level, condition) for _, _, _, level, condition in results))
    talkers = list(dict.fromkeys(key[1] for key in results))
    for index in which:
        print(f"\n{index}: the mean, and in brackets: {', '.join(talkers)}\n")
        print(f"{'':<20}{'system':<30}" + "".join(f"{c} {l}".rjust(8 + 5 * len(talkers)) for l, c in cells))
        for audiogram in dict.fromkeys(key[2] for key in results):
            for name in systems:
                row = ""
                for level, condition in cells:
                    values = [results[name, talker, audiogram, level, condition][index] for talker in talkers]
                    row += f" {np.mean(values):.3f} (" + " ".join(f"{value:.2f}" for value in values) + ")"
                print(f"{audiogram:<20}{name:<30}{row}")


def verdicts(results, name, reference):
    """The requirements on a rule, the measured figures, and whether each requirement is met.

    A cell is a talker and an audiogram at one level, in quiet or in noise.
    """
    names = {n for n, *_ in results}
    mean = lambda which, of, **fixed: np.mean([s[which] for (n, t, a, l, c), s in results.items() if n == of and all(
        {"talker": t, "audiogram": a, "level": l, "condition": c}[key] in np.atleast_1d(value) for key, value in fixed.items())])
    of = lambda index: list(dict.fromkeys(cell[index] for cell in results))
    levels, lines = of(3), []

    def line(text, margin):
        lines.append(f"{'holds' if margin >= 0 else 'FAILS':<7}{text}")

    camfit, linear, none = "camfit-compressive", "nal-r", "unprocessed"
    if camfit in names and reference:
        soft = [level for level in levels if level <= 65]
        below = lambda **fixed: mean("haspi", name, condition="quiet", **fixed) - mean("haspi", camfit, condition="quiet", **fixed)
        for level in soft:
            line(f"HASPI in quiet at {level} dB SPL: {below(level=level):+.3f} against CAMFIT (at least -0.03)", below(level=level) + 0.03)
        worst = min(((talker, level) for talker in of(1) for level in soft), key=lambda key: below(talker=key[0], level=key[1]))
        value = below(talker=worst[0], level=worst[1])
        line(f"the same for one talker: {value:+.3f} ({worst[0]}, {worst[1]} dB SPL; at least -0.06)", value + 0.06)
        noisy = lambda system: mean("haspi", system, condition="noise")
        line(f"HASPI in noise: {noisy(name) - noisy(camfit):+.3f} against CAMFIT (at least -0.06, unseen talkers -0.08)",
             noisy(name) - noisy(camfit) + 0.06)
        if linear in names:
            line(f"HASPI in noise: {noisy(name) - noisy(linear):+.3f} against NAL-R (at least 0)", noisy(name) - noisy(linear))
    if camfit in names:
        least = 0.03 if reference else 0.015
        value = mean("hasqi", name) - mean("hasqi", camfit)
        line(f"HASQI: {value:+.3f} against CAMFIT (at least {least:+})", value - least)
    if none in names and not reference:
        for which in ("haspi", "hasqi"):
            gains = {key: s[which] - results[none, *key[1:]][which] for key, s in results.items() if key[0] == name}
            worst = min(gains, key=gains.get)
            line(f"{which.upper()}: {gains[worst]:+.3f} against unprocessed in the worst cell ({' '.join(map(str, worst[1:]))}); "
                 f"{sum(gain < -0.02 for gain in gains.values())} of {len(gains)} cells below -0.02 (none allowed)",
                 gains[worst] + 0.02)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=["levels", "table", "music"])
    parser.add_argument("--renderer", required=True, help="the release build of BenefitRenderer")
    parser.add_argument("--data", required=True, help="the folder with the unpacked packages")
    parser.add_argument("--cache", help="a file that keeps scores from run to run, by content")
    parser.add_argument("--set", default="search", choices=list(TALKERS))
    parser.add_argument("--talkers", type=int, default=9, help="the number of talkers")
    parser.add_argument("--systems", nargs="*", default=["unprocessed", "camfit-compressive", "nal-r", "comfortable-speech"])
    parser.add_argument("--parameters", help="a JSON file: {name: parameters}, further candidates")
    parser.add_argument("--which", nargs="+", default=["haspi", "hasqi"])
    parser.add_argument("--levels", nargs="+", type=int, help="in dB SPL; default: 50 65 80, for music 65")
    parser.add_argument("--audiograms", nargs="+", default=list(AUDIOGRAMS), choices=list(AUDIOGRAMS))
    parser.add_argument(
        "--peers", nargs="*", choices=PEERS, help="other enhancers, for table and music; default: none for table, all for music")
    parser.add_argument("--reference", type=int, default=65, help="level of the reference; 0: the level presented")
    parser.add_argument("--before", type=int, help="table: level in dB SPL of the sound before the scored sound")
    parser.add_argument("--conditions", nargs="+", default=CONDITIONS, choices=CONDITIONS)
    parser.add_argument("--details", action="store_true", help="table: also every audiogram, with the worst talker")
    arguments = parser.parse_args()
    renderer = Renderer(arguments.renderer, "music" if arguments.command == "music" else "speech")
    sentences = dict(list(talkers(arguments.data, arguments.set).items())[: arguments.talkers])
    systems = {name: SYSTEMS[name] for name in arguments.systems if name in SYSTEMS}
    if arguments.parameters:
        with open(arguments.parameters) as file:
            systems.update({name: {"parameters": value} for name, value in json.load(file).items()})
    if arguments.command == "levels":
        for name, system in systems.items():
            print(name)
            for audiogram, row in levels(renderer, system, list(sentences.values()), arguments.audiograms):
                print(f"  {audiogram:18}" + ", ".join(f"{k} {v:.1f}" for k, v in row.items()), flush=True)
        return
    if arguments.command == "music":
        music(renderer, arguments.data, arguments.set, Cache(arguments.cache), systems, arguments.audiograms,
              PEERS if arguments.peers is None else arguments.peers, arguments.levels or [65])
        return
    results = scored(
        renderer, systems, sentences, Cache(arguments.cache), arguments.which, arguments.reference,
        levels=arguments.levels or LEVELS, audiograms=arguments.audiograms,
        conditions=arguments.conditions, peers=arguments.peers or [], before=arguments.before,
        recorded=lambda count, number: recorded_noise(arguments.data, arguments.set, count, number))
    print(f"{arguments.set}: {', '.join(sentences)}; reference at {arguments.reference or 'the level presented'}")
    table(results, list(systems) + (arguments.peers or []))
    if arguments.details:
        details(results, list(systems) + (arguments.peers or []), arguments.which)
    for name in systems:
        if name not in ("unprocessed", "nal-r", "camfit-compressive", "camfit-limited") and len(arguments.which) == 2:
            print("\n".join([f"\n{name}"] + verdicts(results, name, arguments.reference)))


if __name__ == "__main__":
    main()
