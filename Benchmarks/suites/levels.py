#!/usr/bin/env python3
"""Compares the meters of this package with other meters.

    python3 Benchmarks/suites/levels.py [--stl FOLDER] [FILE.wav …]        from the package's folder

Level of speech: ActiveSpeechLevel compared with actlev, the meter (P.56) of the ITU-T Software Tool Library. --stl is a
checkout of github.com/openitu/STL (its own licence) in which actlev and, for loudness, bs1770demo are built. The meters
measure speech of this package, of the library and of the given files (mono, 16 bits): at levels from 0 to -60 dB, with
pauses, with noise and as if recorded at other sample rates. The active level, the long-term level and the activity
must differ by at most 0.1 dB.

Loudness: the K-weighting of Examples/hearing-web compared with the filter ebur128 of ffmpeg (Debian: ffmpeg), with the
library's bs1770demo at 48 kHz, and with the levels that EBU Tech 3341 and ITU-R BS.1770 state. The source of the
K-weighting is compiled unchanged. All sounds are steady, so the gates of the meters have no effect. Levels must differ
by at most 0.1 dB.

Meters that are missing are skipped with a message. Needs numpy and swiftc. For speech, the package Benchmarks must be
built in release mode, or SUITE_READER must be the path of SuiteReader.
"""
import argparse, glob, math, os, re, shutil, subprocess, sys, tempfile, wave
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from built import built

PACKAGE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SPEECH = ("Tests/HearingVoiceTests/Resources/recorded-speech.wav", "Examples/hearing-render/Resources/speech.wav")
# Mono, 16 bits, without a header.
LIBRARY_SPEECH = (("src/sv56/test_data/voice.src", 8000), ("src/mnru/test_data/P501_D_AM_fm_FB_48k.pcm", 48000))
TOLERANCE = 0.1
failures = []


def output(*command):
    """The standard output of a command."""
    process = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    return process.stdout.decode()


def program(folder, name):
    """The path of a program that was built in a folder; None if there is none."""
    found = glob.glob(os.path.join(folder, "**", name), recursive=True)
    return next((path for path in found if os.path.isfile(path) and os.access(path, os.X_OK)), None)


def write_wav(path, rate, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())


def read_wav(path):
    with wave.open(path) as file:
        if file.getnchannels() != 1 or file.getsampwidth() != 2:
            sys.exit(f"{path}: not mono of 16 bits")
        return file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2")


def scaled(samples, decibels):
    return integers(samples * 10 ** (decibels / 20))


def integers(samples):
    return np.clip(np.round(samples), -32768, 32767).astype("<i2")


# Speech

def variants(rate, samples):
    """Names, sample rates and samples of the signals that are made of a recording."""
    random = np.random.default_rng(1)
    silence = lambda seconds: np.zeros(round(seconds * rate), "<i2")
    for decibels in (0, -10, -20, -30, -40, -50, -60):
        yield f"{decibels} dB", rate, scaled(samples, decibels)
    pieces = np.array_split(samples, max(2, round(len(samples) / rate / 0.7)))
    for seconds in (0.1, 0.5, 2):
        paused = np.concatenate([part for piece in pieces for part in (piece, silence(seconds))])
        for decibels in (0, -20, -40):
            yield f"{decibels} dB, pauses of {seconds} s", rate, scaled(paused, decibels)
    surrounded = np.concatenate([silence(3), samples, silence(10)])
    yield "3 s of silence before and 10 s after it", rate, surrounded
    for decibels in (-70, -50, -30):
        noise = 32768 * 10 ** (decibels / 20) * random.standard_normal(len(surrounded))
        yield f"the same in noise of {decibels} dB", rate, integers(surrounded + noise)
    for other in (8000, 11025, 44100, 96000):
        if other != rate:
            yield f"as if at {other} Hz", other, samples


def theirs(meter, path, rate):
    """Active level and long-term level in dB and activity; None if nothing is active."""
    text = output(meter, "-q", "-sf", str(rate), path)
    found = re.search(r"RMSLev\[dB\]: *(\S+) ActLev\[dB\]: *(\S+) %Active: *(\S+)", text)
    long, active, percent = map(float, found.groups())
    return (active, long, percent / 100) if percent > 0 else None


def ours(reader, path):
    text = output(reader, "speech-level", path)
    return None if text == "none\n" else tuple(map(float, text.split()))


def check_speech(reader, library, given):
    meter = program(library, "actlev")
    if not meter:
        print("skipped: level of speech; actlev is not built in", library)
        return
    recordings = [(os.path.basename(name), *read_wav(os.path.join(PACKAGE, name))) for name in SPEECH]
    for name, rate in LIBRARY_SPEECH:
        recordings.append((os.path.basename(name), rate, np.fromfile(os.path.join(library, name), "<i2")))
    recordings += [(os.path.basename(path), *read_wav(path)) for path in given]
    count, silent, largest = 0, 0, np.zeros(3)
    with tempfile.TemporaryDirectory() as folder:
        wav, raw = os.path.join(folder, "speech.wav"), os.path.join(folder, "speech.raw")
        for recording, own_rate, own_samples in recordings:
            for variant, rate, samples in variants(own_rate, own_samples):
                write_wav(wav, rate, samples)
                samples.astype("<i2").tofile(raw)
                first, second = ours(reader, wav), theirs(meter, raw, rate)
                count += 1
                if first is None and second is None:
                    silent += 1
                    continue
                if first and second:
                    activity = 10 * math.log10(first[2] / second[2])
                    differences = np.abs([first[0] - second[0], first[1] - second[1], activity])
                    largest = np.maximum(largest, differences)
                if not (first and second) or differences.max() > TOLERANCE:
                    failures.append(f"{recording}, {variant}: ours {first}, theirs {second}")
    print(f"level of speech: {count} signals of {len(recordings)} recordings, in {silent} of them no speech for both; "
          f"largest differences: active level {largest[0]:.3f}, long-term level {largest[1]:.3f}, activity "
          f"{largest[2]:.3f} dB")


# Loudness

MAIN = """
import Foundation

let samples = try [UInt8](Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
var weighting = KWeighting(sampleRate: Double(CommandLine.arguments[2]) ?? 0)
var energy = 0.0
let frames = samples.count / 8
samples.withUnsafeBytes { bytes in
  let values = bytes.bindMemory(to: Float.self)
  for frame in 0..<frames {
    let weighted = weighting.process(SIMD4(values[2 * frame], values[2 * frame + 1], 0, 0))
    energy += Double(weighted.x) * Double(weighted.x) + Double(weighted.y) * Double(weighted.y)
  }
}
print(-0.691 + 10 * log10(energy / Double(frames)))
"""


def compile_weighting(folder):
    """Compiles the K-weighting to a program that prints the level of interleaved stereo floats."""
    main, module = os.path.join(folder, "main.swift"), os.path.join(folder, "HearingDSP.o")
    with open(main, "w") as file:
        file.write(MAIN)
    # Of HearingDSP, the K-weighting needs only these two files.
    sources = [os.path.join(PACKAGE, "Sources/HearingDSP/Math", name) for name in ("CMath.swift", "Decibels.swift")]
    swiftc = ["swiftc", "-O", "-wmo", "-package-name", "hearing"]
    subprocess.run([
        *swiftc, "-module-name", "HearingDSP", "-parse-as-library", "-emit-module", "-emit-module-path",
        os.path.join(folder, "HearingDSP.swiftmodule"), "-emit-object", "-o", module, *sources], check=True)
    result = os.path.join(folder, "weighted-level")
    weighting = os.path.join(PACKAGE, "Examples/hearing-web/Sources/KWeighting.swift")
    subprocess.run([
        *swiftc, "-module-name", "WeightedLevel", "-I", folder, "-o", result, main, weighting, module], check=True)
    return result


def pink_noise(frames, seed):
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(frames))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    spectrum[0] = 0
    noise = np.fft.irfft(spectrum, frames)
    return 0.05 * noise / noise.std()


def sounds(rate):
    """Names, stated levels (or None) and stereo sounds of 20 s."""
    time = np.arange(20 * rate) / rate
    tone = lambda frequency, decibels: 10 ** (decibels / 20) * np.sin(2 * np.pi * frequency * time)
    both = lambda sound: np.stack([sound, sound], axis=1)
    yield "EBU Tech 3341, test 1", -23, both(tone(1000, -23))
    yield "EBU Tech 3341, test 2", -33, both(tone(1000, -33))
    yield "997 Hz at full scale in one channel", -3.01, np.stack([tone(997, 0), 0 * time], axis=1)
    for frequency in (25, 60, 100, 1000, 4000, 10000):
        yield f"{frequency} Hz", None, both(tone(frequency, -20))
    yield "pink noise", None, np.stack([pink_noise(len(time), 1), pink_noise(len(time), 2)], axis=1)


def ffmpeg_level(path, rate):
    text = output(
        "ffmpeg", "-nostats", "-f", "f32le", "-ar", str(rate), "-ac", "2", "-i", path, "-af",
        "ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.I:file=-", "-f", "null", "-")
    return float(re.findall(r"lavfi\.r128\.I=(\S+)", text)[-1])


def check_loudness(library):
    ffmpeg, demo = shutil.which("ffmpeg"), program(library, "bs1770demo") if library else None
    if not ffmpeg:
        print("skipped: comparison of loudness with ffmpeg, which is not installed")
    if not demo:
        print("skipped: comparison of loudness with bs1770demo; name a checkout in which it is built with --stl")
    largest = {}
    with tempfile.TemporaryDirectory() as folder:
        weighted_level = compile_weighting(folder)
        floats, words = os.path.join(folder, "sound.f32"), os.path.join(folder, "sound.s16")
        for rate in (44100, 48000, 96000):
            for name, stated, sound in sounds(rate):
                sound.astype("<f4").tofile(floats)
                level, others = float(output(weighted_level, floats, str(rate))), {}
                if stated is not None:
                    others["the stated levels"] = stated
                if ffmpeg:
                    others["ffmpeg"] = ffmpeg_level(floats, rate)
                if demo and rate == 48000:
                    integers(32768 * sound).tofile(words)
                    found = re.search(r"Input level: +(\S+)", output(demo, "-nchan", "2", words))
                    others["bs1770demo"] = float(found[1])
                for meter, theirs in others.items():
                    difference = abs(level - theirs)
                    largest[rate, meter] = max(largest.get((rate, meter), 0), difference)
                    if not difference <= TOLERANCE:
                        failures.append(f"{name} at {rate} Hz: K-weighted level {level:.3f}, {meter}: {theirs:.3f}")
    for (rate, meter), difference in largest.items():
        print(f"loudness at {rate} Hz: at most {difference:.3f} dB from {meter}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stl")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.stl:
        check_speech(os.environ.get("SUITE_READER") or built("SuiteReader"), options.stl, options.files)
    else:
        print("skipped: level of speech; name a checkout of the Software Tool Library with --stl")
    check_loudness(options.stl)
    for failure in failures:
        print("FAILED", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
