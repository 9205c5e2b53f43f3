#!/usr/bin/env python3
"""Fits the weights of the voice activity detector and writes them as Swift.

    python3 Benchmarks/voice/fit.py SOURCES FOLDER [--items 2000] [--steps 4000]          from the package's folder

SOURCES contains the recordings that `fitting_material.py` names. The script creates the sound of
`fitting_material.py` in FOLDER and runs `Benchmarks voice-features`, which writes the detector's
features. The script then fits the network of `VoiceNetwork` with Adam. It minimises the cross
entropy of pieces of 3 s. One sound file (item) in eight is used for validation. The result is
deterministic except for rounding. Needs numpy, scipy, jax, ffmpeg, espeak-ng and sox,
and pocketsphinx-testdata (Debian; installed, not only unpacked).
"""
import argparse, multiprocessing, os, subprocess, time
import numpy as np
import jax
import jax.numpy as jnp
import packed_weights
import scipy.io.wavfile
from compare import onsets
from detectors import PACKAGE, PROGRAM, build
from fitting_material import RATE, item
from material import recordings

INPUTS, UNITS = 53, 32
# The number of frames in a piece. The first PREPARED frames only prepare the state of the network,
# and do not count in the loss.
LENGTH, PREPARED = 300, 60
# Two cost ratios. The first compares a false voice decision with a missed frame. The second
# compares a frame missed in the first 100 ms after a pause with a frame missed later.
ALARM, ONSET = 1.3, 3.0
# This number is added to the network's output. A higher number detects quiet talk earlier, but
# causes more false starts.
BIAS = 0.0

WEIGHTS = os.path.join(PACKAGE, "..", "Sources", "HearingVoice", "Generated", "FittedWeights.swift")


def make(task):
    sources, folder, number = task
    path = os.path.join(folder, f"{number}.wav")
    if not os.path.exists(path) or not os.path.exists(path[:-4] + ".npy"):
        sound, truth = item(number, sources)
        scipy.io.wavfile.write(path, RATE, sound.astype("f4"))
        np.save(path[:-4] + ".npy", truth)


def load(folder, numbers):
    """For each item: the features [frame][input], and for each frame whether it contains speech."""
    items = []
    for number in numbers:
        path = os.path.join(folder, f"{number}.wav")
        values = np.fromfile(path + ".features", "<f4").reshape(-1, INPUTS)
        truth = np.load(path[:-4] + ".npy").astype("f4")
        count = min(len(values), len(truth))
        items.append((values[:count], truth[:count]))
    return items


def costs(truth):
    """The cost of a wrong decision in each frame."""
    result = np.where(truth > 0, 1.0, ALARM).astype("f4")
    for onset in onsets(truth > 0):
        result[onset : onset + 10] = np.where(truth[onset : onset + 10] > 0, ONSET, ALARM)
    return result


def initial(generator):
    def random(rows, columns, deviation):
        return jnp.array(generator.standard_normal((rows, columns)) * deviation, "f4")

    return {
        "input": random(INPUTS, UNITS, 0.2), "inputBias": jnp.zeros(UNITS),
        "recurrent": random(UNITS, 3 * UNITS, UNITS**-0.5), "recurrentBias": jnp.zeros(3 * UNITS),
        "state": random(UNITS, 3 * UNITS, UNITS**-0.5), "candidate": jnp.zeros(UNITS),
        "output": random(UNITS, 1, 0.3), "outputBias": jnp.zeros(1)}


def logits(weights, features):
    """The output before the logistic function, [frame][item].

    `features` are normalised, [frame][item][input].
    """
    sums = features @ weights["input"] + weights["inputBias"]
    seen = (sums / (1 + jnp.abs(sums))) @ weights["recurrent"] + weights["recurrentBias"]

    def advance(state, seen):
        own = state @ weights["state"]
        update = jax.nn.sigmoid(seen[:, :UNITS] + own[:, :UNITS])
        reset = jax.nn.sigmoid(seen[:, UNITS : 2 * UNITS] + own[:, UNITS : 2 * UNITS])
        candidate = jnp.tanh(seen[:, 2 * UNITS :] + reset * (own[:, 2 * UNITS :] + weights["candidate"]))
        state = candidate + update * (state - candidate)
        return state, state

    states = jax.lax.scan(advance, jnp.zeros((features.shape[1], UNITS)), seen)[1]
    return (states @ weights["output"] + weights["outputBias"])[..., 0]


def loss(weights, features, truth, importance):
    logit = logits(weights, features)
    entropy = jnp.maximum(logit, 0) - logit * truth + jnp.log1p(jnp.exp(-jnp.abs(logit)))
    decay = sum((part**2).sum() for part in jax.tree.leaves(weights))
    return (entropy * importance).sum() / importance.sum() + 1e-6 * decay


@jax.jit
def step(weights, first, second, number, rate, features, truth, importance):
    value, slope = jax.value_and_grad(loss)(weights, features, truth, importance)
    length = jnp.sqrt(sum((part**2).sum() for part in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda part: part * jnp.minimum(1, 1 / length), slope)
    first = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, first, slope)
    second = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new**2, second, slope)
    weights = jax.tree.map(
        lambda part, a, b: part - rate * (a / (1 - 0.9**number)) / (jnp.sqrt(b / (1 - 0.999**number)) + 1e-8),
        weights, first, second)
    return weights, first, second, value


def fit(items, steps, size=64, peak=0.004):
    """Returns the weights, and the mean and the standard deviation of the features.

    The learning rate falls from `peak` to zero along a cosine.
    """
    generator = np.random.default_rng(1)
    everything = np.concatenate([values for values, _ in items])
    mean, scale = everything.mean(0), everything.std(0) + 1e-3
    del everything
    items = [(((values - mean) / scale).astype("f4"), truth, costs(truth)) for values, truth in items]
    share = np.array([len(truth) for _, truth, _ in items], float)
    weights = initial(generator)
    first = jax.tree.map(jnp.zeros_like, weights)
    second, sum_of_losses, begin = first, 0.0, time.time()
    for number in range(1, steps + 1):
        features = np.zeros((LENGTH, size, INPUTS), "f4")
        truth, importance = np.zeros((LENGTH, size), "f4"), np.zeros((LENGTH, size), "f4")
        for place, index in enumerate(generator.choice(len(items), size, p=share / share.sum())):
            values, voice, cost = items[index]
            # Starts of items are rare. Therefore 30 % of the pieces begin at the start of an item.
            start = 0 if generator.random() < 0.3 else generator.integers(0, max(1, len(voice) - LENGTH))
            part = voice[start : start + LENGTH]
            features[: len(part), place] = values[start : start + LENGTH]
            truth[: len(part), place] = part
            importance[: len(part), place] = cost[start : start + LENGTH]
            importance[: PREPARED * (start > 0), place] = 0
        rate = peak * (0.5 + 0.5 * np.cos(np.pi * number / steps)) + 2e-5
        weights, first, second, value = step(weights, first, second, float(number), rate, features, truth, importance)
        sum_of_losses += float(value)
        if number % 500 == 0:
            print(f"{number} steps, {time.time() - begin:.0f} s: {sum_of_losses / 500:.4f}", flush=True)
            sum_of_losses = 0.0
    return {name: np.array(part) for name, part in weights.items()}, mean, scale


def f1(voice, truth):
    return 2 * (voice & truth).sum() / (voice.sum() + truth.sum())


def swift(weights, mean, scale):
    """The weights as Swift source."""
    def rows(values):
        lines, line = [], "    "
        for value in values:
            text = f"{float(f'{value:.4g}')}, "
            if len(line) + len(text.rstrip()) > 100:
                lines.append(line.rstrip())
                line = "    "
            line += text
        return "\n".join(lines + [line.rstrip().rstrip(",")])

    own = np.concatenate([np.zeros(2 * UNITS), weights["candidate"]])
    layers = [
        (weights["input"], weights["inputBias"]), (weights["recurrent"], weights["recurrentBias"]), (weights["state"], own),
        (weights["output"], weights["outputBias"] + BIAS)]
    return f"""/// The weights of the voice activity detector, fitted by `Benchmarks/voice/fit.py` to material that
/// `Benchmarks/voice/fitting_material.py` makes and names.
enum FittedWeights {{
{packed_weights.swift(layers)}
  // swift-format-ignore
  /// Mean of each feature over the training material.
  static let means: [Float] = [
{rows(mean)}
  ]

  // swift-format-ignore
  /// Standard deviation of each feature.
  static let deviations: [Float] = [
{rows(scale)}
  ]
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources")
    parser.add_argument("folder")
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=4000)
    arguments = parser.parse_args()
    recordings(False)  # ends the script now if the recordings are missing
    os.makedirs(arguments.folder, exist_ok=True)
    numbers = range(arguments.items)
    with multiprocessing.get_context("spawn").Pool() as pool:
        pool.map(make, [(arguments.sources, arguments.folder, number) for number in numbers], chunksize=4)
    build()
    paths = [os.path.join(arguments.folder, f"{number}.wav") for number in numbers]
    subprocess.run([PROGRAM, "voice-features", *paths], check=True)
    weights, mean, scale = fit(load(arguments.folder, [n for n in numbers if n % 8 != 0]), arguments.steps)
    kept = load(arguments.folder, [n for n in numbers if n % 8 == 0])
    voice = [np.array(logits(weights, ((values - mean) / scale)[:, None]))[:, 0] > -BIAS for values, _ in kept]
    voice, truth = np.concatenate(voice), np.concatenate([truth for _, truth in kept]) > 0
    print(f"kept back: F1 {f1(voice, truth):.3f}, accuracy {(voice == truth).mean():.3f}")
    with open(WEIGHTS, "w") as file:
        file.write(swift(weights, mean, scale))


if __name__ == "__main__":
    main()
