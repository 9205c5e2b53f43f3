#!/usr/bin/env python3
"""Scores rendered speech for a listener: intelligibility (HASPI) and quality (HASQI).

    python3 -m venv venv && venv/bin/pip install "numpy<2.4" scipy numba matplotlib soundfile soxr
    venv/bin/pip install --no-deps pyclarity==0.9.0
    apt-get install pocketsphinx-testdata
    venv/bin/python Benchmarks/benefit/benefit.py             from the package's folder
    venv/bin/python Benchmarks/benefit/benefit.py --systems --release 0.1 0.2 0.4 0.8
                                                               compares only release times, with
                                                               CAMFIT compressive
    With --sentences '…/*0880.wav', the last command prints the figures of the documentation.

pyclarity also requires torch and other packages. This script uses only parts of pyclarity that need
no other packages than those above.

Every sentence has an RMS level of 65 dB SPL. An RMS of 1.0 represents 100 dB SPL. Sentences are
scored in quiet and with speech-shaped noise at +5 dB SNR, for the standard audiograms N2, N3, N4
and S2. The systems are:

- unprocessed speech,
- the release build of `hearing-render`, with each prescription rule, and with CAMFIT compressive at
  an intensity of 0.85 (85 % of each gain in dB). With `--release`, other release times are also
  compared.
- pyclarity's NAL-R enhancer and its multi-band compressor, on the same samples in the same run. The
  compressor has two settings. "As documented" is the example in its documentation: a ratio of 4,
  and a make-up gain of a third of the loss above 20 dB. With "fitted", the ratio and the make-up
  gain of each band are those of pyclarity's CAMFIT table. The compression threshold of each band is
  the level that speech of 45 dB SPL has in this band.

For HASPI and HASQI, the reference is the clean sentence at 65 dB SPL without gain, even if noise is
added. HASPI models a normal ear for the reference. HASQI applies NAL-R to the reference
(equalisation mode 1). The processed signal is the output with its gain. `level1` is 100, because an
RMS of 1.0 represents 100 dB SPL. HASPI and HASQI add random noise at the threshold of hearing. The
random generator is seeded for each score. Therefore every run gives the same scores.

HASQI applies pyclarity's NAL-R, which is a linear-phase filter. For pyclarity's NAL-R enhancer,
HASQI therefore compares this filter with itself. The coherence is 0.998 with the linear-phase
filter. With a filter without latency, the coherence is only 0.975, for any gains.

The HASPI scores of NAL-R differ most for the audiogram S2 in noise: 0.708 for `hearing-render`, and
0.728 for pyclarity. There are two causes of equal size. The first cause is the phase: if the output
of `hearing-render` is made zero-phase, its score is 0.721. The second cause is the audiogram:
`hearing-render` uses ten frequencies, but pyclarity and HASPI use six. With these six frequencies,
the score of `hearing-render` is 0.720.

The noise is white noise with the long-term spectrum of all sentences. Each sentence gets a
different segment.
"""
import argparse, concurrent.futures, glob, hashlib, json, os, subprocess, sys, tempfile, warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
import soundfile

FULL_SCALE_SPL = 100.0
SPEECH_SPL = 65.0
SNR = 5.0
SENTENCES = "/usr/share/pocketsphinx/test/data/librivox/*.wav"
FREQUENCIES = [250, 500, 1000, 2000, 4000, 6000]
AUDIOGRAMS = {
    "N2": [20, 20, 25, 35, 45, 50],
    "N3": [35, 35, 40, 50, 60, 65],
    "N4": [55, 55, 55, 65, 75, 80],
    "S2": [20, 20, 25, 55, 95, 95],
}
RULES = ["half-gain", "pogo", "pogo-ii", "nal-r", "nal-rp", "fig6", "camfit-linear", "camfit-compressive"]
RELEASE_RULE, RELEASED = "camfit-compressive", ", release "
SHARED = ", intensity "
# For a mild loss in noise, HASQI is higher with less gain than CAMFIT prescribes. The difference is
# largest for linear CAMFIT.
REDUCED = "camfit-compressive" + SHARED + "0.85"
COMPRESSIVE = ["fig6", "camfit-compressive", REDUCED]
UNPROCESSED = "unprocessed"
PEER_LINEAR = "pyclarity NAL-R"
PEER_COMPRESSORS = ["pyclarity compressor, as documented", "pyclarity compressor, fitted"]
CONDITIONS = ["quiet", "noise"]


def scaled(samples, level):
    """The samples, scaled to an RMS level of `level` dB SPL."""
    return samples * 10 ** ((level - FULL_SCALE_SPL) / 20) / np.sqrt(np.mean(samples**2))


def read_sentences(pattern):
    paths = sorted(glob.glob(pattern))
    if not paths:
        sys.exit(f"no sentences at {pattern}: apt-get install pocketsphinx-testdata")
    sentences, rates = [], set()
    for path in paths:
        samples, rate = soundfile.read(path, dtype="float64")
        rates.add(rate)
        sentences.append(scaled(samples, SPEECH_SPL))
    if len(rates) > 1:
        sys.exit(f"sentences of several sample rates: {sorted(rates)}")
    return sentences, rates.pop()


def shaped_noise(speech, count, seed):
    """Noise with the long-term spectrum of `speech` and an RMS of 1."""
    size = 512
    window = np.hanning(size)
    frames = np.lib.stride_tricks.sliding_window_view(speech, size)[:: size // 2] * window
    magnitude = np.sqrt(np.mean(np.abs(np.fft.rfft(frames, axis=1)) ** 2, axis=0))
    impulse = np.roll(np.fft.irfft(magnitude), size // 2) * window
    white = np.random.default_rng(seed).standard_normal(count + size)
    noise = np.convolve(white, impulse, mode="valid")[:count]
    return noise / np.sqrt(np.mean(noise**2))


def fitted(program, audiogram, release):
    """A preset of CAMFIT compressive as JSON.

    `hearing-fit` creates the preset. `release` replaces the release times in all bands.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "preset.json")
        subprocess.run(
            [program, audiogram, "--rule", RELEASE_RULE, "--limits", "none", "--out", path], check=True, stdout=subprocess.DEVNULL)
        with open(path) as file:
            preset = json.load(file)
    for ear in ("left", "right"):
        preset[ear]["releaseTimes"] = [release] * len(preset[ear]["releaseTimes"])
    return json.dumps(preset)


def rendered(program, samples, rate, listener):
    """The left channel of the output of `hearing-render`.

    The listener is a list of options. After --preset it contains a preset as JSON, not a path.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
        soundfile.write(source, samples, rate, subtype="FLOAT")
        if listener[0] == "--preset":
            preset = os.path.join(folder, "preset.json")
            with open(preset, "w") as file:
                file.write(listener[1])
            listener = ["--preset", preset] + listener[2:]
        subprocess.run(
            [program, source, target, "--full-scale-spl", str(FULL_SCALE_SPL), "--keep-scale", "--quiet"]
            + listener, check=True)
        return soundfile.read(target, dtype="float64")[0][:, 0]


def peer_audiogram(name):
    from clarity.utils.audiogram import Audiogram
    return Audiogram(levels=np.array(AUDIOGRAMS[name], float), frequencies=np.array(FREQUENCIES))


def peer_nal_r(samples, rate, audiogram):
    from clarity.enhancer.nalr import NALR
    taps = 220  # as in its documentation; linear phase, so its delay can be removed
    enhancer = NALR(taps, rate)
    coefficients, _ = enhancer.build(peer_audiogram(audiogram))
    return enhancer.apply(coefficients, samples)[taps // 2 :][: len(samples)]


CROSSOVERS = np.array([250, 500, 1000, 2000, 4000]) * np.sqrt(2)


def peer_fitting(audiogram):
    """The settings of the compressor's six bands.

    They are the threshold in dB re full scale, the ratio, and the make-up gain in dB.
    """
    from clarity.enhancer.gha.gainrule_camfit import gainrule_camfit_compr
    soft, loud, speech_range = 45.0, 85.0, 70.0
    centers = np.array([250, 500, 1000, 2000, 4000, 8000])
    listener = peer_audiogram(audiogram)
    levels = np.arange(-10, 111)
    table, _, _ = gainrule_camfit_compr(
        listener, listener,
        {"frequencies": centers, "edge_frequencies": np.concatenate(([1e-8], CROSSOVERS, [1e7])), "levels": levels})
    bands = np.array([59.6, 60.9, 56.0, 51.4, 47.9, 48.8])  # speech at 65 dB SPL in these bands (Byrne et al. 1994)
    gain = lambda overall: np.array(
        [np.interp(bands[i] + overall - 65, levels, table[:, i, 0]) for i in range(len(centers))])
    ratio = (loud - soft) / np.maximum(loud - soft + gain(loud) - gain(soft), 1)
    return bands + soft - 65 - FULL_SCALE_SPL, np.maximum(ratio, 1), gain(soft)


def peer_compressor(samples, rate, audiogram, is_fitted):
    from clarity.enhancer.multiband_compressor import MultibandCompressor
    losses = np.array(AUDIOGRAMS[audiogram], float)
    threshold, ratio, gain = -40.0, 4.0, np.maximum((losses - 20) / 3, 0)
    if is_fitted:
        threshold, ratio, gain = (list(values) for values in peer_fitting(audiogram))
    compressor = MultibandCompressor(
        crossover_frequencies=CROSSOVERS, sample_rate=rate,
        compressors_params={
            "attack": [11, 11, 14, 13, 11, 11], "release": [80, 80, 80, 80, 100, 100],
            "threshold": threshold, "ratio": ratio, "makeup_gain": list(gain), "knee_width": 0})
    return compressor(samples.copy())[0]


def processed(system, programs, samples, rate, audiogram, options):
    if system == UNPROCESSED:
        return samples
    if system == PEER_LINEAR:
        return peer_nal_r(samples, rate, audiogram)
    if system in PEER_COMPRESSORS:
        return peer_compressor(samples, rate, audiogram, system == PEER_COMPRESSORS[1])
    if system.startswith(RELEASE_RULE + RELEASED):
        preset = fitted(programs["hearing-fit"], audiogram, float(system.split()[-2]))
        return rendered(programs["hearing-render"], samples, rate, ["--preset", preset] + options)
    system, _, intensity = system.partition(SHARED)
    if intensity:
        options = options + ["--intensity", intensity]
    return rendered(
        programs["hearing-render"], samples, rate, ["--audiogram", audiogram, "--rule", system, "--limits", "none"]
        + options)


def score(task):
    """The key of the task, and HASPI and HASQI of its processed signal."""
    warnings.simplefilter("ignore")
    reference, signal, rate, audiogram, key = task
    from clarity.evaluator.haspi import haspi_v2
    from clarity.evaluator.hasqi import hasqi_v2
    listener = peer_audiogram(audiogram)
    np.random.seed(1)
    intelligibility = haspi_v2(reference, rate, signal, rate, listener, level1=FULL_SCALE_SPL)[0]
    np.random.seed(1)
    quality = hasqi_v2(reference, rate, signal, rate, listener, equalisation=1, level1=FULL_SCALE_SPL)[0]
    return key, float(intelligibility), float(quality)


def digest(*parts):
    value = hashlib.sha256()
    for part in parts:
        value.update(part.tobytes() if isinstance(part, np.ndarray) else str(part).encode())
    return value.hexdigest()


def release_program(name):
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    build = ["swift", "build", "-c", "release", "--product", name, "--package-path", package]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    path = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(path, name)


def columns(audiograms):
    return [(audiogram, condition) for audiogram in audiograms for condition in CONDITIONS]


def print_table(title, systems, audiograms, means):
    cells = columns(audiograms)
    print(f"\n{title:<38}" + "".join(f"{a + ' ' + c:>10}" for a, c in cells) + f"{'mean':>9}")
    for system in systems:
        values = [means[system, cell] for cell in cells]
        print(f"{system:<38}" + "".join(f"{v:10.3f}" for v in values) + f"{np.mean(values):9.3f}")


def verdicts(systems, audiograms, tables):
    """The requirements on the rendering, and whether each requirement is met."""
    cells = columns(audiograms)
    mean = lambda table, system: np.mean([table[system, cell] for cell in cells])
    lines = []
    rules = [rule for rule in COMPRESSIVE if rule in systems]
    # The best rule is the rule with the highest sum of HASPI and HASQI.
    best = max(rules, key=lambda rule: sum(mean(table, rule) for table in tables.values()), default=None)
    for name, table in tables.items():
        if "nal-r" in systems and PEER_LINEAR in systems:
            ours, theirs = mean(table, "nal-r"), mean(table, PEER_LINEAR)
            lines.append((f"{name}: nal-r {ours:.3f}, pyclarity's {theirs:.3f}", ours >= theirs))
        if best is None or UNPROCESSED not in systems:
            continue
        worst = min(cells, key=lambda cell: table[best, cell] - table[UNPROCESSED, cell])
        margin = table[best, worst] - table[UNPROCESSED, worst]
        lines.append((f"{name}: {best} above unprocessed by at least {margin:.3f} ({' '.join(worst)})", margin > 0))
        for peer in PEER_COMPRESSORS:
            if peer in systems:
                ours, theirs = mean(table, best), mean(table, peer)
                lines.append((f"{name}: {best} {ours:.3f}, {peer} {theirs:.3f}", ours > theirs))
    return lines


def main():
    parser = argparse.ArgumentParser(description="HASPI and HASQI of rendered recorded speech.")
    parser.add_argument("--render", help="the program to score; default: the release build")
    parser.add_argument("--fit", help="the program that fits, for --release; default: the release build")
    parser.add_argument("--sentences", default=SENTENCES, help="the recordings, as a pattern")
    parser.add_argument("--audiograms", nargs="+", default=list(AUDIOGRAMS), choices=list(AUDIOGRAMS))
    parser.add_argument(
        "--systems", nargs="*", default=[UNPROCESSED] + RULES + [REDUCED, PEER_LINEAR] + PEER_COMPRESSORS,
        help="their names as in the table; a rule may be followed by ', intensity SHARE'")
    parser.add_argument(
        "--release", nargs="+", type=float, default=[], metavar="SECONDS",
        help=f"also {RELEASE_RULE} with these release times in every band")
    parser.add_argument("--options", default="", help="further options for hearing-render")
    parser.add_argument("--cache", help="a file that stores scores between runs, by content")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    programs = {"hearing-render": arguments.render or release_program("hearing-render")}
    if arguments.release:
        programs["hearing-fit"] = arguments.fit or release_program("hearing-fit")
    arguments.systems += [f"{RELEASE_RULE}{RELEASED}{seconds:g} s" for seconds in arguments.release]
    speech, rate = read_sentences(arguments.sentences)
    together = np.concatenate(speech)
    known = {}
    if arguments.cache and os.path.exists(arguments.cache):
        with open(arguments.cache) as file:
            known = json.load(file)

    keys, tasks = {}, {}
    for index, clean in enumerate(speech):
        noise = shaped_noise(together, len(clean), index + 1)
        inputs = {"quiet": clean, "noise": clean + scaled(noise, SPEECH_SPL - SNR)}
        for audiogram, condition in columns(arguments.audiograms):
            for system in arguments.systems:
                signal = processed(
                    system, programs, inputs[condition], rate, audiogram, arguments.options.split())
                key = digest(clean, signal, rate, audiogram)
                keys[system, (audiogram, condition), index] = key
                if key not in known:
                    tasks[key] = (clean, signal, rate, audiogram, key)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for count, (key, *scores) in enumerate(pool.map(score, tasks.values()), start=1):
            known[key] = scores
            if sys.stderr.isatty():
                print(f"\r{count} of {len(tasks)} scored", end="", file=sys.stderr)
            if arguments.cache and (count % 20 == 0 or count == len(tasks)):
                with open(arguments.cache + ".new", "w") as file:
                    json.dump(known, file)
                os.replace(arguments.cache + ".new", arguments.cache)

    seconds = sum(map(len, speech)) / rate
    print(f"{len(speech)} sentences, {seconds:.1f} s, {SPEECH_SPL:.0f} dB SPL; noise: speech-shaped, +{SNR:.0f} dB SNR")
    tables = {}
    for number, name in enumerate(["HASPI", "HASQI"]):
        tables[name] = {
            (system, cell): np.mean([known[keys[system, cell, i]][number] for i in range(len(speech))])
            for system in arguments.systems for cell in columns(arguments.audiograms)
        }
        print_table(name, arguments.systems, arguments.audiograms, tables[name])
    print()
    for line, holds in verdicts(arguments.systems, arguments.audiograms, tables):
        print(f"{'holds' if holds else 'FAILS':<7}{line}")


if __name__ == "__main__":
    main()
