"""Predicts output levels and the Speech Intelligibility Index of the rule "comfortable-speech" for thousands of candidates.

The rule's equation (`Sources/HearingFitting/Rules/Comfortable.swift`), the standard limits that change its gain, and the
levels of noise and speech in third-octaves give the gain in every band, without rendering. The processor's level detector
stands above the RMS of a sound because its attack is short and its release long: `NOISE_PEAK` and `SPEECH_PEAK` dB, chosen
so that the predicted output levels of the rule agree with rendered ones (release 0.8 s).

All arrays of candidates have the shape (candidates, bands).
"""
import numpy as np

NOISE_PEAK, SPEECH_PEAK = 2.5, 8.0
CENTERS = np.array([125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000], float)
THIRDS = np.array([63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000,
                   6300, 8000, 10000, 12500, 16000], float)
# Byrne et al. 1994, at 65 dB SPL overall.
SPEECH = np.array([38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1, 46.8,
                   45.6, 44.5, 44.3, 43.7, 43.4, 41.3, 40.7]) - 5
THRESHOLDS_AT = np.array([250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000], float)
# Bisgaard, Vlaming & Dahlquist 2010.
THRESHOLDS = {
    "N2": [20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50], "N3": [35, 35, 35, 35, 40, 45, 50, 55, 60, 65],
    "N4": [55, 55, 55, 55, 55, 60, 65, 70, 75, 80], "S2": [20, 20, 20, 22.5, 25, 35, 55, 75, 95, 95],
}
# Speech Intelligibility Index, ANSI S3.5-1997, third-octave method, table 3: importance, internal noise, standard speech.
SII_CENTERS = THIRDS[4:22]
SII_IMPORTANCE = np.array([
    0.0083, 0.0095, 0.0150, 0.0289, 0.0440, 0.0578, 0.0653, 0.0711, 0.0818, 0.0844, 0.0882, 0.0898, 0.0868, 0.0844,
    0.0771, 0.0527, 0.0364, 0.0185])
SII_INTERNAL = np.array([
    0.6, -1.7, -3.9, -6.1, -8.2, -9.7, -10.8, -11.9, -12.5, -13.5, -15.4, -17.7, -21.2, -24.2, -25.9, -23.6, -15.8, -7.1])
SII_NORMAL = np.array([
    32.41, 34.48, 34.75, 33.98, 34.59, 34.27, 32.06, 28.30, 25.01, 23.00, 20.15, 17.32, 13.18, 11.55, 9.33, 5.31, 2.59,
    1.13])


def edges(centers, low, high):
    return np.concatenate([[low], np.sqrt(centers[:-1] * centers[1:]), [high]])


THIRD_EDGES = edges(THIRDS, 63 * 2 ** (-1 / 6), 16000 * 2 ** (1 / 6))
BAND_EDGES = edges(CENTERS, 0, 1e9)
SHARE = np.maximum(0, np.minimum(THIRD_EDGES[1:, None], BAND_EDGES[None, 1:])
                   - np.maximum(THIRD_EDGES[:-1, None], BAND_EDGES[None, :-1])) / np.diff(THIRD_EDGES)[:, None]


def decibels(power):
    return 10 * np.log10(power + 1e-12)


def total(levels):
    return decibels(np.sum(10 ** (levels / 10), axis=-1))


def band_levels(thirds):
    return decibels(10 ** (thirds / 10) @ SHARE)


SPEECH_BANDS = band_levels(SPEECH)


def on_log_frequency(f, x, y):
    return np.interp(np.log(f), np.log(x), y)


def linear_rules(audiogram):
    """Thresholds in the bands, NAL-RP (for thresholds below 95 dB HL at 2 kHz) and CAMFIT linear."""
    loss = on_log_frequency(CENTERS, THRESHOLDS_AT, THRESHOLDS[audiogram])
    average = np.mean(on_log_frequency([500, 1000, 2000], THRESHOLDS_AT, THRESHOLDS[audiogram]))
    nal = 0.15 * average + 0.31 * loss + 0.2 * max(0, average - 60) + on_log_frequency(
        CENTERS, [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000], [-17, -8, -3, 1, 1, -1, -2, -2, -2])
    camfit = 0.48 * loss + on_log_frequency(
        CENTERS, [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000], [-11, -10, -8, -6, 0, -1, 1, -1, 0, 1])
    return loss, np.maximum(0, nal), np.maximum(0, camfit)


def nal_r(audiogram, levels):
    """The gain of NAL-R (NAL-RP is the same up to a mean loss of 60 dB) at any level."""
    return np.broadcast_to(linear_rules(audiogram)[1], (1, len(CENTERS)))


def gains(audiogram, candidates, levels):
    """The gain in dB of every candidate in every band, at band levels in dB SPL, within the standard limits.

    In place of candidates, the function of a published rule.
    """
    if callable(candidates):
        return candidates(audiogram, levels)
    loss, nal, camfit = linear_rules(audiogram)
    of = lambda name: np.asarray(candidates[name], float).reshape(-1, 1)
    fade = np.clip((loss - 10) / 10, 0, 1)
    highest = np.arange(len(CENTERS)) == len(CENTERS) - 1
    high = np.clip(np.log2(CENTERS / 500) / np.log2(3), 0, 1)
    extra = of("lowExtraGain") + high * (of("extraGain") - of("lowExtraGain")) - highest * of("highestBandCut")
    speech_gain = np.maximum(0, of("camfitShare") * camfit + (1 - of("camfitShare")) * nal + fade * extra
                             - of("profoundCut") * np.maximum(0, loss - 90))
    slope = 1 / np.clip(1 + (loss - 20) / of("ratioLoss"), 1, of("maximumRatio")) - 1
    knee = SPEECH_BANDS - np.where(highest, of("highestKneeBelowSpeech"), of("kneeBelowSpeech"))

    def rule(x):
        line = speech_gain + (x - SPEECH_BANDS) * slope
        return np.maximum(0, np.minimum(np.minimum(line, of("maximumGain")), of("maximumOutput") - x))

    def expanded(x):
        below = np.maximum(0, np.minimum(rule(x), rule(knee) + of("expansionSlope") * (x - knee)))
        return np.where(x < knee, below, rule(x))

    def limited(x):
        standard = SPEECH_BANDS - 20
        below = np.maximum(0, np.minimum(expanded(x), expanded(standard) + 2 * (x - standard)))
        return np.where(x < standard, below, expanded(x))

    levels = np.broadcast_to(levels, (len(speech_gain), len(CENTERS)))
    result = limited(levels)
    for band, nearest in ((0, 1), (10, 9)):
        shifted = levels.copy()
        shifted[:, nearest] = levels[:, band] - SPEECH_BANDS[band] + SPEECH_BANDS[nearest]
        result[:, band] = np.minimum(result[:, band], limited(shifted)[:, nearest])
    return result


def output(audiogram, candidates, thirds, peak):
    """Third-octave levels in dB SPL after processing."""
    gain = gains(audiogram, candidates, band_levels(thirds) + peak)
    x = np.log(CENTERS)
    at = np.clip(np.log(THIRDS), x[0], x[-1])
    index = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    weight = (at - x[index]) / (x[index + 1] - x[index])
    return thirds + gain[:, index] * (1 - weight) + gain[:, index + 1] * weight


def noise(kind, level):
    """Third-octave levels of pink or white noise from 20 Hz to 20 kHz; the outermost ones hold the rest."""
    bounds = THIRD_EDGES.copy()
    bounds[0], bounds[-1] = 20, 20000
    width = np.diff(bounds) if kind == "white" else np.diff(np.log(bounds))
    return decibels(width / width.sum()) + level


def thirds_of(samples, rate, full_scale):
    power = np.abs(np.fft.rfft(samples)) ** 2 * 2 / len(samples) ** 2
    f = np.fft.rfftfreq(len(samples), 1 / rate)
    sums = [power[(f >= low) & (f < high)].sum() for low, high in zip(THIRD_EDGES, THIRD_EDGES[1:])]
    return np.maximum(full_scale + 10 * np.log10(np.array(sums) + 1e-20), -20)


def sii(speech, masker, audiogram):
    """The index of every candidate from third-octave levels at `SII_CENTERS` in dB SPL of speech and noise (or None)."""
    width = 10 * np.log10(SII_CENTERS * (2 ** (1 / 6) - 2 ** (-1 / 6)))
    e = speech - width
    n = masker - width if masker is not None else np.full_like(e, -80)
    loss = np.interp(np.log(SII_CENTERS), np.log(THRESHOLDS_AT), THRESHOLDS[audiogram])
    masking = np.maximum(n, e - 24)
    slope = -80 + 0.6 * (masking + 10 * np.log10(SII_CENTERS) - 6.353)
    spread = np.zeros_like(e)
    for i in range(len(SII_CENTERS)):
        power = 10 ** (n[:, i] / 10)
        if i > 0:
            distance = np.log10(0.89 * SII_CENTERS[i] / SII_CENTERS[:i])
            power = power + np.sum(10 ** (0.1 * (masking[:, :i] + 3.32 * slope[:, :i] * distance)), axis=1)
        spread[:, i] = 10 * np.log10(power)
    disturbance = np.maximum(spread, SII_INTERNAL + loss)
    distortion = np.minimum(1 - (e - SII_NORMAL - 10) / 160, 1)
    return np.sum(SII_IMPORTANCE * distortion * np.clip((e - disturbance + 15) / 30, 0, 1), axis=1)


def predicted(candidates, one, average, louder, levels, snr):
    """What the search compares, for every candidate.

    `one`: third-octaves of the sentence whose rendered levels are `louder` ({audiogram: dB SPL, by the louder of NAL-R and
    CAMFIT compressive}); `average`: those of all talkers; both at 65 dB SPL. The constraints have a margin of 0.5 to 1 dB
    for errors of the prediction.
    """
    violation, excess, quiet, noisy, rooms = 0.0, [], [], [], []
    for audiogram in THRESHOLDS:
        after = output(audiogram, candidates, one, SPEECH_PEAK)
        speech = total(after)
        excess.append(speech - louder[audiogram])
        room = total(output(audiogram, candidates, noise("pink", 30), NOISE_PEAK))
        rooms.append(room)
        violation = violation + np.maximum(0, room - 56)
        violation = violation + np.maximum(
            0, total(output(audiogram, candidates, noise("white", 30), NOISE_PEAK)) - 59.5)
        pink = total(output(audiogram, candidates, noise("pink", 50), NOISE_PEAK))
        violation = violation + np.maximum(0, pink - speech - (2 if audiogram == "S2" else -1))
        violation = violation + np.maximum(0, after[:, 19:].max(axis=1) - after[:, :19].max(axis=1) + 1)
        for level in levels:
            clean, disturbing = average + level - 65, average + level - 65 - snr
            after_quiet = output(audiogram, candidates, clean, SPEECH_PEAK)[:, 4:22]
            quiet.append(sii(after_quiet, None, audiogram))
            mixture = decibels(10 ** (clean / 10) + 10 ** (disturbing / 10))
            gain = (output(audiogram, candidates, mixture, SPEECH_PEAK) - mixture)[:, 4:22]
            noisy.append(sii(clean[4:22] + gain, disturbing[4:22] + gain, audiogram))
    return {
        "violation": violation, "excess": np.max(excess, axis=0), "quiet": np.mean(quiet, axis=0),
        "noise": np.mean(noisy, axis=0), "room": np.mean(rooms, axis=0)}
