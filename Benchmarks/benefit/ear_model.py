"""The ear model of HASPI, HASQI and HAAQI. It is several times as fast as pyclarity's.

    import ear_model
    ear_model.install()         # then use pyclarity's haspi_v2, hasqi_v2 and haaqi_v1 as usual

    venv/bin/python Benchmarks/benefit/ear_model.py          compares the scores with those of pyclarity

The equations and constants are those of pyclarity (MIT licence). Functions of pyclarity that are
fast enough are called directly. The reference and the processed signal pass through the model
separately. Therefore a reference is computed only once for all systems that are compared with it. A
processed signal is computed only once for HASPI and HASQI. HASPI does not use the motion of the
basilar membrane, so the motion is not computed for HASPI. The generator of the noise at the
threshold of hearing is seeded with 1 for every score.
"""
import collections, hashlib

import numba
import numpy as np
import scipy.fft
from scipy.signal import butter, oaconvolve

from clarity.enhancer.nalr import NALR
from clarity.evaluator.haspi import eb, ebm
from clarity.evaluator.haspi import haspi as haspi_module
from clarity.utils.audiogram import Audiogram

MODEL_RATE = 24000.0
AUDIOMETRIC = np.array([250, 500, 1000, 2000, 4000, 6000])


@numba.njit(cache=True)
def gammatone(x, bandwidth, center):
    """Envelope and motion of the basilar membrane in one band; see `gammatone_basilar_membrane` of pyclarity."""
    step = 2 * np.pi / 24000.0
    a = np.exp(-bandwidth * step * (24.7 + center / 9.26449) * 1.019)
    a1, a2, a3, a4, a5 = 4 * a, -6 * a * a, 4 * a * a * a, -a * a * a * a, 4 * a * a
    gain = 2 * (1 - a1 - a2 - a3 - a4) / (1 + a1 + a5)
    cos_n, sin_n = np.cos(step * center), np.sin(step * center)
    c, s = 1.0, 0.0
    r0 = r1 = r2 = r3 = i0 = i1 = i2 = i3 = 0.0
    envelope, motion = np.empty(len(x)), np.empty(len(x))
    for n in range(len(x)):
        if n > 0:
            c, s = c * cos_n + s * sin_n, s * cos_n - c * sin_n
        xr, xi = x[n] * c, x[n] * s
        real, imaginary = xr + r0, xi + i0
        r0 = a1 * xr + a1 * real + r1
        r1 = a5 * xr + a2 * real + r2
        r2 = a3 * real + r3
        r3 = a4 * real
        i0 = a1 * xi + a1 * imaginary + i1
        i1 = a5 * xi + a2 * imaginary + i2
        i2 = a3 * imaginary + i3
        i3 = a4 * imaginary
        motion[n] = gain * (real * c + imaginary * s)
        envelope[n] = gain * np.sqrt(real * real + imaginary * imaginary)
    return envelope, motion


@numba.njit(cache=True)
def compress(envelope, motion, control, attenuation, knee, ratio, level1, b, a):
    """Compresses in place, like the outer hair cells.

    See `env_compress_basilar_membrane` of pyclarity.
    """
    last_input, last_output = 0.0, 0.0
    for n in range(len(envelope)):
        level = level1 + 20 * np.log10(max(control[n], 1e-30))
        level = max(min(level, 100.0), knee)
        gain = 10 ** ((-attenuation - (level - knee) * (1 - 1 / ratio)) / 20)
        last_output = b * (gain + last_input) - a * last_output
        last_input = gain
        envelope[n] *= last_output
        motion[n] *= last_output


class Side:
    """One signal after the filter bank and the compression of the outer hair cells."""

    def __init__(self, samples, loss, level1):
        centers = eb.center_frequency(32)
        control_centers = eb.center_frequency(32, None)
        ohc, narrowest, knee, ratio, self.ihc = eb.loss_parameters(loss, centers)
        _, widest, _, _, _ = eb.loss_parameters(np.full(6, 100), control_centers)
        b, a = butter(1, 800 / (0.5 * MODEL_RATE))
        samples = np.ascontiguousarray(eb.middle_ear(samples, MODEL_RATE))
        self.level1 = level1
        self.envelope, self.motion = np.empty((32, len(samples))), np.empty((32, len(samples)))
        self.bandwidth, average, control_average = np.zeros(32), np.zeros(32), np.zeros(32)
        for n in range(32):
            control, _ = gammatone(samples, widest[n], control_centers[n])
            self.bandwidth[n] = eb.bandwidth_adjust(control, narrowest[n], widest[n], level1)
            envelope, motion = gammatone(samples, self.bandwidth[n], centers[n])
            average[n] = np.sqrt(np.mean(envelope**2))
            control_average[n] = np.sqrt(np.mean(control**2))
            compress(envelope, motion, control, ohc[n], knee[n], ratio[n], level1, b[0], a[1])
            self.envelope[n], self.motion[n] = envelope, motion
        self.sensation_level = eb.convert_rms_to_sl(
            average, control_average, ohc, knee, ratio, self.ihc, level1)
        self.transforms = {}

    def transform(self, name, size):
        if name not in self.transforms:
            self.transforms[name] = scipy.fft.rfft(getattr(self, name), size, axis=1)
        return self.transforms[name]

    def aligned(self, name, reference):
        """The bands, aligned with the reference.

        Each band is shifted by up to 100 ms, so that its correlation with the reference's band is
        maximal.
        """
        count = self.envelope.shape[1]
        lags = min(int(np.rint(0.1 * MODEL_RATE)), count)
        size = scipy.fft.next_fast_len(count + lags, real=True)
        spectrum = reference.transform(name, size) * np.conj(self.transform(name, size))
        correlation = scipy.fft.irfft(spectrum, size, axis=1, overwrite_x=True)
        # The lags are 1 - `lags` to `lags`, as in `envelope_align` of pyclarity.
        correlation = np.concatenate([correlation[:, size - lags + 1 :], correlation[:, : lags + 1]], axis=1)
        result = np.zeros_like(self.envelope)
        for n, position in enumerate(np.argmax(correlation, axis=1)):
            delay = lags - int(position) - 1
            row = getattr(self, name)[n]
            if delay > 0:
                result[n, : count - delay] = row[delay:]
            else:
                result[n, -delay:] = row[: count + delay]
        return result

    def haircells(self, envelope, motion):
        """The envelope in dB above threshold and the motion, after the inner hair cells."""
        level, moved = np.empty_like(envelope), np.empty_like(motion)
        for n in range(32):
            above, scaled = eb.envelope_sl(envelope[n], motion[n], self.ihc[n], self.level1)
            level[n], moved[n] = eb.inner_hair_cell_adaptation(above, scaled, 2, MODEL_RATE)
        return level, moved


class Recent:
    """A cache of values by key.

    If the cache is full, it removes the value that was not used for the longest time.
    """

    def __init__(self, count):
        self.count, self.values = count, collections.OrderedDict()

    def value(self, key, make):
        if key not in self.values:
            while len(self.values) >= self.count:
                self.values.popitem(last=False)
            self.values[key] = make()
        self.values.move_to_end(key)
        return self.values[key]


references, processeds, noises = Recent(6), Recent(1), Recent(1)


def key(samples, *rest):
    return hashlib.sha256(np.ascontiguousarray(samples).tobytes() + repr(rest).encode()).hexdigest()


def noise(shape):
    """The noise for the reference and for the processed signal.

    The generator is seeded with 1. It first generates the noise for the reference, and continues
    with the noise for the processed signal.
    """
    def make():
        np.random.seed(1)
        pair = np.random.standard_normal(shape), np.random.standard_normal(shape)
        return pair, np.random.get_state()

    pair, state = noises.value(shape, make)
    np.random.set_state(state)
    return pair


def ear_model(reference, reference_freq, processed, processed_freq, hearing_loss, itype, level1, nchan=32, m_delay=1,
              shift=None):
    """Replaces pyclarity's function of the same name.

    Supports only 32 bands without basal shift.
    """
    assert nchan == 32 and m_delay == 1 and shift is None
    loss = np.asarray(hearing_loss, float)
    x, _ = eb.resample_24khz(reference, reference_freq)
    y, _ = eb.resample_24khz(processed, processed_freq)
    count = min(len(x), len(y))
    x, y = eb.input_align(x[:count], y[:count])
    count = len(x)

    def reference_side():
        samples = x
        if itype == 1:
            enhancer = NALR(140, MODEL_RATE)
            fir, _ = enhancer.build(Audiogram(levels=loss, frequencies=AUDIOMETRIC))
            samples = enhancer.apply(fir, x)[140 : 140 + count]
        side = Side(samples, np.zeros(6) if itype == 0 else loss, level1)
        return side, side.haircells(side.envelope, side.motion)

    first, (first_level, first_motion) = references.value(
        key(x, itype, None if itype == 0 else list(loss), level1), reference_side)
    second = processeds.value(key(y, list(loss), level1), lambda: Side(y, loss, level1))
    envelope = second.aligned("envelope", first)
    motion = second.aligned("motion", first) if itype != 0 else envelope
    second_level, second_motion = second.haircells(envelope, motion)
    centers = eb.center_frequency(32)
    compensated = lambda rows: eb.group_delay_compensate(rows, first.bandwidth, centers, MODEL_RATE)
    gain = 10 ** ((-10 - level1) / 20)
    noise_x, noise_y = noise(first_level.shape)
    motions = (None, None)
    if itype != 0:
        motions = compensated(first_motion + gain * noise_x), compensated(second_motion + gain * noise_y)
    return (
        compensated(first_level), motions[0], compensated(second_level), motions[1], first.sensation_level,
        second.sensation_level, MODEL_RATE)


@numba.njit(cache=True, fastmath=True)
def covariance(x, y, window, first_window, lag, nseg):
    """Cross-covariance and mean squares of windowed segments; see `bm_covary` of pyclarity."""
    nwin = len(window)
    nhalf = nwin // 2
    cov, ref, pro = np.zeros((x.shape[0], nseg)), np.zeros((x.shape[0], nseg)), np.zeros((x.shape[0], nseg))
    a, b = np.zeros(nwin), np.zeros(nwin)
    for n in range(nseg):
        if n == 0:
            w, start, size = first_window, 0, nhalf
        elif n == nseg - 1:
            w, start, size = window[:nhalf], n * nhalf, nhalf
        else:
            w, start, size = window, n * nhalf, nwin
        norms = np.zeros(2 * lag + 1)
        for shift in range(-lag, lag + 1):
            for i in range(max(0, shift), min(size, size + shift)):
                norms[shift + lag] += w[i] * w[i - shift]
        power = norms[lag]
        for k in range(x.shape[0]):
            ma, mb = 0.0, 0.0
            for i in range(size):
                a[i] = x[k, start + i] * w[i]
                b[i] = y[k, start + i] * w[i]
                ma += a[i]
                mb += b[i]
            ma, mb = ma / size, mb / size
            sa, sb = 0.0, 0.0
            for i in range(size):
                a[i] -= ma
                b[i] -= mb
                sa += a[i] * a[i]
                sb += b[i] * b[i]
            best = 0.0
            for shift in range(-lag, lag + 1):
                total = 0.0
                for i in range(max(0, shift), min(size, size + shift)):
                    total += a[i] * b[i - shift]
                best = max(best, abs(total / norms[shift + lag]))
            ref[k, n], pro[k, n] = sa / power, sb / power
            if ref[k, n] > 1e-30 and pro[k, n] > 1e-30:
                cov[k, n] = best / np.sqrt(ref[k, n] * pro[k, n])
    return cov, ref, pro


def bm_covary(reference, processed, segment_size, sample_rate):
    """Replaces pyclarity's function of the same name."""
    lag = int(np.around(0.001 * sample_rate))
    nwin = int(np.around(segment_size * (0.001 * sample_rate)))
    nwin += nwin % 2
    window = np.hanning(nwin)
    npts = reference.shape[1]
    nseg = int(1 + np.floor(npts / nwin) + np.floor((npts - nwin / 2) / nwin))
    cov, ref, pro = covariance(
        np.ascontiguousarray(reference), np.ascontiguousarray(processed), window, window[nwin // 2 :].copy(), lag, nseg)
    return np.clip(cov, 0, 1), 2 * ref, 2 * pro


def install():
    """Replaces the slow functions of pyclarity in this process."""
    eb.ear_model = haspi_module.ear_model = ear_model
    eb.bm_covary = bm_covary
    eb.sum = np.sum
    ebm.convolve2d = lambda x, h, mode: oaconvolve(x, h, mode, axes=0)


def compare():
    """Compares the scores of pyclarity and of this model for a synthetic sentence.

    The scored signals are the sentence itself, a noisy copy, and a delayed and filtered copy.
    """
    import time, warnings
    from clarity.evaluator.haaqi import haaqi_v1
    from clarity.evaluator.haspi import haspi_v2
    from clarity.evaluator.hasqi import hasqi_v2
    warnings.simplefilter("ignore")
    random = np.random.default_rng(3)
    time_axis = np.arange(16000) / 16000
    reference = 0.018 * sum(
        np.sin(2 * np.pi * 120 * k * time_axis) / k for k in range(1, 50)) * (1 + np.sin(2 * np.pi * 4 * time_axis))
    signals = [reference + 0.004 * random.standard_normal(len(reference)),
               np.convolve(np.concatenate([np.zeros(60), reference]), [1, -0.7])[: len(reference)] * 2]
    listeners = [Audiogram(levels=np.array(levels, float), frequencies=AUDIOMETRIC)
                 for levels in ([35, 35, 40, 50, 60, 65], [20, 20, 25, 55, 95, 95])]

    def scores(signals, listeners):
        values = []
        for signal in signals:
            for listener in listeners:
                for function, options in [(haspi_v2, {}), (hasqi_v2, {"equalisation": 1}), (haaqi_v1, {"equalisation": 1})]:
                    np.random.seed(1)
                    values.append(float(function(reference, 16000, signal, 16000, listener, level1=100, **options)[0]))
        return np.array(values)

    scores(signals[:1], listeners[:1])
    start = time.process_time()
    expected = scores(signals, listeners)
    middle = time.process_time()
    install()
    scores(signals[:1], listeners[:1])
    references.values.clear()
    processeds.values.clear()
    between = time.process_time()
    actual = scores(signals, listeners)
    print(f"largest difference {np.max(np.abs(actual - expected)):.1e} of {len(expected)} scores; "
          f"{middle - start:.1f} s of CPU time, here {time.process_time() - between:.1f} s")


if __name__ == "__main__":
    compare()
