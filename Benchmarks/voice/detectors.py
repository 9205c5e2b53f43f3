"""The compared detectors. Each converts 16-bit samples at 16 kHz to one decision per 10 ms."""
import contextlib, ctypes, ctypes.util, os, subprocess, tempfile
import numpy as np
import scipy.io.wavfile
from material import FRAME, RATE

PACKAGE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
PROGRAM = os.environ.get("BENCHMARKS", os.path.join(PACKAGE, ".build", "release", "Benchmarks"))


def quantized(sound):
    return np.round(np.clip(sound, -1, 1) * 32767).astype("<i2")


def build():
    """Builds Benchmarks. Does nothing if the environment variable BENCHMARKS is set."""
    if "BENCHMARKS" in os.environ:
        return
    command = ["swift", "build", "-c", "release", "--package-path", PACKAGE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def ours(samples):
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        scipy.io.wavfile.write(file.name, RATE, samples)
        line = subprocess.run(
            [PROGRAM, "voice-decisions", file.name], check=True, capture_output=True, text=True).stdout.strip()
    return np.frombuffer(line.encode(), np.uint8) == ord("1")


def webrtc(mode, length):
    """The WebRTC detector with frames of `length` × 10 ms."""
    import webrtcvad

    def decide(samples):
        detector = webrtcvad.Vad(mode)
        size = FRAME * length
        whole = samples[: len(samples) // size * size].reshape(-1, size)
        decisions = np.repeat([detector.is_speech(frame.tobytes(), RATE) for frame in whole], length)
        return np.pad(decisions, (0, len(samples) // FRAME - len(decisions)), mode="edge")

    return decide



def speex(probability=None):
    """The detector of speexdsp's preprocessor (Debian's libspeexdsp1), with frames of 20 ms.

    `probability` is the threshold in per cent for the start and the continuation of voice. If it is
    None, speexdsp uses its own thresholds.
    """
    library = ctypes.CDLL(ctypes.util.find_library("speexdsp") or "libspeexdsp.so.1")
    library.speex_preprocess_state_init.restype = ctypes.c_void_p
    size = 2 * FRAME

    def decide(samples):
        with _quiet():
            state = ctypes.c_void_p(library.speex_preprocess_state_init(size, RATE))
            settings = [(0, 1), (4, 1)]  # denoising and detection on
            if probability is not None:
                settings += [(14, probability), (16, probability)]
            for request, value in settings:
                library.speex_preprocess_ctl(state, request, ctypes.byref(ctypes.c_int(value)))
        decisions = []
        for place in range(0, len(samples) - size + 1, size):
            frame = np.ascontiguousarray(samples[place : place + size])
            speaks = library.speex_preprocess_run(state, frame.ctypes.data_as(ctypes.c_void_p))
            decisions += [bool(speaks)] * 2
        library.speex_preprocess_state_destroy(state)
        return np.pad(np.array(decisions), (0, len(samples) // FRAME - len(decisions)), mode="edge")

    return decide


@contextlib.contextmanager
def _quiet():
    """Suppresses the output of a library to standard error."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def all_detectors():
    """All detectors by name. Detectors that are not installed are skipped with a message."""
    found = {"ours": ours}
    try:
        import webrtcvad  # noqa: F401

        for mode in range(4):
            for length in (1, 3):
                found[f"webrtcvad mode {mode}, {10 * length} ms"] = webrtc(mode, length)
    except ImportError:
        print("webrtcvad is not installed: pip install webrtcvad")
    try:
        ctypes.CDLL(ctypes.util.find_library("speexdsp") or "libspeexdsp.so.1")
        found["speexdsp as it comes"] = speex()
        for probability in (70, 90):
            found[f"speexdsp at {probability} %"] = speex(probability)
    except OSError:
        print("speexdsp is not installed: apt-get install libspeexdsp1")
    return found
