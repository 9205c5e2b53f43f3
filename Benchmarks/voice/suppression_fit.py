#!/usr/bin/env python3
"""Fits the network of the noise suppressor and writes its weights as Swift.

    python3 Benchmarks/voice/suppression_fit.py MATERIAL [--seed N] [--stage N]    from the package's folder

MATERIAL is the folder that `suppression_material.py` has written. Needs numpy and jax. The script
mixes speech and noise at random ratios and levels, with random microphone responses. It fits gains
per band with Adam by minimising the difference of compressed spectra (S. Braun & I. Tashev, "Data
augmentation and loss normalization for deep noise suppression", SPECOM 2020). Frames, bands and
network are those of `ShortTimeFrames`, `SpeechBands` and `SpeechNetwork` at 16 kHz.

With `--stage 3`, the fit begins with the weights in the package and runs stage 3. This is how the fit
continues with new material. The weights in the package come from stages 1 and 2 with an earlier version
of the material, without recorded short sounds, and from stage 3 with the present version.

The number of steps is fixed, and nothing depends on the time. The same material, seed and first weights
therefore give the same weights, except for rounding on other processors. The log with the hash of the
material is `suppression_fit.log`, beside this script. After every 500 steps, the weights are also
saved in MATERIAL/network.npz.
"""
import argparse, hashlib, os, time
import numpy as np
import jax
import jax.numpy as jnp
import packed_weights

RATE, HOP, LENGTH, SIZE = 16_000, 80, 400, 512
# The number of noise samples that have the same fraction in `noise.shares`; see
# `suppression_material.py`.
SEGMENT = 8 * RATE
BINS = SIZE // 2 + 1
UNITS = 64
# The number of mixtures in a step, and the number of frames of each mixture.
ITEMS, FRAMES = 32, 500
# For each stage of the training: the number of steps, the cost of missing speech relative to that of
# remaining noise, and the maximum learning rate.
STAGES = [(12_000, 2, 0.003), (4_000, 3, 0.0015), (5_000, 3, 0.001)]
# How fast the noise floor of a band follows a lower level (FALL) and a higher level (RISE): the
# fraction of the difference per frame.
FALL, RISE = 0.1, 0.004
# Spectra are stored as half floats. This factor avoids denormals.
SCALE = 256


def centers():
    """The centre frequencies of the bands in Hz.

    Their distance is 62.5 Hz up to 1 kHz. Above, it increases up to 7.8 kHz.
    """
    values = [31.25 + 62.5 * index for index in range(16)]
    while True:
        step = max(62.5, 0.108 * values[-1] - 30)
        if values[-1] + step > 7_850:
            return np.array(values)
        values.append(values[-1] + step)


CENTERS = centers()
BANDS = len(CENTERS)


def shares():
    """The weight of each bin in each band, [bin, band]. The weights of a bin add up to 1."""
    frequencies = np.arange(BINS) * RATE / SIZE
    place = np.interp(frequencies, CENTERS, np.arange(BANDS))
    below = np.minimum(place.astype(int), BANDS - 1)
    result = np.zeros((BINS, BANDS))
    rest = place - below
    result[np.arange(BINS), below] += 1 - rest
    result[np.arange(BINS), np.minimum(below + 1, BANDS - 1)] += rest
    return result


SHARES = jnp.array(shares(), jnp.float32)


def window():
    """The analysis window of `ShortTimeFrames`. It includes the scale factor of the spectra."""
    rise = LENGTH - HOP
    index = np.arange(LENGTH)
    angle = np.where(index < rise, (index + 0.5) / (2 * rise) - 0.5, (index - rise + 0.5) / (2 * HOP))
    value = np.cos(np.pi * angle)
    return value * np.sqrt(2 / (SIZE * (value**2).sum()))


def spectra(samples):
    """The spectra of all frames as pairs of half floats, [frame, bin, 2]."""
    shape, parts = window(), []
    samples = np.concatenate([np.zeros(LENGTH - HOP, "<i2"), samples])
    count = (len(samples) - LENGTH) // HOP + 1
    frames = np.lib.stride_tricks.sliding_window_view(samples, LENGTH)[::HOP][:count]
    result = np.empty((count, BINS, 2), np.float16)
    for start in range(0, count, 4_000):
        part = np.fft.rfft(frames[start : start + 4_000] / 32768 * shape, SIZE) * SCALE
        result[start : start + 4_000, :, 0], result[start : start + 4_000, :, 1] = part.real, part.imag
    return result


# The network

def initial(generator):
    def uniform(rows, columns, bound=None):
        bound = bound or np.sqrt(3 / rows)
        return generator.uniform(-bound, bound, (rows, columns)).astype("f4")

    def recurrent():
        blocks = [np.linalg.qr(generator.standard_normal((UNITS, UNITS)))[0] for _ in range(3)]
        return np.concatenate(blocks, 1).astype("f4")

    zeros = lambda count: np.zeros(count, "f4")
    return {
        "input": uniform(2 * BANDS, UNITS), "inputBias": zeros(UNITS),
        "first": uniform(UNITS, 3 * UNITS), "firstState": recurrent(), "firstBias": zeros(3 * UNITS), "firstCandidate": zeros(UNITS),
        "second": uniform(UNITS, 3 * UNITS), "secondState": recurrent(), "secondBias": zeros(3 * UNITS), "secondCandidate": zeros(UNITS),
        "output": uniform(2 * UNITS, BANDS), "outputBias": zeros(BANDS) + 1,
    }


def features(power):
    """The levels of the bands relative to a running level, then relative to the noise floor of each band.

    The result is [time, item, 2 * band]. `power` contains the powers of the bins.
    """
    bands = jnp.log2(power @ SHARES + 1e-12)
    level = jnp.log2(power.sum(-1) + 1e-12)

    def follow(states, values):
        (held, floor), (now, band) = states, values
        held = jnp.where(now > held, held + 0.1 * (now - held), held + 0.002 * (now - held))
        floor = floor + jnp.where(band < floor, FALL, RISE) * (band - floor)
        return (held, floor), (held, floor)

    _, (held, floor) = jax.lax.scan(follow, (level[0], bands[0]), (level, bands))
    relative = jnp.maximum((bands - held[..., None]) * 0.125 + 1, -1.5)
    return jnp.concatenate([relative, jnp.clip((bands - floor) * 0.125, -1.5, 3)], -1)


def recurrent(inputs, weights, name):
    """The output of a layer of gated recurrent units, [time, item, unit].

    Source of the units: K. Cho et al., EMNLP 2014.
    """
    state, candidate_bias = weights[name + "State"], weights[name + "Candidate"]
    projected = inputs @ weights[name] + weights[name + "Bias"]

    def step(held, now):
        own = held @ state
        update = jax.nn.sigmoid(now[:, :UNITS] + own[:, :UNITS])
        reset = jax.nn.sigmoid(now[:, UNITS : 2 * UNITS] + own[:, UNITS : 2 * UNITS])
        candidate = jnp.tanh(now[:, 2 * UNITS :] + reset * (own[:, 2 * UNITS :] + candidate_bias))
        held = candidate + update * (held - candidate)
        return held, held

    return jax.lax.scan(step, jnp.zeros((inputs.shape[1], UNITS)), projected, unroll=4)[1]


def gains(weights, power):
    """The gains of the bands, [time, item, band]."""
    inputs = jnp.tanh(features(power) @ weights["input"] + weights["inputBias"])
    first = recurrent(inputs, weights, "first")
    second = recurrent(first, weights, "second")
    return jax.nn.sigmoid(jnp.concatenate([first, second], -1) @ weights["output"] + weights["outputBias"])


def mix(batch):
    """The target of the suppression and the noisy mixture, both [time, item, bin, 2].

    The batch determines levels, ratios and microphone responses.
    """
    speech = batch["speech"].astype(jnp.float32) / SCALE
    noise = batch["noise"].astype(jnp.float32) / SCALE
    clean = speech * batch["speechShape"][None, :, :, None]
    noise = noise * batch["noiseShape"][None, :, :, None]
    return clean + noise * batch["share"][..., None, None], clean + noise


# The bins that the loss uses. At high frequencies, the loss uses fewer bins, because the bands of
# hearing are wider.
SCORED = np.concatenate([np.arange(0, 64), np.arange(64, 128, 2), np.arange(128, BINS, 3)])


def loss(weights, batch):
    clean, noisy = mix(batch)
    power = (noisy**2).sum(-1)
    level = batch["level"][None, :, None]
    estimate = gains(weights, power * level) @ SHARES[SCORED].T
    clean, noisy, power = clean[:, :, SCORED], noisy[:, :, SCORED], power[..., SCORED]
    clean_size = jnp.sqrt((clean**2).sum(-1) + 1e-10)
    noisy_size = jnp.sqrt(power + 1e-10)
    size = estimate * noisy_size
    compressed, target = (size + 1e-6) ** 0.3, clean_size**0.3
    difference = target - compressed
    # Missing speech costs more than remaining noise.
    magnitude = jnp.where(difference > 0, batch["missing"], 1.0) * difference**2
    scaled = noisy * (compressed / noisy_size)[..., None] - clean * (target / clean_size)[..., None]
    # The first frames are not scored, because the network has no earlier frames for them.
    return (0.7 * magnitude + 0.3 * (scaled**2).sum(-1))[10:].mean()


@jax.jit
def update(weights, means, squares, batch, step, rate):
    value, slopes = jax.value_and_grad(loss)(weights, batch)
    norm = jnp.sqrt(sum((slope**2).sum() for slope in slopes.values()))
    slopes = {name: slope * jnp.minimum(1, 0.5 / (norm + 1e-9)) for name, slope in slopes.items()}
    means = {name: 0.9 * means[name] + 0.1 * slope for name, slope in slopes.items()}
    squares = {name: 0.999 * squares[name] + 0.001 * slope**2 for name, slope in slopes.items()}
    first, second = 1 - 0.9**step, 1 - 0.999**step
    weights = {
        name: part - rate * (means[name] / first) / (jnp.sqrt(squares[name] / second) + 1e-8) for name, part in weights.items()}
    return weights, means, squares, value


judge = jax.jit(loss)


class Material:
    def __init__(self, folder, ending):
        self.hash = hashlib.sha256()
        for name in ("speech", "noise"):
            self.hash.update(open(os.path.join(folder, f"{name}{ending}.i16"), "rb").read())
        self.speech, self.noise = (
            spectra(np.fromfile(os.path.join(folder, f"{name}{ending}.i16"), "<i2")) for name in ("speech", "noise"))
        # The fraction of the noise that must remain in each frame.
        shares = np.fromfile(os.path.join(folder, f"noise{ending}.shares"), "<f4")
        self.shares = np.repeat(shares, SEGMENT // HOP)[: len(self.noise)]

    def draw(self, generator, items, frames, missing):
        def slices(whole, starts):
            return np.stack([whole[start : start + frames] for start in starts], 1)

        def microphone():
            octave = np.log2(np.maximum(np.arange(BINS) * RATE / SIZE, 31) / 31)
            level = generator.uniform(-2, 2, (items, 1)) * (octave - 4)
            for _ in range(2):
                turn = generator.uniform(0, 6.3, (items, 1)) + generator.uniform(0.3, 1.5, (items, 1)) * octave
                level = level + generator.uniform(0, 4, (items, 1)) * np.sin(turn)
            return 10 ** (level / 20)

        speech = generator.integers(0, len(self.speech) - frames, items)
        noise = generator.integers(0, len(self.noise) - frames, items)
        ratio = generator.uniform(-6, 22, items)
        ratio = np.where(generator.random(items) < 0.06, 45, ratio)
        has_speech = (generator.random(items) > 0.06)[:, None]
        narrow = np.where(generator.random(items) < 0.1, generator.choice([3_800, 5_500], items), 9_000)
        band = (np.arange(BINS)[None] * RATE / SIZE < narrow[:, None]) + 1e-4
        same = microphone() * band
        return {
            "speech": slices(self.speech, speech), "noise": slices(self.noise, noise),
            "share": slices(self.shares, noise),
            "speechShape": (has_speech * same).astype("f4"),
            "noiseShape": (same * microphone() * 10 ** (-ratio[:, None] / 20)).astype("f4"),
            "level": (10 ** (generator.uniform(-30, 15, items) / 10)).astype("f4"),
            "missing": np.float32(missing),
        }


# The file of the package with the weights.
SOURCE = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "Sources/HearingVoice/Generated/FittedSpeechWeights.swift")
# The network has two groups of inputs: the levels of the bands, and their levels above the noise
# floor. Each group begins at a multiple of four numbers.
STRIDE = (BANDS + 3) // 4 * 4
LAYERS = ("first", "second")


def write(weights):
    """Writes the weights as Swift source."""
    inputs = np.zeros((2 * STRIDE, UNITS))
    inputs[:BANDS], inputs[STRIDE : STRIDE + BANDS] = weights["input"][:BANDS], weights["input"][BANDS:]
    layers = [(inputs, weights["inputBias"])]
    for name in LAYERS:
        own = np.concatenate([np.zeros(2 * UNITS), np.array(weights[name + "Candidate"])])
        layers += [(weights[name], weights[name + "Bias"]), (weights[name + "State"], own)]
    layers.append((weights["output"], weights["outputBias"]))
    with open(SOURCE, "w") as file:
        file.write(f'''/// The weights of the speech network, fitted by `Benchmarks/voice/suppression_fit.py` to material that
/// `Benchmarks/voice/suppression_material.py` names, with licences that allow it.
enum FittedSpeechWeights {{
{packed_weights.swift(layers)}}}
''')


def read():
    """The weights in the package, rounded to 12 bits."""
    wide = (UNITS, 3 * UNITS)
    layers = packed_weights.read(open(SOURCE).read(), [(2 * STRIDE, UNITS), wide, wide, wide, wide, (2 * UNITS, BANDS)])
    inputs = layers[0][0]
    weights = {
        "input": np.concatenate([inputs[:BANDS], inputs[STRIDE : STRIDE + BANDS]]), "inputBias": layers[0][1],
        "output": layers[5][0], "outputBias": layers[5][1],
    }
    for index, name in enumerate(LAYERS):
        (own, biases), (state, candidate) = layers[1 + 2 * index : 3 + 2 * index]
        weights |= {name: own, name + "Bias": biases, name + "State": state, name + "Candidate": candidate[2 * UNITS :]}
    return {name: part.astype("f4") for name, part in weights.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--stage", type=int, default=1, choices=(1, 3), help="begin at this stage, with the weights in the package")
    options = parser.parse_args()
    log = open(os.path.splitext(os.path.abspath(__file__))[0] + ".log", "w" if options.stage == 1 else "a")

    def report(text):
        print(text, flush=True)
        print(text, file=log, flush=True)

    start = initial(np.random.default_rng(1)) if options.stage == 1 else read()
    weights = {name: jnp.array(part) for name, part in start.items()}
    zeros = {name: jnp.zeros_like(part) for name, part in weights.items()}
    material, kept = Material(options.material, ""), Material(options.material, "-kept")
    report(f"items {ITEMS}, frames {FRAMES}, seed {options.seed}\n{sum(part.size for part in weights.values())} weights, {BANDS} bands")
    report(f"SHA-256 of the material: {material.hash.hexdigest()}, for validation: {kept.hash.hexdigest()}")
    begin = time.time()
    for stage, (steps, missing, fastest) in list(enumerate(STAGES))[options.stage - 1 :]:
        report(f"stage {stage + 1}: {steps} steps, missing {missing}, rate {fastest}")
        batches = [kept.draw(np.random.default_rng(7 + index), 24, 800, missing) for index in range(4)]
        generator, means, squares, sums = np.random.default_rng(options.seed + stage), zeros, zeros, []
        for step in range(1, steps + 1):
            rate = fastest * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 1e-5
            batch = material.draw(generator, ITEMS, FRAMES, missing)
            weights, means, squares, value = update(weights, means, squares, batch, step, rate)
            sums.append(float(value))
            if step % 500 == 0:
                judged = np.mean([float(judge(weights, batch)) for batch in batches])
                report(f"step {step}: loss {np.mean(sums):.6f}, validation {judged:.6f}")
                print(f"{time.time() - begin:.0f} s", flush=True)
                sums = []
                np.savez(os.path.join(options.material, "network.npz"), **weights)
    write(weights)


if __name__ == "__main__":
    main()
