"""WebRTC's AEC3 from the `livekit` wheel, on arrays at 16 kHz."""
import time
import numpy as np
from livekit import rtc
from livekit.rtc.apm import AudioProcessingModule

FRAME = 160


def process(microphone, reference, noise_suppression=False, gain=False, echo=True, delay=0):
    """The processed microphone, and the processor time in µs for each 10 ms."""
    module = AudioProcessingModule(
        echo_cancellation=echo, noise_suppression=noise_suppression, high_pass_filter=False, auto_gain_control=gain)
    channels = len(reference)
    played = np.clip(np.round(reference.T * 32768), -32768, 32767).astype("<i2")
    heard = np.clip(np.round(microphone * 32768), -32768, 32767).astype("<i2")
    output = np.zeros(len(heard))
    start = time.process_time()
    for index in range(0, len(heard) - FRAME + 1, FRAME):
        if echo:
            frame = rtc.AudioFrame(bytearray(played[index:index + FRAME].tobytes()), 16_000, channels, FRAME)
            module.process_reverse_stream(frame)
            module.set_stream_delay_ms(delay)
        frame = rtc.AudioFrame(bytearray(heard[index:index + FRAME].tobytes()), 16_000, 1, FRAME)
        module.process_stream(frame)
        output[index:index + FRAME] = np.frombuffer(frame.data, "<i2") / 32768
    return output, (time.process_time() - start) / (len(heard) / FRAME) * 1e6
