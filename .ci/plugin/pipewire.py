"""PipeWire without sound cards: pw-cat, the sink of hearing-fit, a null sink, and its recording."""
import array, os, re, signal, subprocess, time

NULL_SINK = """
context.properties = {
  default.clock.rate = 48000 default.clock.quantum = QUANTUM
  default.clock.min-quantum = QUANTUM default.clock.max-quantum = QUANTUM
}
context.objects = [
  { factory = adapter args = {
    factory.name = support.null-audio-sink node.name = null-sink media.class = Audio/Sink audio.position = [ FL FR ]
    object.linger = true
  } }
]
# A sink like the one that hearing-fit writes, whose plugin does nothing.
context.modules = [
  { name = libpipewire-module-filter-chain args = {
    node.description = plain media.name = plain
    filter.graph = { nodes = [ { type = builtin name = copy label = copy } ] }
    audio.channels = 2 audio.position = [ FL FR ]
    capture.props = { node.name = plain media.class = Audio/Sink }
    playback.props = { node.name = plain.output node.passive = true }
  } }
]
"""


class Session:
    """PipeWire and its session manager, with a separate bus."""

    def __init__(self, setting, quantum):
        configuration = os.path.join(setting.home, ".config", "pipewire", "pipewire.conf.d")
        os.makedirs(configuration, exist_ok=True)
        with open(os.path.join(configuration, "00-null.conf"), "w") as file:
            file.write(NULL_SINK.replace("QUANTUM", str(quantum)))
        runtime = setting.path(f"runtime-{quantum}-{time.monotonic_ns()}")
        os.mkdir(runtime, 0o700)
        self.environment = {**setting.environment, "XDG_RUNTIME_DIR": runtime}
        self.folder = setting.folder
        self.processes = []

    def __enter__(self):
        # Starts a new session, so that all its processes can be ended.
        self.start("dbus-run-session", "--", "sh", "-c", "pipewire & sleep 1; exec wireplumber")
        for _ in range(100):
            time.sleep(0.1)
            links = subprocess.run(["pw-link", "-l"], env=self.environment, capture_output=True, text=True).stdout
            if "null-sink:playback_FL" in links and "hearing.output" in links:
                return self
        self.__exit__()
        raise RuntimeError("PipeWire does not connect the sink that hearing-fit wrote")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
            process.wait()

    def start(self, *command):
        # jalv ends when its input ends.
        process = subprocess.Popen(command, env=self.environment, cwd=self.folder, start_new_session=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def run(self, *command):
        return subprocess.run(command, env=self.environment, cwd=self.folder, capture_output=True, text=True).stdout

    def play(self, name, links=()):
        """Plays a file through the sink or through links. Returns the sound at the null sink."""
        recorded = os.path.join(self.folder, "recorded.wav")
        recorder = self.start("pw-record", "--target", "null-sink", "-P", "{ stream.capture.sink = true }",
                              "--rate", "48000", "--channels", "2", "--format", "f32", recorded)
        time.sleep(0.5)
        player = self.start("pw-cat", "-p", "--target", "0" if links else "hearing",
                            "--rate", "48000", "--channels", "2", "--format", "f32", name)
        for link in links:
            # The ports of a program appear some time after the start of the program.
            for _ in range(50):
                if subprocess.run(["pw-link", *link], env=self.environment, capture_output=True).returncode == 0:
                    break
                time.sleep(0.01)
        player.wait(timeout=60)
        self.processes.remove(player)
        os.killpg(recorder.pid, signal.SIGINT)
        recorder.wait()
        self.processes.remove(recorder)
        with open(recorded, "rb") as file:
            data = file.read()
        start = data.index(b"data") + 8
        return data[start:]


# The plugin in PipeWire processes an unknown number of silent frames before the sound. The denormal
# guard adds ±1e-16 to silence, so the last bits of the sound depend on the number of silent frames.
# Hosts without silence before the sound must give bit-identical samples, because all other
# arithmetic is the same.
GUARD_TRACES = 1e-8


def contains(recording, expected):
    """Whether the recording contains the expected samples, from the first audible sample on."""
    whole, part = array.array("f"), array.array("f")
    whole.frombytes(recording[:len(recording) // 8 * 8])
    part.frombytes(expected)
    begins = [next((index for index, sample in enumerate(samples) if abs(sample) > 1e-4), 0) for samples in (whole, part)]
    start = max(0, begins[0] - begins[1])
    found = whole[start:start + len(part)]
    if len(found) < len(part):
        print(f"  only {len(found) // 2} of {len(part) // 2} frames arrived")
        return False
    largest = max(abs(one - other) for one, other in zip(found, part))
    print(f"  the largest difference is {largest:.2g}")
    return largest <= GUARD_TRACES


def write_sound(setting, write_wave):
    sound = setting.floats[:2 * 96_000]
    # The plugin starts together with the player, and fades in during the silence before the sound.
    # pw-cat ends before it has played its last samples, so silence also follows the sound.
    silence = array.array("f", bytes(8 * 48_000))
    write_wave(setting.path("padded.wav"), silence + sound + silence, 3)
    return sound


def check_pipewire(setting, check, uri):
    write_wave = __import__("__main__").write_wave
    sound = write_sound(setting, write_wave)
    first = setting.path("first.json")
    second = setting.path("second.json")
    setting.fit("N3", "--tech-level", "2", "--out", first)
    setting.fit("N5", "--tech-level", "2", "--out", second)
    silence = array.array("f", bytes(8 * 96_000))
    expected = [setting.reference("--preset", preset, samples=silence + sound)[8 * 96_000:] for preset in (first, second)]
    # Without real-time priority, a busy machine may lose a block in one attempt. A defect loses a
    # block in every attempt.
    setting.fit("--uninstall")  # also removes a headphone that another check has installed
    for attempt in range(4):
        setting.install("N3", "--tech-level", "2", "--pipewire")
        with Session(setting, 2048) as session:
            results = [contains(session.play("padded.wav"), expected[0])]
            setting.install("N5", "--tech-level", "2", "--pipewire")
            time.sleep(1)
            results.append(contains(session.play("padded.wav"), expected[1]))
            session.start("pw-jack", "jalv", "-n", "jalv", uri)
            time.sleep(0.5)
            sides = (("FL", "left"), ("FR", "right"))
            results.append(contains(session.play("padded.wav", [(f"pw-cat:output_{side}", f"jalv:in_{ear}") for side, ear in sides] + [
                (f"jalv:out_{ear}", f"null-sink:playback_{side}") for side, ear in sides]), expected[1]))
        if all(results):
            print(f"PipeWire and jalv play the library's samples and follow the preset (attempt {attempt + 1})")
            return
    check(False, f"PipeWire: the samples differ from the library's: at first, after a new preset, in jalv {results}")


def check_xruns(setting, check, seconds):
    """Plays at 128 frames while pw-top counts the errors of the node that runs the plugin.

    A busy machine misses cycles with any node. Therefore a sink that only copies plays the same
    sound in the same process. The plugin may have no more errors than this sink, apart from random
    differences. The plugin and this sink run on one thread, so a plugin that is too slow delays
    both. Therefore at most one block in a hundred may be late. While other checks use all
    processors, the node with more processing time is interrupted more often. Therefore there are
    six attempts. A defect of the plugin makes all attempts fail.
    """
    write_wave = __import__("__main__").write_wave
    setting.fit("--uninstall")
    setting.install("N3", "--pipewire")
    write_wave(setting.path("long.wav"), setting.floats * (seconds // 3 + 2), 3)
    for attempt in range(6):
        with Session(setting, 128) as session:
            for sink in ("hearing", "plain"):
                session.start("pw-cat", "-p", "--target", sink, "--rate", "48000", "--channels", "2", "--format", "f32", "long.wav")
            time.sleep(2)
            # pw-top shows the count only on its screen.
            session.run("tmux", "-L", "xruns", "new-session", "-d", "-x", "160", "-y", "50", "pw-top")
            time.sleep(seconds)
            screen = session.run("tmux", "-L", "xruns", "capture-pane", "-p").strip()
            session.run("tmux", "-L", "xruns", "kill-server")
        rows = {row[-1]: row for row in map(str.split, screen.splitlines()) if len(row) > 9}
        if not {"hearing", "plain", "null-sink"} <= rows.keys() or rows["null-sink"][2] != "128":
            continue
        errors, others = (int(rows[name][8]) for name in ("hearing", "plain"))
        print(f"{seconds} s at 128 frames: {errors} errors, {others} of a node that copies; "
              f"the last blocks took {rows['hearing'][5]} and {rows['plain'][5]}")
        if errors <= 1.25 * others + 2 and errors <= seconds * 48_000 / 128 / 100:
            return
    check(False, f"PipeWire counts errors of the plugin's node:\n{screen}")
