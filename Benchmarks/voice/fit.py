#!/usr/bin/env python3
"""Fits the weights of the voice activity detector and writes them as Swift.

    python3 Benchmarks/voice/fit.py FOLDER [--items 720]          from the package's folder

Makes the sound of `fitting_material.py` in FOLDER, runs `Benchmarks voice-features` to write the detector's features,
and fits one hidden layer by Adam on cross entropy. Deterministic except for rounding. One item in eight is the validation
set.
"""
import argparse, os, subprocess
import multiprocessing
import numpy as np
import scipy.io.wavfile
from detectors import PACKAGE, build
from fitting_material import RATE, item

INPUTS, HIDDEN = 53, 24
# Added to the output: a false alarm is better than a miss.
BIAS = 0.4

WEIGHTS = os.path.join(PACKAGE, "..", "Sources", "HearingVoice", "Activity", "FittedWeights.swift")


def make(task):
    folder, number = task
    path = os.path.join(folder, f"{number}.wav")
    if not os.path.exists(path) or not os.path.exists(path[:-4] + ".npy"):
        sound, truth = item(number)
        scipy.io.wavfile.write(path, RATE, sound.astype("f4"))
        np.save(path[:-4] + ".npy", truth)


def load(folder, numbers):
    features, truth, weights = [], [], []
    for number in numbers:
        path = os.path.join(folder, f"{number}.wav")
        values = np.fromfile(path + ".features", "<f4").reshape(-1, INPUTS)
        voice = np.load(path[:-4] + ".npy")[: len(values)]
        features.append(values)
        truth.append(voice)
        # The first two seconds have a higher weight, because they are rare.
        weights.append(np.where(np.arange(len(values)) < 200, 1.6, 1.0))
    return np.concatenate(features), np.concatenate(truth).astype("f4"), np.concatenate(weights).astype("f4")


class Network:
    def __init__(self, features, generator):
        self.mean, self.scale = features.mean(0), features.std(0) + 1e-3
        self.parts = [
            (generator.standard_normal((INPUTS, HIDDEN)) * 0.3).astype("f4"), np.zeros(HIDDEN, "f4"),
            (generator.standard_normal(HIDDEN) * 0.3).astype("f4"), np.zeros(1, "f4")]

    def outputs(self, inputs):
        w, b, v, c = self.parts
        sums = inputs @ w + b
        hidden = sums / (1 + np.abs(sums))
        return sums, hidden, hidden @ v + c

    def logits(self, features):
        return self.outputs(((features - self.mean) / self.scale).astype("f4"))[2]

    def gradients(self, inputs, truth, weights):
        w, b, v, c = self.parts
        sums, hidden, logit = self.outputs(inputs)
        error = (1 / (1 + np.exp(-logit)) - truth) * weights / len(truth)
        back = np.outer(error, v) / (1 + np.abs(sums)) ** 2
        return [inputs.T @ back + 2e-6 * w, back.sum(0), hidden.T @ error, error.sum(keepdims=True)]


def fit(features, truth, weights, epochs=8, peak=0.006):
    """Adam with a learning rate that falls from its peak to zero on a cosine."""
    generator = np.random.default_rng(1)
    network = Network(features, generator)
    inputs = ((features - network.mean) / network.scale).astype("f4")
    first = [np.zeros_like(part) for part in network.parts]
    second = [np.zeros_like(part) for part in network.parts]
    size = 2048
    step, total = 0, epochs * (len(inputs) // size)
    for _ in range(epochs):
        order = generator.permutation(len(inputs))
        for place in range(0, len(order) - size + 1, size):
            chosen = order[place : place + size]
            step += 1
            rate = peak * (0.5 + 0.5 * np.cos(np.pi * step / total)) + 1e-5
            for index, slope in enumerate(network.gradients(inputs[chosen], truth[chosen], weights[chosen])):
                first[index] += 0.1 * (slope - first[index])
                second[index] += 0.001 * (slope**2 - second[index])
                network.parts[index] -= (
                    rate * (first[index] / (1 - 0.9**step)) / (np.sqrt(second[index] / (1 - 0.999**step)) + 1e-8))
    return network


def f1(voice, truth):
    return 2 * (voice & truth).sum() / (voice.sum() + truth.sum())


def swift(network):
    """The Swift source of the weights; the threshold is shifted so that misses and alarms at +5 dB balance."""
    w, b, v, c = network.parts
    numbers = np.concatenate([w.ravel(), b, v, c + BIAS])
    steps = np.round(numbers * 1024).astype(int)
    assert np.abs(steps).max() < 32768

    def rows(values, indent):
        lines, line = [], " " * indent
        for value in values:
            text = f"{value}, "
            if len(line) + len(text.rstrip()) > 100:
                lines.append(line.rstrip())
                line = " " * indent
            line += text
        return "\n".join(lines + [line.rstrip().rstrip(",")])

    measures = [np.array([float(f"{value:.4g}") for value in values]) for values in (network.mean, network.scale)]
    return f"""/// The weights of the voice activity detector, fitted by `Benchmarks/voice/fit.py`.
///
/// Fitted to synthetic and recorded speech in noise, hum, babble and music that the script generates.
/// The comparison beside it scores other voices, recordings and sentences, in noise from the same
/// generators with other seeds.
enum FittedWeights {{
  /// Weights for features of mean 0 and deviation 1: the hidden layer `[feature][unit]`, its biases,
  /// the output's weights, the output's bias.
  static var numbers: [Float] {{ steps.map {{ Float($0) / 1_024 }} }}

  // swift-format-ignore
  /// Mean of each feature over the training material.
  static let means: [Float] = [
{rows(measures[0], 4)}
  ]

  // swift-format-ignore
  /// Standard deviation of each feature.
  static let deviations: [Float] = [
{rows(measures[1], 4)}
  ]

  // swift-format-ignore
  private static let steps: [Int16] = [
{rows(steps, 4)}
  ]
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--items", type=int, default=720)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    numbers = range(arguments.items)
    with multiprocessing.Pool() as pool:
        pool.map(make, [(arguments.folder, number) for number in numbers], chunksize=4)
    build()
    program = os.path.join(PACKAGE, ".build", "release", "Benchmarks")
    paths = [os.path.join(arguments.folder, f"{number}.wav") for number in numbers]
    subprocess.run([program, "voice-features", *paths], check=True)
    network = fit(*load(arguments.folder, [n for n in numbers if n % 8 != 0]))
    features, truth, _ = load(arguments.folder, [n for n in numbers if n % 8 == 0])
    voice = network.logits(features) > -BIAS
    print(f"kept back: F1 {f1(voice, truth > 0):.3f}, accuracy {(voice == (truth > 0)).mean():.3f}")
    with open(WEIGHTS, "w") as file:
        file.write(swift(network))


if __name__ == "__main__":
    main()
