#!/usr/bin/env python3
"""Scores the hearing test: compares HASPI with the measured and with the true audiogram.

    python3 -m venv venv && venv/bin/pip install "numpy<2.4" scipy numba matplotlib soundfile soxr
    venv/bin/pip install --no-deps pyclarity==0.9.0
    apt-get install pocketsphinx-testdata
    venv/bin/python Benchmarks/benefit/hearing_test.py        from the package's folder

The program `HearingTestLoop` runs the test and renders the sentences with the package. Simulated
listeners have the standard audiograms N2, N3, N4 and S2. Their psychometric function has a standard
deviation of 4 dB. They have 2 % false alarms and 2 % lapses. During the test, an interruption of
the session disables processing. The listeners answer the Bayesian test at eleven frequencies. After
the test, the measured profile is reported and the preset is loaded again. A processor that follows
the session renders the sentences. For comparison, the true audiogram is reported in the same way.

Each sentence has a level of 65 dB SPL, in quiet and with speech-shaped noise at +5 dB SNR. HASPI is
always computed for a listener with the true audiogram. Its reference is the clean sentence. The
requirement applies to every audiogram, in quiet and in noise: the mean HASPI over sentences and
listeners differs by at most 0.02 from the HASPI with the true audiogram. If the requirement is not
met, the script ends with 1. It also prints the listener with the maximum difference. Thresholds of
95 dB HL (S2) are above the safe level. The test reports them as "no response" at 83 to 85 dB HL,
and the fitting assumes thresholds that are 5 dB higher (`AssumedThreshold`).
"""
import argparse, concurrent.futures, json, os, subprocess, sys, tempfile, warnings

import benefit
import ear_model
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from built import built

LARGEST_DIFFERENCE = 0.02


def rendered(program, audiogram, listener, rate, sounds):
    """The processed sounds and the result of the test.

    `listener` is a seed, or "true" for the true audiogram.
    """
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for index, samples in enumerate(sounds):
            names = [os.path.join(folder, f"{index}.{end}") for end in ("in", "out")]
            samples.astype("float32").tofile(names[0])
            arguments += names
        run = subprocess.run(
            [program, audiogram, str(listener), str(rate)] + arguments, check=True, capture_output=True, text=True)
        outputs = [np.fromfile(name, "float32").astype(float) for name in arguments[1::2]]
        return outputs, json.loads(run.stdout)


def intelligibility(task):
    warnings.simplefilter("ignore")
    reference, signal, rate, audiogram = task
    from clarity.evaluator.haspi import haspi_v2
    ear_model.install()
    np.random.seed(1)
    listener = benefit.peer_audiogram(audiogram)
    return float(haspi_v2(reference, rate, signal, rate, listener, level1=benefit.FULL_SCALE_SPL)[0])


def main():
    parser = argparse.ArgumentParser(description="HASPI with the measured and with the true audiogram.")
    parser.add_argument("--program", help="HearingTestLoop; default: the release build")
    parser.add_argument("--sentences", default=benefit.SENTENCES, help="the recordings, as a pattern")
    parser.add_argument(
        "--audiograms", nargs="+", default=list(benefit.AUDIOGRAMS), choices=list(benefit.AUDIOGRAMS))
    parser.add_argument("--listeners", type=int, default=10, help="simulated listeners for each audiogram; default: 10")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    program = arguments.program or built("HearingTestLoop")
    speech, rate = benefit.read_sentences(arguments.sentences)
    together = np.concatenate(speech)
    sounds = {"quiet": speech, "noise": []}
    for index, clean in enumerate(speech):
        noise = benefit.shaped_noise(together, len(clean), index + 1)
        sounds["noise"].append(clean + benefit.scaled(noise, benefit.SPEECH_SPL - benefit.SNR))

    listeners = ["true"] + list(range(1, arguments.listeners + 1))
    keys, tasks, found = [], [], {}
    for audiogram in arguments.audiograms:
        for listener in listeners:
            outputs, found[audiogram, listener] = rendered(
                program, audiogram, listener, rate, sounds["quiet"] + sounds["noise"])
            for index, output in enumerate(outputs):
                keys.append((audiogram, listener, benefit.CONDITIONS[index // len(speech)]))
                tasks.append((speech[index % len(speech)], output, rate, audiogram))
    scores = {}
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for count, (key, score) in enumerate(zip(keys, pool.map(intelligibility, tasks)), start=1):
            scores.setdefault(key, []).append(score)
            if sys.stderr.isatty():
                print(f"\r{count} of {len(tasks)} scored", end="", file=sys.stderr)

    seconds = sum(map(len, speech)) / rate
    print(f"{len(speech)} sentences, {seconds:.1f} s, {benefit.SPEECH_SPL:.0f} dB SPL; noise: speech-shaped, "
          f"+{benefit.SNR:.0f} dB SNR; {arguments.listeners} listeners for each audiogram\n")
    print(f"{'HASPI':<12}{'tones/ear':>10}{'error, dB':>11}{'true':>8}{'measured':>10}{'mean diff.':>12}{'worst':>8}")
    holds, single = True, (0.0, "")
    for audiogram in arguments.audiograms:
        truth = found[audiogram, "true"]["thresholds"]
        tests = [found[audiogram, listener] for listener in listeners[1:]]
        tones = np.mean([test["tones"] / 2 for test in tests])
        error = np.mean([
            abs(test["thresholds"][frequency] - truth[frequency])
            for test in tests for frequency in truth if frequency in test["thresholds"]])
        for condition in benefit.CONDITIONS:
            mean = {listener: np.mean(scores[audiogram, listener, condition]) for listener in listeners}
            differences = np.array([mean[listener] - mean["true"] for listener in listeners[1:]])
            worst = differences[np.argmax(np.abs(differences))]
            holds = holds and abs(differences.mean()) <= LARGEST_DIFFERENCE
            single = max(single, (abs(worst), f"{worst:+.3f} ({audiogram} {condition})"))
            print(f"{audiogram + ' ' + condition:<12}{tones:10.1f}{error:11.1f}{mean['true']:8.3f}"
                  f"{mean['true'] + differences.mean():10.3f}{differences.mean():+12.3f}{worst:+8.3f}")
    print(f"\n{'holds' if holds else 'FAILS':<7}HASPI with the measured audiogram within "
          f"{LARGEST_DIFFERENCE} of that with the true one; the listener with the largest difference: {single[1]}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
