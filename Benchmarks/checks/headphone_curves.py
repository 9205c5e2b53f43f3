"""Frequency responses and filter sections for the checks of headphone corrections."""
import numpy as np

RATE = 48_000
GRID = 20 * 2 ** (np.arange(int(24 * np.log2(800)) + 1) / 24)
INNER = (GRID >= 50) & (GRID <= 10_000)


def section(kind, frequency, gain, quality):
    """The gain in dB of a biquad of the audio equaliser cookbook, on the frequency grid."""
    a, w = 10 ** (gain / 40), 2 * np.pi * frequency / RATE
    c, alpha = np.cos(w), np.sin(w) / (2 * quality)
    root = 2 * np.sqrt(a) * alpha
    if kind == "PK":
        b, d = (1 + alpha * a, -2 * c, 1 - alpha * a), (1 + alpha / a, -2 * c, 1 - alpha / a)
    elif kind == "LSC":
        b = a * (a + 1 - (a - 1) * c + root), 2 * a * (a - 1 - (a + 1) * c), a * (a + 1 - (a - 1) * c - root)
        d = a + 1 + (a - 1) * c + root, -2 * (a - 1 + (a + 1) * c), a + 1 + (a - 1) * c - root
    else:
        b = a * (a + 1 + (a - 1) * c + root), -2 * a * (a - 1 + (a + 1) * c), a * (a + 1 + (a - 1) * c - root)
        d = a + 1 - (a - 1) * c + root, 2 * (a - 1 - (a + 1) * c), a + 1 - (a - 1) * c - root
    z = np.exp(-2j * np.pi * GRID / RATE)
    return 20 * np.log10(abs((b[0] + b[1] * z + b[2] * z * z) / (d[0] + d[1] * z + d[2] * z * z)))


def wanted(points):
    """The gains in dB, on the frequency grid, that make a response flat.

    They are limited to 12 dB, and to 6 dB above 10 kHz.
    """
    levels = np.interp(np.log(GRID), np.log(points[:, 0]), points[:, 1])
    gains = levels[INNER].mean() - levels
    return np.minimum(gains, np.where(GRID > 10_000, 6, 12))


def made(seed):
    """A random response, similar to that of a headphone, as points of Hz and dB."""
    generator = np.random.default_rng(seed)
    octaves = np.log2(20) + np.arange(481) / 48
    level = 90 + generator.uniform(-4, 4) * (octaves - 10) / 5
    level += generator.uniform(-10, 6) / (1 + np.exp((octaves - 7) * 3))
    for low, high, depth, height, narrow, wide, count in [(6, 10, -5, 5, 0.6, 1.5, 4), (10.5, 13.5, -6, 8, 0.25, 0.6, 3)]:
        for _ in range(count):
            center, gain, width = (generator.uniform(*ends) for ends in ((low, high), (depth, height), (narrow, wide)))
            level += gain * np.exp(-((octaves - center) / width) ** 2)
    return np.column_stack([2 ** octaves, level])
