#!/usr/bin/env python3
"""Scores the noise suppression of this package, WebRTC, speexdsp and RNNoise on the same set.

    python3 Benchmarks/voice/noise.py MATERIAL NOISES [--dtln FOLDER] [--part N] [--no-ovrl]    from the package's folder

MATERIAL is a folder with the unpacked Debian packages pocketsphinx-testdata,
asterisk-core-sounds-{en,fr,es}-g722, fillets-ng-data-{cs,nl}, searchandrescue-data and tuxfootball.
NOISES is a folder with the folders Dishes, Keyboard, Water, HairDryer, ElectricalShaver and Paper
of github.com/amsehili/noise-of-life (only for scoring). Needs ffmpeg, numpy, scipy, pesq,
pystoi, speechmos, librosa, onnxruntime, webrtc-noise-gain, speexdsp-ns and pyrnnoise. (speechmos
imports librosa and onnxruntime, but does not install them.) The package Benchmarks must be built in
release mode, or BENCHMARKS must be the path of the executable.

The set has 18 recorded utterances of up to 8 s at 16 kHz. Before each utterance there is 1 s of
noise alone, which is not scored. There are 9 noises: the 6 recorded household noises, aircraft
engines, a crowd in a stadium, and the babble of six talkers. Each utterance is mixed with each
noise at one of three ratios, 0, 5 or 10 dB (a Latin square: 162 files). The training material of
the package's network contains no talker and no noise of the set. `--part N` uses every N-th file,
in a fixed random order. The columns are PESQ-WB, STOI, DNSMOS OVRL, and latency in ms.

The last lines show by how many dB the package's suppression lowers two kinds of speech. The first
kind is speech without noise. The second kind is whispered speech in a quiet room. The whispered
speech is made from the utterances with noise instead of voice. Its level is -45 dBFS, in noise of
-75 dBFS.
"""
import argparse, glob, multiprocessing, os, re, subprocess, sys, tempfile, warnings, wave
import numpy as np
import scipy.linalg, scipy.signal

warnings.filterwarnings("ignore")
RATE = 16_000
CLASSES = ("Dishes", "Keyboard", "Water", "HairDryer", "ElectricalShaver", "Paper")
LANGUAGES = ("en", "fr", "es")
# Noises of Debian's games. They are used only for scoring.
GAMES = {"Aircraft": ("jet_engine_inside", "helicopter_engine_outside2", "jet_engine_outside"),
         "Crowd": ("crowdcheer", "crowdboo")}


def read(path):
    form = ["-f", "g722"] if path.endswith(".g722") else []
    command = ["ffmpeg", "-v", "error", *form, "-i", path, "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<f4").astype(float)


def find(folder, pattern):
    return sorted(glob.glob(os.path.join(folder, "**", pattern), recursive=True))


def prompts(folder, language, least, most):
    paths = find(folder, f"{language}*/**/*.g722") or find(folder, f"*-{language}-*/**/*.g722")
    return [path for path in paths if least < os.path.getsize(path) < most and not re.search("monkeys|silence", path)]


def lines(folder, language):
    """Long lines of the actors of a game, each line from a different scene."""
    paths = [path for path in find(folder, f"*-{language}/**/*.ogg") if os.path.getsize(path) > 35_000]
    return list({os.path.dirname(path): path for path in paths}.values())


def talkers(folder):
    """Utterances of talkers who are not in the training material of `suppression_material.py`."""
    sounds = [read(path) for path in find(folder, "librivox/*.wav")[:3]]
    for language in LANGUAGES:
        paths = prompts(folder, language, 40_000, 90_000)
        sounds += [read(path) for path in paths[::max(1, len(paths) // 3)][:3]]
    for language in ("cs", "nl"):
        paths = lines(folder, language)
        sounds += [read(path) for path in paths[::max(1, len(paths) // 3)][:3]]
    sounds = [sound[:8 * RATE] for sound in sounds if len(sound) > 1.5 * RATE]
    if len(sounds) != 18:
        sys.exit(f"{folder}: {len(sounds)} utterances instead of 18: is the material complete?")
    return sounds


def noises(folder, recorded):
    result = {}
    for name in CLASSES:
        paths = find(recorded, f"{name}/*.wav")[:8]
        if not paths:
            sys.exit(f"no recordings in {os.path.join(recorded, name)}")
        result[name] = np.concatenate([read(path) for path in paths])
    babble = np.zeros(40 * RATE)
    for index, language in enumerate(("es", "fr", "en", "es", "fr", "en")):
        paths = prompts(folder, language, 60_000, 1 << 30)[3 + index::7][:4]
        voice = np.resize(np.concatenate([read(path) for path in paths]), 40 * RATE)
        babble += voice / np.sqrt(np.mean(voice ** 2))
    result["Babble"] = babble
    for name, files in GAMES.items():
        parts = [read(path) for file in files for path in find(folder, f"{file}.wav")]
        if len(parts) != len(files):
            sys.exit(f"{folder}: {len(parts)} recordings instead of {len(files)} of {name}: is the material complete?")
        result[name] = np.concatenate([part / np.sqrt(np.mean(part ** 2)) for part in parts])
    return result


def build(folder, recorded):
    """Yields (noise, ratio, clean, noisy) for each file of the set."""
    home, games = np.random.default_rng(7), np.random.default_rng(8)
    spoken, made = talkers(folder), noises(folder, recorded)
    for number, sound in enumerate(spoken):
        for kind, (name, noise) in enumerate(made.items()):
            generator = games if name in GAMES else home
            ratio = 5 * ((-number - kind) % 3)
            start = generator.integers(0, max(1, len(noise) - len(sound) - RATE))
            part = np.resize(noise[start:], len(sound) + RATE)
            level = np.sqrt(np.mean(sound[np.abs(sound) > 0.02 * np.abs(sound).max()] ** 2))
            clean = np.concatenate([np.zeros(RATE), sound]) * 0.05 / level
            noisy = clean + part / np.sqrt(np.mean(part ** 2)) * 0.05 * 10 ** (-ratio / 20)
            scale = min(1, 0.99 / np.abs(noisy).max())
            yield name, ratio, clean * scale, noisy * scale


def whispered(sound, generator):
    """The utterance as a whisper: its linear prediction, excited by noise, without low frequencies."""
    length, order = RATE // 25, 18
    window, noise = np.hanning(length + 1)[:length], generator.standard_normal(len(sound))
    result = np.zeros(len(sound))
    for start in range(0, len(sound) - length, length // 2):
        frame = sound[start:start + length] * window
        correlation = np.correlate(frame, frame, "full")[length - 1:length + order]
        if correlation[0] < 1e-9:
            continue
        correlation[0] *= 1.0001
        filter = np.concatenate([[1], -scipy.linalg.solve_toeplitz(correlation[:order], correlation[1:])])
        gain = np.sqrt(max(0, filter @ correlation))
        result[start:start + length] += scipy.signal.lfilter([gain], filter, noise[start:start + length]) * window
    result = scipy.signal.sosfilt(scipy.signal.butter(2, 400, "high", fs=RATE, output="sos"), result)
    loud = np.abs(result) > 0.02 * np.abs(result).max()
    return result * 10 ** (-45 / 20) / np.sqrt(np.mean(result[loud] ** 2))


def losses(folder, process, whispers):
    """Yields for each utterance by how many dB its loud frames become softer."""
    generator, frame, latency = np.random.default_rng(3), RATE // 50, RATE // 100
    for sound in talkers(folder):
        level = np.sqrt(np.mean(sound[np.abs(sound) > 0.02 * np.abs(sound).max()] ** 2))
        clean = np.concatenate([np.zeros(RATE), whispered(sound, generator) if whispers else sound * 0.05 / level])
        noise = generator.standard_normal(len(clean)) * 10 ** (-75 / 20) if whispers else 0
        output = process(clean + noise)
        count = (len(output) - latency - RATE) // frame * frame
        powers = [np.mean(part[start:start + count].reshape(-1, frame) ** 2, axis=1)
                  for part, start in ((clean, RATE), (output, RATE + latency))]
        loud = powers[0] > np.percentile(powers[0], 95) / 100
        yield 10 * np.log10(powers[0][loud].mean() / powers[1][loud].mean())


def integers(samples):
    return np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")


def ours(mode):
    """A function that returns the output of `Benchmarks uplink` for a signal in a mode."""
    built = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".build", "release", "Benchmarks")
    program = os.environ.get("BENCHMARKS", built)

    def run(noisy):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("noisy.wav", "silence.wav", "output.wav")]
            for path, samples in zip(paths, (noisy, np.zeros(len(noisy)))):
                with wave.open(path, "wb") as file:
                    file.setparams((1, 2, RATE, 0, "NONE", ""))
                    file.writeframes(integers(samples).tobytes())
            subprocess.run([program, "uplink", mode, *paths], check=True, stdout=subprocess.DEVNULL)
            data = open(paths[2], "rb").read()
            start = data.index(b"data") + 8
            return np.frombuffer(data[start:start + (len(data) - start) // 4 * 4], "<f4").astype(float)
    return run


def webrtc(noisy):
    from webrtc_noise_gain import AudioProcessor
    processor, samples = AudioProcessor(0, 2), integers(noisy)
    parts = [processor.Process10ms(samples[index:index + 160].tobytes()).audio
             for index in range(0, len(samples) - 159, 160)]
    return np.frombuffer(b"".join(parts), "<i2") / 32768


def speex(noisy):
    from speexdsp_ns import NoiseSuppression
    processor, samples = NoiseSuppression.create(320, RATE), integers(noisy)
    parts = [processor.process(samples[index:index + 320].tobytes()) for index in range(0, len(samples) - 319, 320)]
    return np.frombuffer(b"".join(parts), "<i2") / 32768


def rnnoise(noisy):
    from pyrnnoise import RNNoise
    from scipy.signal import resample_poly
    processor = RNNoise(48_000)
    samples = integers(resample_poly(noisy, 3, 1))[None, :]
    parts = [np.atleast_2d(frame)[0] for _, frame in processor.denoise_chunk(samples)]
    sound = np.concatenate(parts).astype(float)
    return resample_poly(sound / (32768 if np.abs(sound).max() > 2 else 1), 1, 3)


def dtln(folder):
    """The dual-signal transformation network (DTLN).

    Its model is in `pretrained_model` of github.com/breizhn/DTLN (MIT).
    """
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    first, second = (
        onnxruntime.InferenceSession(os.path.join(folder, f"model_{index}.onnx"), options) for index in (1, 2))

    def advance(session, value, state):
        names = [item.name for item in session.get_inputs()]
        return session.run(None, {names[0]: value[None, None].astype("f4"), names[1]: state})

    def run(noisy):
        states = [np.zeros((1, 2, 128, 2), "f4") for _ in range(2)]
        heard, sums = np.zeros(512), np.zeros(512)
        output = np.zeros(len(noisy) // 128 * 128)
        for start in range(0, len(output), 128):
            heard = np.concatenate([heard[128:], noisy[start:start + 128]])
            spectrum = np.fft.rfft(heard)
            mask, states[0] = advance(first, np.abs(spectrum), states[0])
            estimate = np.fft.irfft(spectrum * mask[0, 0])
            frame, states[1] = advance(second, estimate, states[1])
            sums = np.concatenate([sums[128:], np.zeros(128)]) + frame[0, 0]
            output[start:start + 128] = sums[:128]
        return output
    return run


def shift(clean, output):
    """The delay in samples of the output relative to the clean signal."""
    size = 1 << (len(clean) + len(output)).bit_length()
    cross = np.fft.irfft(np.fft.rfft(output, size) * np.conj(np.fft.rfft(clean, size)), size)
    return int(np.argmax(cross[:1_600]))


def score(clean, output, judges, delay):
    from pesq import pesq
    from pystoi import stoi
    count = min(len(clean), len(output) - delay)
    reference, made = clean[RATE:count], output[RATE + delay:count + delay]
    values = [pesq(RATE, reference, made, "wb"), stoi(reference, made, RATE)]
    if judges:
        from speechmos import dnsmos
        values.append(dnsmos.run(np.clip(made, -1, 1), RATE)["ovrl_mos"])
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material")
    parser.add_argument("noises")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--no-ovrl", action="store_true")
    parser.add_argument("--dtln", metavar="FOLDER", help="the folder with model_1.onnx and model_2.onnx of DTLN")
    options = parser.parse_args()
    systems = {"noisy": lambda noisy: noisy, "ours": ours("noise"), "WebRTC, level 2": webrtc, "speexdsp": speex,
               "RNNoise": rnnoise}
    if options.dtln:
        systems["DTLN"] = dtln(options.dtln)
    files = list(build(options.material, options.noises))
    chosen = np.random.default_rng(1).permutation(len(files))[::options.part]
    print(f"{len(chosen)} of {len(files)} files\n\n| | PESQ | STOI | OVRL | latency, ms |\n| --- | ---: | ---: | ---: | ---: |")
    tables = {}
    for name, process in systems.items():
        outputs = [process(files[index][3]) for index in chosen]
        delays = [shift(files[index][2], output) for index, output in zip(chosen, outputs)]
        delay = int(np.median(delays))
        tasks = [(files[index][2], output, not options.no_ovrl, delay) for index, output in zip(chosen, outputs)]
        with multiprocessing.get_context("spawn").Pool() as pool:
            rows = np.array(pool.starmap(score, tasks, chunksize=4))
        tables[name] = rows
        cells = [f"{value:.{2 + (column == 1)}f}" for column, value in enumerate(rows.mean(0))] + ([] if rows.shape[1] > 2 else ["–"])
        print(f"| {name} | {' | '.join(cells)} | {delay / 16:.1f} |", flush=True)
    names = list(dict.fromkeys(file[0] for file in files))
    print("\nPESQ / STOI by noise\n\n| | " + " | ".join(names) + " |\n| --- |" + " ---: |" * len(names))
    for name, rows in tables.items():
        cells = []
        for noise in names:
            part = rows[[files[index][0] == noise for index in chosen]]
            cells.append(f"{part[:, 0].mean():.2f} / {part[:, 1].mean():.3f}" if len(part) else "–")
        print(f"| {name} | {' | '.join(cells)} |")
    for name, whispers in (("Speech without noise", False), ("Whispered speech", True)):
        values = list(losses(options.material, systems["ours"], whispers))
        print(f"\n{name} becomes {np.mean(values):.1f} dB softer, at most {max(values):.1f} dB.")


if __name__ == "__main__":
    main()
