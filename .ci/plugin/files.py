"""Checks the files that the plugin follows, in a host written with ctypes."""
import array, ctypes, math, os, time

PORTS = 30
ENABLED, FOLLOW, HEADPHONE, THRESHOLDS = 4, 5, 6, 10
PRESET_STATUS, HEADPHONE_STATUS = 28, 29
OFF, USED, MISSING, UNREADABLE, DAMAGED, NEWER = range(6)
FOLLOWED = 1.0  # seconds until a changed file must be in use
RATE, BLOCK = 48_000, 480


class Descriptor(ctypes.Structure):
    pass


handle = ctypes.c_void_p
Descriptor._fields_ = [
    ("identifier", ctypes.c_ulong), ("label", ctypes.c_char_p), ("properties", ctypes.c_int),
    ("name", ctypes.c_char_p), ("maker", ctypes.c_char_p), ("copyright", ctypes.c_char_p),
    ("count", ctypes.c_ulong), ("kinds", handle), ("names", handle), ("ranges", handle), ("unused", handle),
    ("instantiate", ctypes.CFUNCTYPE(handle, handle, ctypes.c_ulong)),
    ("connect", ctypes.CFUNCTYPE(None, handle, ctypes.c_ulong, handle)),
    ("activate", ctypes.CFUNCTYPE(None, handle)),
    ("run", ctypes.CFUNCTYPE(None, handle, ctypes.c_ulong)),
    ("adding", handle), ("gain", handle),
    ("deactivate", ctypes.CFUNCTYPE(None, handle)),
    ("cleanup", ctypes.CFUNCTYPE(None, handle)),
]


class Plugin:
    """An instance of the plugin that processes soft tones."""

    def __init__(self, setting):
        os.environ["HOME"] = setting.home
        os.environ.pop("XDG_CONFIG_HOME", None)
        library = ctypes.CDLL(setting.library)
        library.ladspa_descriptor.restype = ctypes.POINTER(Descriptor)
        self.descriptor = library.ladspa_descriptor(ctypes.c_ulong(0))
        self.functions = self.descriptor.contents
        self.instance = self.functions.instantiate(ctypes.cast(self.descriptor, handle), RATE)
        self.sound = [(ctypes.c_float * BLOCK)() for _ in range(4)]
        self.values = (ctypes.c_float * PORTS)()
        for port, value in ((ENABLED, 1), (FOLLOW, 1), (HEADPHONE, 1), (7, 1), (8, 100)):
            self.values[port] = value
        for port in range(PORTS):
            data = self.sound[port] if port < 4 else ctypes.byref(self.values, 4 * port)
            self.functions.connect(self.instance, port, ctypes.cast(data, handle))
        self.functions.activate(self.instance)

    def block(self, frequency=1000):
        """The gain in dB of both ears for a tone of −60 dBFS.

        `frequency` is a multiple of 100 Hz.
        """
        for frame in range(BLOCK):
            sample = 1e-3 * math.sin(2 * math.pi * frequency * frame / RATE)
            self.sound[0][frame] = self.sound[1][frame] = sample
        self.functions.run(self.instance, BLOCK)
        power = 1e-6 / 2
        return [10 * math.log10(sum(x * x for x in self.sound[2 + ear]) / BLOCK / power + 1e-20) for ear in range(2)]

    def settled(self, frequency=1000):
        for _ in range(25):
            self.block(frequency)
        return self.block(frequency)

    def waits_for(self, condition):
        """The time in seconds until the condition is true, or infinity if the wait exceeds 2 s."""
        start = time.monotonic()
        while time.monotonic() < start + 2:
            gains = self.block()
            if condition(gains):
                return time.monotonic() - start
            time.sleep(0.01)
        return math.inf

    def end(self):
        self.functions.deactivate(self.instance)
        self.functions.cleanup(self.instance)


def check_files(setting, check):
    setting.install("N3", "--tech-level", "2")
    folder = os.path.join(setting.home, ".config", "hearing-processing")
    path = os.path.join(folder, "preset.txt")
    plugin = Plugin(setting)
    before = plugin.settled()
    check(plugin.values[PRESET_STATUS] == USED, f"the saved preset is not in use: {plugin.values[PRESET_STATUS]}")
    check(plugin.values[HEADPHONE_STATUS] == MISSING, "no headphone is missing")
    check(before[0] > 5, f"the saved preset has no effect: {before}")

    setting.install("N5", "--tech-level", "2")
    seconds = plugin.waits_for(lambda gains: gains[0] > before[0] + 5)
    check(seconds <= FOLLOWED, f"a new preset is heard after {seconds:.2f} s")
    print(f"a new preset is heard after {seconds:.2f} s")
    held = plugin.settled()
    with open(path, "rb") as file:
        good = file.read()

    def expect(name, status):
        seconds = plugin.waits_for(lambda gains: plugin.values[PRESET_STATUS] == status)
        check(seconds <= FOLLOWED, f"{name}: the meter shows {plugin.values[PRESET_STATUS]}, not {status}")
        gains = plugin.settled()
        check(all(abs(a - b) < 0.01 for a, b in zip(gains, held)), f"{name}: the gains change from {held} to {gains}")

    def write(data):
        with open(path, "wb") as file:
            file.write(data)

    for name, data, status in (
        ("half written", good[:len(good) // 2], DAMAGED), ("without its last line", good[:good.rindex(b"end")], DAMAGED),
        ("of a newer version", good.replace(b"hearing-preset 1", b"hearing-preset 2"), NEWER), ("empty", b"", DAMAGED),
        ("random bytes", os.urandom(5000), DAMAGED), ("too long", b"#" * 2_000_000, UNREADABLE),
        ("not a number", good.replace(b"band 250.0", b"band nan"), DAMAGED),
    ):
        write(data)
        expect(name, status)
    os.remove(path)
    expect("removed", MISSING)
    os.mkdir(path)
    expect("a folder", UNREADABLE)
    os.rmdir(path)
    os.mkfifo(path)
    expect("a pipe", UNREADABLE)
    os.remove(path)
    write(good)
    expect("restored", USED)
    plugin.values[FOLLOW] = 0
    seconds = plugin.waits_for(lambda gains: gains[0] < held[0] - 5)
    check(seconds <= FOLLOWED, "the thresholds are not used when the preset is not followed")
    check(plugin.values[PRESET_STATUS] == OFF, "the meter shows a preset that is not followed")
    for port in range(THRESHOLDS, THRESHOLDS + 8):
        plugin.values[port] = 60
    seconds = plugin.waits_for(lambda gains: gains[0] > gains[1] + 5)
    check(seconds <= FOLLOWED, f"thresholds of one ear are heard after {seconds} s")
    plugin.end()


def check_headphone(setting, check):
    """Checks the sum of the gains for headphone and hearing, with each of them on and off."""
    headphone = setting.path("headphone.txt")
    with open(headphone, "w") as file:
        file.write("Preamp: -6.5 dB\nFilter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70\n"
                   "Filter 2: ON PK Fc 2900 Hz Gain -7.1 dB Q 1.80\nFilter 3: ON HSC Fc 9000 Hz Gain 4 dB Q 0.70\n")
    setting.install("N3", "--tech-level", "2", "--headphone", headphone)
    gains = {}
    for state in ((0, 0), (0, 1), (1, 0), (1, 1)):
        plugin = Plugin(setting)
        plugin.values[ENABLED], plugin.values[HEADPHONE] = state
        gains[state] = [plugin.settled(frequency)[0] for frequency in (200, 500, 1000, 2000, 3000, 4000, 6000, 8000)]
        check(plugin.values[HEADPHONE_STATUS] == (USED if state[1] else OFF), f"{state}: the headphone's meter")
        plugin.end()
    worst = max(abs(both - hearing - headphone + none) for none, headphone, hearing, both in
                zip(gains[0, 0], gains[0, 1], gains[1, 0], gains[1, 1]))
    check(max(map(abs, gains[0, 0])) < 0.001, f"off: gains {gains[0, 0]}")
    check(min(gains[0, 1]) < -8, f"the headphone has no effect: {gains[0, 1]}")
    check(worst <= 0.05, f"headphone and hearing add up to within {worst:.3f} dB")
    print(f"headphone and hearing add within {worst:.4f} dB")
    plugin = Plugin(setting)
    corrected = plugin.settled()
    os.remove(os.path.join(setting.home, ".config", "hearing-processing", "headphone.txt"))
    seconds = plugin.waits_for(lambda gains: gains[0] > corrected[0] + 5)
    check(seconds <= FOLLOWED, f"a removed headphone correction is heard for {seconds:.2f} s")
    check(plugin.values[HEADPHONE_STATUS] == MISSING, "the removed headphone is not missing")
    plugin.end()
