#!/usr/bin/env python3
"""Scores the uplink of a call: lost near talk and remaining echo, also for AEC3 and speexdsp.

The scenes are those of conversation_scenes.py; WebRTC's AEC3 and speexdsp process them in the same run.

    python3 Benchmarks/echo/conversations.py MATERIAL [--tune] [--only TEXT] [--ours] [--each] [--write FILE]

Run it from the package's folder. MATERIAL is a folder with the unpacked Debian packages
pocketsphinx-testdata, festvox-ru, fillets-ng-data-cs and -nl,
asterisk-core-sounds-{en,fr,es,it,ru}-g722 and fretsonfire-songs-sectoid. The script needs ffmpeg,
numpy, scipy, livekit (AEC3), libspeexdsp1, and for AECMOS speechmos, librosa and onnxruntime.
(speechmos imports librosa and onnxruntime, but does not install them.) The script builds the
package Benchmarks, unless BENCHMARKS is the path of the executable.

With --tune, the script uses the talkers and rooms with which the package's constants were chosen.
Without --tune, it uses other talkers and rooms, which are only for scoring. --only selects scenes
with TEXT in their group or row. --ours omits AEC3 and speexdsp. --write inserts the tables between
the marks `<!-- conversations -->` and `<!-- end -->` of a page. The folder --cache stores the
scenes and the outputs of AEC3 and speexdsp, in a separate folder for each MATERIAL and each version
of conversation_scenes.py. By default, it is in the folder for temporary files. Delete this folder
if files in MATERIAL change.

The talk at this end (near talk) is divided into frames of 20 ms. Frames with a level above -45 dBFS
count. A frame is lost if its output is more than 10 dB below its input. Echo reduction is the level
difference between microphone and output while only the far end talks. All levels are measured above
80 Hz, because AEC3, speexdsp and the package's mode `echo` remove lower frequencies. Each cell
shows the mean over its scenes, and the worst scene in parentheses. No system suppresses noise,
adjusts gain or adds comfort noise.
"""
import argparse, collections, concurrent.futures, hashlib, os, subprocess, sys, tempfile, wave
import numpy as np
from scipy.signal import butter, sosfilt
import conversation_scenes as scenes
from conversation_scenes import RATE
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from built import built

FRAME = RATE // 50
# The latencies of the outputs in samples, for the package, AEC3 and speexdsp.
LATENCIES = (160, 140, 160)
# The high-pass filter through which all levels are measured.
AUDIBLE = butter(2, 80, "highpass", fs=RATE, output="sos")


def write(path, channels):
    data = np.clip(np.round(np.atleast_2d(channels).T * 32768), -32768, 32767).astype("<i2")
    with wave.open(path, "wb") as file:
        file.setnchannels(data.shape[1])
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data.tobytes())


def read_float(path):
    data = open(path, "rb").read()
    start = data.index(b"data") + 8
    return np.frombuffer(data[start:start + (len(data) - start) // 4 * 4], "<f4").astype(float)


def ours(program, microphone, reference, mode="echo"):
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "output.wav")
        subprocess.run([program, "uplink", mode, microphone, reference, target], check=True, stdout=subprocess.DEVNULL)
        return read_float(target)


def lost(scene, output, latency, period):
    begin, end = int(period[0] * RATE), int(period[1] * RATE)
    count = (min(end, len(output) - latency) - begin) // FRAME
    near = np.mean(scene["near"][begin:begin + count * FRAME].reshape(count, FRAME) ** 2, axis=1)
    made = np.mean(output[begin + latency:begin + latency + count * FRAME].reshape(count, FRAME) ** 2, axis=1)
    loud = near > 10 ** -4.5
    return 100 * np.mean(made[loud] < near[loud] / 10) if loud.any() else float("nan")


def reduction(scene, output, latency, period):
    begin, end = int(period[0] * RATE), min(int(period[1] * RATE), len(output) - latency)
    level = lambda samples: 10 * np.log10(np.mean(samples ** 2) + 1e-20)
    return level(scene["microphone"][begin:end]) - level(output[begin + latency:end + latency])


# The groups that AECMOS scores. For each group, AECMOS gets 15 s of sound, which begin after the
# given number of seconds.
JUDGED = {"near from the first frame": 8, "near after 8 s of far talk": 8, "conversation in turns": 8, "path change in double talk": 9,
          "echo alone": 8, "distorting loudspeaker": 8}


def opinion(scene, output, latency, group, has_near):
    """The opinions that AECMOS predicts for echo and for degradation, 1…5."""
    from speechmos import aecmos
    part = slice(JUDGED[group] * RATE, (JUDGED[group] + 15) * RATE)
    sound = np.concatenate([output[latency:], np.zeros(latency)])
    sample = {"lpb": scene["reference"].mean(0)[part], "mic": scene["microphone"][part], "enh": sound[part]}
    sample = {name: np.clip(part, -1, 1).astype("f4") for name, part in sample.items()}
    found = aecmos.run(sample, RATE, "dt" if has_near else "st")
    return found["echo_mos"], found["deg_mos"]


def score(task):
    """The figures of one scene, as {period: [figure of each system]}, and AECMOS's opinions."""
    (name, group, row, make, near, echo), options, program = task
    folder = os.path.join(options.cache, name)
    stored = os.path.join(folder, "near.npy")
    microphone, reference = (os.path.join(folder, name) for name in ("microphone.wav", "reference.wav"))
    if not os.path.exists(stored):
        os.makedirs(folder, exist_ok=True)
        scene = make()
        write(microphone, scene["microphone"])
        write(reference, scene["reference"])
        np.save(stored, scene["near"])
    sound = {}
    for name, path in (("microphone", microphone), ("reference", reference)):
        with wave.open(path) as file:
            data = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
            sound[name] = data.reshape(-1, file.getnchannels()).T
    scene = {"microphone": sound["microphone"][0], "reference": sound["reference"], "near": np.load(stored)}
    heard = {name: sosfilt(AUDIBLE, scene[name]) for name in ("microphone", "near")}
    outputs = [ours(program, microphone, reference, options.mode)]
    if not options.ours:
        outputs += list(kept(os.path.join(folder, "peers.npy"), lambda: heard_by_peers(scene)))
    measure = lost if near else reduction
    audible = [sosfilt(AUDIBLE, output) for output in outputs]
    figures = {period: [measure(heard, output, latency, period) for output, latency in zip(audible, LATENCIES)]
               for period in (*near, *echo)}
    opinions = None
    if group in JUDGED and not options.ours:
        judge = lambda index: opinion(scene, outputs[index], LATENCIES[index], group, bool(near))
        opinions = [judge(0), *kept(os.path.join(folder, "opinions.npy"), lambda: [judge(1), judge(2)])]
    return group, row, bool(near), figures, opinions


def heard_by_peers(scene):
    import peers
    return [peers.aec3(scene["microphone"], scene["reference"])[0], peers.speexdsp(scene["microphone"], scene["reference"])]


def scene_cache(cache, material):
    """The folder of the cache for this material and this version of conversation_scenes.py."""
    with open(scenes.__file__, "rb") as file:
        digest = hashlib.sha256(file.read() + os.path.abspath(material).encode())
    return os.path.join(cache, digest.hexdigest()[:16])


def kept(path, make):
    """The array in a file. If the file does not exist, `make` creates the array first."""
    if not os.path.exists(path):
        np.save(path + ".new.npy", make())
        os.replace(path + ".new.npy", path)
    return np.load(path)


def tables(results, names):
    head = "".join(f" {name} |" for name in names)
    line = " ---: |" * len(names)
    groups, opinions = {}, {}
    for group, row, near, figures, found in results:
        for period, values in figures.items():
            groups.setdefault((group, near), {}).setdefault((row, period), []).append(values)
        if found:
            opinions.setdefault(group, []).append(found)
    for (group, near), rows in groups.items():
        yield f"\n{group[0].upper()}{group[1:]}: {'near frames lost in %' if near else 'echo reduction in dB'}\n"
        yield f"| scene | seconds |{head}\n| --- | --- |{line}"
        for (row, period), values in rows.items():
            values = np.array(values)
            worst = (np.nanmax if near else np.nanmin)(values, axis=0)
            cells = [f"{mean:.0f} ({extreme:.0f})" for mean, extreme in zip(np.nanmean(values, axis=0), worst)]
            yield f"| {row} | {period[0]:g}–{period[1]:g} | {' | '.join(cells)} |"
    if opinions:
        yield f"\nAECMOS from 8 to 23 s (path change: 9 to 24 s): echo / degradation\n\n| scenes |{head}\n| --- |{line}"
        for group, values in opinions.items():
            cells = [f"{echo:.2f} / {harm:.2f}" for echo, harm in np.mean(values, axis=0)]
            yield f"| {group} | {' | '.join(cells)} |"
    bent = [values[0] for (group, _), rows in groups.items() if group == "distorting loudspeaker"
            for (_, period), cell in rows.items() if period == (2, 24) for values in cell]
    if bent:
        yield f"\n{100 * np.mean(np.array(bent) >= 30):.0f} % of {len(bent)} scenes with a distorting loudspeaker have at least 30 dB."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--mode", default="echo", help="the microphone mode, as of `Benchmarks uplink`")
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--each", action="store_true", help="prints each scene")
    parser.add_argument("--write", help="a page to write the tables to")
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "echo-scenes"))
    options = parser.parse_args()
    if not os.path.isdir(options.material):
        parser.error(f"{options.material} is not a folder")
    options.cache = scene_cache(options.cache, options.material)
    kind, cases, counts = "tune" if options.tune else "score", [], collections.Counter()
    for case in scenes.cases(options.material, kind):
        name = f"{kind}, {case[0]}, {case[1]}"
        counts[name] += 1
        cases.append((f"{name} {counts[name]}", *case))
    cases = [case for case in cases if options.only in f"{case[1]}, {case[2]}"]
    if not cases:
        parser.error(f"no scene has \"{options.only}\" in its group or row")
    program = os.environ.get("BENCHMARKS") or built("Benchmarks")
    tasks = [(case, options, program) for case in cases]
    results = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for result in pool.map(score, tasks):
            results.append(result)
            if options.each:
                group, row, _, figures, _ = result
                for period, values in figures.items():
                    print(group, "|", row, period, [round(float(value), 1) for value in values], flush=True)
    names = ("ours",) if options.ours else ("ours", "AEC3", "speexdsp")
    text = "\n".join(tables(results, names))
    print(text)
    if options.write:
        page = open(options.write).read()
        before, rest = page.split("<!-- conversations -->\n", 1)
        after = rest.split("<!-- end -->", 1)[1]
        with open(options.write, "w") as file:
            file.write(f"{before}<!-- conversations -->\n{text}\n<!-- end -->{after}")


if __name__ == "__main__":
    main()
