"""Other echo cancellers at 16 kHz.

They are WebRTC's AEC3 (wheel `livekit`) and speexdsp (Debian's libspeexdsp1).
"""
import ctypes, time
import numpy as np
from livekit import rtc
from livekit.rtc.apm import AudioProcessingModule

FRAME = 160


def integers(samples):
    return np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")


def aec3(microphone, reference, noise_suppression=False, gain=False, echo=True):
    """The processed microphone signal, and the processor time in µs for each 10 ms."""
    module = AudioProcessingModule(
        echo_cancellation=echo, noise_suppression=noise_suppression, high_pass_filter=False, auto_gain_control=gain)
    channels = len(reference)
    played, heard = integers(reference.T), integers(microphone)
    output = np.zeros(len(heard))
    start = time.process_time()
    for index in range(0, len(heard) - FRAME + 1, FRAME):
        if echo:
            frame = rtc.AudioFrame(bytearray(played[index:index + FRAME].tobytes()), 16_000, channels, FRAME)
            module.process_reverse_stream(frame)
            module.set_stream_delay_ms(0)
        frame = rtc.AudioFrame(bytearray(heard[index:index + FRAME].tobytes()), 16_000, 1, FRAME)
        module.process_stream(frame)
        output[index:index + FRAME] = np.frombuffer(frame.data, "<i2") / 32768
    return output, (time.process_time() - start) / (len(heard) / FRAME) * 1e6


def speexdsp(microphone, reference, tail=0.192):
    """The microphone signal after speexdsp's canceller and its suppression of residual echo."""
    library = ctypes.CDLL("libspeexdsp.so.1")
    library.speex_echo_state_init.restype = library.speex_preprocess_state_init.restype = ctypes.c_void_p
    echo = ctypes.c_void_p(library.speex_echo_state_init(FRAME, int(tail * 16_000)))
    rest = ctypes.c_void_p(library.speex_preprocess_state_init(FRAME, 16_000))
    library.speex_echo_ctl(echo, 24, ctypes.byref(ctypes.c_int(16_000)))
    library.speex_preprocess_ctl(rest, 8, ctypes.byref(ctypes.c_int(0)))    # noise suppression: 0 dB
    library.speex_preprocess_ctl(rest, 24, echo)
    heard, played = integers(microphone), integers(reference.mean(0))
    output = np.zeros(len(heard), "<i2")
    address = lambda array, start: ctypes.c_void_p(array.ctypes.data + 2 * start)
    for start in range(0, len(heard) - FRAME + 1, FRAME):
        library.speex_echo_cancellation(echo, address(heard, start), address(played, start), address(output, start))
        library.speex_preprocess_run(rest, address(output, start))
    library.speex_echo_state_destroy(echo)
    library.speex_preprocess_state_destroy(rest)
    return output / 32768
