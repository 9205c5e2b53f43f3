"""Checks the files that hearing-fit --export writes.

The script reads each file as the format of the file defines, and computes the response again.
"""
import cmath, glob, json, math, os, re, xml.etree.ElementTree as tree
from plugin.picture import check_picture, picture

CENTRES = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
LARGEST = 0.2  # dB
NAMES = {"PK": "peak", "Peaking": "peak", "Bell": "peak", "LSC": "low", "Lowshelf": "low", "Lo-shelf": "low",
         "HSC": "high", "Highshelf": "high", "Hi-shelf": "high"}


def section(kind, centre, gain, quality, frequency, rate=48_000):
    """The gain in dB of a filter of the Audio EQ Cookbook (R. Bristow-Johnson)."""
    a = 10 ** (gain / 40)
    cosine, sine = math.cos(2 * math.pi * centre / rate), math.sin(2 * math.pi * centre / rate)
    alpha = sine / (2 * quality)
    root = 2 * math.sqrt(a) * alpha
    if NAMES[kind] == "peak":
        b = (1 + alpha * a, -2 * cosine, 1 - alpha * a)
        d = (1 + alpha / a, -2 * cosine, 1 - alpha / a)
    else:
        s = 1 if NAMES[kind] == "low" else -1
        b = (a * (a + 1 - s * (a - 1) * cosine + root), s * 2 * a * (a - 1 - s * (a + 1) * cosine),
             a * (a + 1 - s * (a - 1) * cosine - root))
        d = (a + 1 + s * (a - 1) * cosine + root, -s * 2 * (a - 1 + s * (a + 1) * cosine),
             a + 1 + s * (a - 1) * cosine - root)
    z = cmath.exp(-2j * math.pi * frequency / rate)
    return 20 * math.log10(abs((b[0] + b[1] * z + b[2] * z * z) / (d[0] + d[1] * z + d[2] * z * z)))


def parametric(text):
    preamp = float(re.search(r"^Preamp: (\S+) dB$", text, re.M)[1])
    found = re.findall(r"^Filter \d+: ON (\S+) Fc (\S+) Hz Gain (\S+) dB Q (\S+)$", text, re.M)
    return preamp, [(kind, float(f), float(g), float(q)) for kind, f, g, q in found]


def ears_of(name, text):
    """The preamp gain, and the filter sections of the left ear and of the right ear."""
    if name.endswith("ParametricEQ.txt"):
        return [parametric(text)] * 2
    if name.endswith(".txt"):
        _, left, right = re.split(r"^Channel: [LR]\n", text, flags=re.M)
        return [parametric(left), parametric(right)]
    if name.endswith(".yml"):
        filters = {}
        for key, kind, values in re.findall(r"^  (\w+): \{type: (\w+), parameters: \{(.*)\}\}$", text, re.M):
            filters[key] = (kind, dict(item.split(": ") for item in values.split(", ")))
        ears = []
        for channel in range(2):
            names = re.search(rf"channels: \[{channel}\], names: \[(.*)\]", text)[1].split(", ")
            gains = [float(filters[key][1]["gain"]) for key in names if filters[key][0] == "Gain"]
            ears.append((sum(gains), [(v["type"], float(v["freq"]), float(v["gain"]), float(v["q"])) for kind, v in
                                      map(filters.get, names) if kind == "Biquad"]))
        return ears
    equalizer = json.loads(text)["output"]["equalizer#0"]
    return [(equalizer["input-gain"], [(band["type"], band["frequency"], band["gain"], band["q"]) for band in
                                       equalizer[side].values()]) for side in ("left", "right")]


def graphic(text, frequency):
    points = [tuple(map(float, item.split())) for item in text.split(":")[1].split(";")]
    for (f0, g0), (f1, g1) in zip(points, points[1:]):
        if f0 <= frequency <= f1:
            return g0 + (g1 - g0) * math.log(frequency / f0) / math.log(f1 / f0)
    raise ValueError(f"no gain at {frequency} Hz")


def check_schema(text, check):
    """Checks values with the settings schema of EasyEffects.

    The schema comes from .ci/tools or from Debian's package.
    """
    files = [file for root in (".build/easyeffects", "/")
             for file in glob.glob(os.path.join(root, "usr/share/glib-2.0/schemas/*easyeffects.equalizer*.xml"))]
    if len(files) < 2:
        check(os.environ.get("CI") != "true", "the schema of EasyEffects is missing")
        print("skipped: the schema of EasyEffects is not installed")
        return
    keys, enums = {}, {}
    for file in files:
        root = tree.parse(file)
        for enum in root.iter("enum"):
            enums[enum.get("id")] = [value.get("nick") for value in enum.iter("value")]
        for key in root.iter("key"):
            keys[key.get("name")] = key
    equalizer = json.loads(text)["output"]["equalizer#0"]
    flat = {name: value for name, value in equalizer.items() if name not in ("left", "right")}
    for side in ("left", "right"):
        for band, values in equalizer[side].items():
            flat.update({f"{band}-{name}": value for name, value in values.items()})
            for name, value in values.items():
                check_value(f"{band}-{name}", value, keys, enums, check)
    for name, value in flat.items():
        check_value(name, value, keys, enums, check)
    print("EasyEffects: every value is within the schema")


def check_value(name, value, keys, enums, check):
    key = keys.get(name)
    check(key is not None, f"EasyEffects has no setting {name}")
    if key is None:
        return
    limits = key.find("range")
    if key.get("enum"):
        check(value in enums[key.get("enum")], f"EasyEffects: {name} cannot be {value}")
    elif limits is not None:
        check(float(limits.get("min")) <= value <= float(limits.get("max")), f"EasyEffects: {name} cannot be {value}")


def check_exports(setting, check):
    worst = 0
    profile = setting.path("ears.csv")
    with open(profile, "w") as file:
        file.write("frequency_hz,left_dbhl,right_dbhl\n250,10,60\n1000,20,65\n4000,60,70\n8000,70,80\n")
    for listener in ("N3", "S3", "N7", profile):
        preset = setting.path("preset.json")
        setting.fit(listener, "--out", preset)
        with open(preset) as file:
            stored = json.load(file)
        gains = [[gain_at(stored[ear], frequency, 65) for frequency in CENTRES] for ear in ("left", "right")]
        smaller = [min(pair) for pair in zip(*gains)]
        for name in ("ParametricEQ.txt", "GraphicEQ.txt", "config.txt", "camilla.yml", "easy.json"):
            path = setting.path(name)
            setting.fit(listener, "--export", path)
            with open(path) as file:
                text = file.read()
            targets = [smaller] * 2 if "EQ.txt" in name else gains
            for ear, target in enumerate(targets):
                if name == "GraphicEQ.txt":
                    response = [graphic(text, frequency) for frequency in CENTRES]
                else:
                    preamp, sections = ears_of(name, text)[ear]
                    check(len(sections) <= 10, f"{name}: {len(sections)} sections")
                    response = [preamp + sum(section(*each, frequency) for each in sections) for frequency in CENTRES]
                error = max(abs(a - b) for a, b in zip(response, target, strict=True))
                worst = max(worst, error)
                check(error <= LARGEST, f"{name} for {listener}: {error:.2f} dB off at a centre")
            if (name, listener) == ("ParametricEQ.txt", "N3"):
                check_picture(picture(lambda frequency: preamp + sum(section(*each, frequency) for each in sections),
                                      CENTRES, smaller), check)
            if name == "easy.json":
                check_schema(text, check)
            if name == "camilla.yml":
                check_yaml(text, check)
    print(f"exported responses are within {worst:.2f} dB of the preset at the centres")


def check_yaml(text, check):
    try:
        import yaml
    except ImportError:
        return
    document = yaml.safe_load(text)
    names = {name for step in document["pipeline"] for name in step["names"]}
    check(names == set(document["filters"]), "CamillaDSP: the pipeline does not use every filter")


def gain_at(ear, frequency, level):
    """The gain of a stored preset in dB, interpolated linearly over log frequency and over level."""
    frequencies, levels, gains = ear["frequencies"], ear["inputLevels"], ear["gains"]

    def line(xs, ys, x):
        if x <= xs[0]:
            return ys[0]
        for (x0, y0), (x1, y1) in zip(zip(xs, ys), zip(xs[1:], ys[1:])):
            if x <= x1:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        return ys[-1]

    return line([math.log(f) for f in frequencies], [line(levels, row, level) for row in gains], math.log(frequency))
