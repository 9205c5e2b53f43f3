"""The listeners for whom the default rule must meet its requirements: N1 to N7, S1 to S3, and eight
random audiograms.

    python3 Benchmarks/benefit/acceptance.py        prints the random audiograms

Tests/HearingFittingTests contains the printed values. Audiograms are lists of thresholds in dB HL
by frequency in Hz.
"""
import numpy as np

SEED = 31
STANDARD_FREQUENCIES = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]
# Source: Bisgaard, Vlaming & Dahlquist 2010.
STANDARD = {
    "N1": [10, 10, 10, 10, 10, 10, 15, 20, 30, 40], "N2": [20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50],
    "N3": [35, 35, 35, 35, 40, 45, 50, 55, 60, 65], "N4": [55, 55, 55, 55, 55, 60, 65, 70, 75, 80],
    "N5": [65, 67.5, 70, 72.5, 75, 80, 80, 80, 80, 80], "N6": [75, 77.5, 80, 82.5, 85, 90, 90, 95, 100, 100],
    "N7": [90, 92.5, 95, 100, 105, 105, 105, 105, 105, 105], "S1": [10, 10, 10, 10, 10, 10, 15, 30, 55, 70],
    "S2": [20, 20, 20, 22.5, 25, 35, 55, 75, 95, 95], "S3": [30, 30, 35, 47.5, 60, 70, 75, 80, 80, 85],
}
FREQUENCIES = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]


def random_audiograms(seed=SEED):
    random = np.random.default_rng(seed)
    octaves = np.log2(np.array(FREQUENCIES) / 250)
    steps = lambda values: [float(np.clip(5 * round(x / 5), 0, 110)) for x in values]
    scatter = lambda deviation=3: random.normal(0, deviation, len(FREQUENCIES))

    def slope(low, high, start=0):
        return low + (high - low) * np.clip((octaves - start) / (5 - start), 0, 1)

    found = {"mild": steps(slope(random.uniform(15, 25), random.uniform(35, 45)) + scatter())}
    notch = slope(random.uniform(5, 15), random.uniform(15, 25))
    notch = notch + random.uniform(35, 45) * np.exp(-(((octaves - 4) / 0.6) ** 2))
    found["notch"] = steps(notch + scatter())
    found["reverse"] = steps(slope(random.uniform(55, 65), random.uniform(20, 30)) + scatter())
    found["steep"] = steps(slope(random.uniform(10, 20), random.uniform(85, 100), 2) + scatter())
    found["flat"] = steps(random.uniform(45, 60) + scatter(4))
    found["severe"] = steps(slope(random.uniform(60, 70), random.uniform(85, 95)) + scatter())
    found["asymmetric-better"] = steps(slope(random.uniform(10, 20), random.uniform(40, 50)) + scatter())
    found["asymmetric-worse"] = steps(slope(random.uniform(40, 50), random.uniform(75, 85)) + scatter())
    return found


POINTS = {name: list(zip(map(float, STANDARD_FREQUENCIES), map(float, values))) for name, values in STANDARD.items()}
POINTS |= {name: list(zip(map(float, FREQUENCIES), values)) for name, values in random_audiograms().items()}


def thresholds(name, frequencies):
    """Thresholds in dB HL, interpolated linearly over log frequency.

    Beyond the first and the last point, the threshold is constant.
    """
    x, y = zip(*POINTS[name])
    return np.interp(np.log(frequencies), np.log(x), y)


if __name__ == "__main__":
    for name, values in random_audiograms().items():
        print(name, values)
