"""Checks the sound of the page of Examples/hearing-web, measured at the output of its audio context."""
import array, io, math, struct, time, wave

STATUS = "document.querySelector('#status').textContent"


def tones(left, right):
    """A WAV file of three seconds at 44.1 kHz: a tone in each channel, with a peak of 0.1."""
    samples = array.array("h")
    for frame in range(3 * 44_100):
        samples.extend(round(3276.7 * math.sin(2 * math.pi * frequency * frame / 44_100)) for frequency in (left, right))
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((2, 2, 44_100, 0, "NONE", ""))
        writer.writeframes(samples.tobytes())
    return file.getvalue()


def floats(channels):
    """A WAV file at 48 kHz with 32-bit floats. A float may be NaN."""
    data = struct.pack(f"<{len(channels) * len(channels[0])}f", *(sample for frame in zip(*channels) for sample in frame))
    count = len(channels)
    return b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack(
        "<IHHIIHH", 16, 3, count, 48_000, 192_000 * count, 4 * count, 32) + b"data" + struct.pack("<I", len(data)) + data


def near(page, heard, expected, text, tolerance=0.15):
    """Checks that the levels of both ears are near the expected levels in dB."""
    levels = [ear["level"] for ear in heard]
    page.check(all(abs(level - other) <= tolerance for level, other in zip(levels, expected)),
               f"{text}: {levels[0]:.2f} and {levels[1]:.2f} dB instead of {expected[0]:.2f} and {expected[1]:.2f}")


def level(data):
    """The level in dB of the left channel of a saved file, measured from 1 s to 2 s."""
    samples = [int.from_bytes(data[44 + 6 * frame:47 + 6 * frame], "little", signed=True) / 2**23
               for frame in range(48_000, 96_000)]
    return 10 * math.log10(sum(sample * sample for sample in samples) / len(samples))


def check_levels(page):
    """Checks that files play at the level of the slider, or that a hint states another level."""
    page.open()
    page.click("#processing")
    page.click('#source input[value="file"]')
    page.focus("#level")
    tone = [0.1 * math.sqrt(2) * math.sin(math.pi * frame / 24) for frame in range(2 * 48_000)]
    page.evaluate(f"void new MutationObserver(() => (window.isReading ||= {STATUS} === 'Reading centre.wav'))"
                  ".observe(document.querySelector('#status'), { childList: true })")
    silence = [0.0] * len(tone)
    peak = [*tone]
    peak[100] = 1.0
    invalid = [*tone]
    invalid[100:103] = [math.nan, math.inf, -math.inf]
    for name, channels, key, spl, hint in [
            ("centre", [silence, silence, tone, silence, silence, silence], "", 65, ""),
            ("invalid", [invalid], "", 65, ""),
            ("soft", [[0.01 * sample for sample in tone]], "End", 90, ""),
            ("peak", [peak, peak], "End", 80, "This sound is heard at 80 dB SPL, because its peaks reach full scale.")]:
        page.press(*[key] if key else [])
        page.give("file", f"{name}.wav", floats(channels))
        page.wait(f"{STATUS} === '{name}.wav is ready'")
        page.click("#save-sound")
        found = 100 + level(page.download("file.wav"))
        page.check(abs(found - spl) < 0.1, f"{name}: {found:.1f} dB SPL are heard instead of {spl}")
        shown = page.evaluate("document.querySelector('#level-hint:not([hidden])')?.textContent ?? ''")
        page.check(shown == hint, f"{name}: the page says {shown!r}")
        page.focus("#level")
    page.check(page.evaluate("Boolean(window.isReading)"), "the page does not say that it reads a file")
    page.press("Home")
    page.check(page.evaluate("!document.querySelector('#level-hint:not([hidden])')"), "at a low level, the hint about peaks remains")
    page.check_console()


def play(page):
    page.click("#play")
    page.wait(f"{STATUS}.startsWith('Playing')")


def check_listening(page):
    """Checks the effects of controls on tones of known level.

    The controls are the listener's files, the switch, equal loudness and the sliders.
    """
    page.open()
    page.choose("rule", "NAL-R")
    page.click('#ears input[value="right"]')
    page.choose("standard", "N4")
    gains = page.gains()
    gain = [gains["1000 Hz"][0], gains["2000 Hz"][1]]
    page.check(gain[0] > 10 and gain[1] > gain[0], f"the gains of N3 at 1 kHz and of N4 at 2 kHz are {gain}")

    page.click('#source input[value="file"]')
    page.click("#play")
    page.wait(f"{STATUS} === 'Choose a sound file first.'")
    page.check(page.text("#play") == "Play", "the page plays without a file")
    page.give("file", "broken.wav", b"RIFF, but no sound")
    page.wait(f"{STATUS} === 'The browser cannot read broken.wav as sound.'")
    page.give("file", "tones.wav", tones(1000, 2000))
    page.wait(f"{STATUS} === 'tones.wav is ready'")
    page.click("#play")
    page.wait(f"{STATUS}.startsWith('Playing')")

    # 65 dB SPL are 35 dB below full scale.
    heard = page.heard()
    near(page, heard, [gain[0] - 35, gain[1] - 35], "processed", 0.3)
    for ear, frequency in zip(heard, (1000, 2000)):
        page.check(abs(ear["frequency"] - frequency) < 0.5, f"a tone of {frequency} Hz is heard at {ear['frequency']:.1f} Hz")
    processed = [ear["level"] for ear in heard]
    page.click("#processing")
    page.check(page.attribute("#processing", "aria-checked") == "false", "the switch is not shown as off")
    near(page, page.heard(), [-35, -35], "unprocessed")
    page.focus("#level")
    page.press(*["ArrowRight"] * 5)
    page.check(page.text("#level-text") == "70 dB SPL", f"the level is shown as {page.text('#level-text')}")
    near(page, page.heard(), [-30, -30], "unprocessed, 5 dB louder")
    page.press(*["ArrowLeft"] * 5)
    page.focus("#processing")
    page.press("Space")
    page.wait("document.querySelector('#processing').getAttribute('aria-checked') === 'true'")
    near(page, page.heard(), processed, "processed again")

    page.focus("#intensity")
    page.press("Home")
    page.check(page.text("#intensity-text") == "0 %", f"the intensity is shown as {page.text('#intensity-text')}")
    near(page, page.heard(), [-35, -35], "without intensity")
    page.press(*["ArrowRight"] * 10)
    page.check(page.text("#intensity-text") == "50 %", f"half the intensity is shown as {page.text('#intensity-text')}")
    near(page, page.heard(), [gain[0] / 2 - 35, gain[1] / 2 - 35], "half the intensity", 0.3)
    page.press("End")
    page.give("file", "broken.wav", b"RIFF, but no sound")
    page.wait(f"{STATUS} === 'The browser cannot read broken.wav as sound.'")
    time.sleep(1.5)  # longer than the delay of the statistics
    page.check("cannot read" in page.evaluate(STATUS), f"a failure is replaced by {page.evaluate(STATUS)!r}")
    shown = page.evaluate("[...document.querySelector('#file').files].map(file => file.name).join()")
    page.check(shown == "tones.wav", f"while tones.wav plays, the page shows the file {shown}")

    # Both ears get the same tone and have the same audiogram, so that equal loudness means equal
    # level.
    page.give("file", "tone.wav", tones(1000, 1000))
    page.click('#ears input[value="both"]')
    page.choose("standard", "N3")
    page.wait(f"{STATUS}.startsWith('Playing')")
    near(page, page.heard(), [gain[0] - 35] * 2, "both ears processed", 0.3)
    page.click('#comparison input[value="matched"]')
    near(page, page.heard(), [-35, -35], "processed, at equal loudness")
    page.click("#processing")
    near(page, page.heard(), [-35, -35], "unprocessed, at equal loudness")
    page.click('#comparison input[value="asIs"]')
    page.hold(True)
    near(page, page.heard(), [gain[0] - 35] * 2, "unprocessed, while the space bar is held", 0.3)
    page.hold(False)
    near(page, page.heard(), [-35, -35], "unprocessed, as it is")
    # While the button has the focus, a long press of the key compares, and a short press stops the
    # sound.
    page.focus("#play")
    page.browser.press("Space", seconds=1)
    page.check(page.text("#heard") == "You hear: the original", f"after a long press the page says {page.text('#heard')!r}")
    page.check(page.text("#play") == "Stop", "a long press of the space bar stops the sound")
    page.browser.press("Space", seconds=0)
    page.wait("document.querySelector('#play').textContent === 'Play'")
    page.browser.press("Space", seconds=0)
    page.wait(f"{STATUS}.startsWith('Playing')")

    # 40 dB HL at 1 kHz: a tone of 65 dB SPL sounds like 38.9 dB SPL. The processing raises this
    # level.
    page.click("#loss")
    lost = page.heard()
    near(page, lost, [38.9 - 100] * 2, "as heard with the loss", 2.5)
    page.click("#processing")
    helped = page.heard()[0]["level"] - lost[0]["level"]
    page.check(helped > gain[0], f"the processing raises what is heard with the loss by {helped:.1f} dB")
    page.click("#save-sound")
    data = page.download("file-with-loss-processed.wav")
    page.check(abs(level(data) - lost[0]["level"] - helped) < 0.5 and len(data) == 44 + 6 * 3 * 48_000,
               f"the saved file has {len(data)} bytes and a level of {level(data):.1f} dB")
    page.click("#loss")
    near(page, page.heard(), [gain[0] - 35] * 2, "processed, without the loss", 0.3)

    page.click("#play")
    page.wait(f"{STATUS} === 'Stopped'")
    page.check(max(ear["level"] for ear in page.heard()) < -100, "the sound does not stop")
    page.check_console()


def check_devices(page):
    """Checks an output device with a low sample rate, and sound that stops or cannot start.

    After an interruption, the sound must start again.
    """
    page.open(fragment="?rate=16000")
    page.click("#processing")
    page.click('#source input[value="file"]')
    page.give("file", "tone.wav", tones(1000, 1000))
    page.wait(f"{STATUS} === 'tone.wav is ready'")
    page.click("#play")
    page.wait(f"{STATUS}.startsWith('Playing') || document.querySelector('#status.failed')")
    page.check(page.text("#status").startswith("Playing"), f"at 16 kHz the page says {page.text('#status')!r}")
    near(page, page.heard(), [-35, -35], "unprocessed, at 16 kHz")
    page.click("#loss")
    page.click("#save-sound")
    saved = level(page.download("file-with-loss.wav"))
    page.check(abs(saved + 61.1) < 2.5, f"with a device of 16 kHz, the saved sound with the loss has {saved:.1f} dB")

    page.evaluate("contexts.at(-1).suspend().then(() => true)")
    page.wait(f"{STATUS} === 'The system has interrupted the sound.'")
    page.check(page.text("#play") == "Play", "after an interruption the page seems to play")
    # Each of these functions of the browser fails once. After the failure, the page must play
    # again.
    for change, message in [
            ("""const { addModule } = AudioWorklet.prototype;
                AudioWorklet.prototype.addModule = async function () {
                  AudioWorklet.prototype.addModule = addModule;
                  throw new Error("No connection");
                };""", "No connection"),
            ("""const later = setTimeout, { resume } = AudioContext.prototype;
                AudioContext.prototype.resume = () => new Promise(() => {});
                window.setTimeout = (action, delay) => later(delay < 5000 ? action : () => {
                  Object.assign(AudioContext.prototype, { resume });
                  window.setTimeout = later;
                  action();
                }, Math.min(delay, 100));""", "The browser starts no sound. Is a headphone or a loudspeaker connected?"),
            ("""let isSecure = false;
                Object.defineProperty(window, "isSecureContext", { get: () => isSecure || !(isSecure = true) });""", "Browsers process sound only on localhost or over HTTPS.")]:
        page.evaluate(f"void (() => {{ {change} }})()")
        page.click("#play")
        page.wait(f"{STATUS} === '{message}'")
    play(page)
    page.click("#play")
    page.wait("contexts.every(context => context.state === 'closed')")
    page.check_console()


def check_microphone(page):
    """Checks the fake microphone, with a tone or beeps, and a microphone without permission."""
    page.open()
    page.click('#source input[value="microphone"]')
    page.check(page.evaluate("getComputedStyle(document.querySelector('#microphone-hint')).display") != "none",
               "the microphone has no advice")
    page.check(page.evaluate("document.querySelector('#level').disabled"), "the level of the microphone can be changed")
    page.click("#play")
    page.wait(f"{STATUS}.startsWith('Playing')")
    end = time.monotonic() + 5
    loudest = -200
    while loudest < -60 and time.monotonic() < end:
        loudest = max(loudest, *(ear["level"] for ear in page.evaluate("heard()")))
    page.check(loudest >= -60, f"the microphone is heard at {loudest:.0f} dB")
    page.wait("document.querySelectorAll('#levels .output').length === 20")

    page.click("#play")
    page.wait(f"{STATUS} === 'Stopped'")
    page.evaluate("""void (() => {
      const { mediaDevices } = navigator, getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = async constraints => window.stream = await getUserMedia(constraints);
    })()""")
    play(page)
    page.evaluate("void stream.getTracks()[0].dispatchEvent(new Event('ended'))")
    page.wait(f"{STATUS} === 'The microphone has been switched off.'")
    page.check(page.text("#play") == "Play", "without its microphone the page seems to play")
    for name, message in [("NotAllowedError", "The browser does not permit the microphone."),
                          ("NotFoundError", "There is no microphone.")]:
        page.click('#source input[value="speech"]')
        page.click("#play")
        page.wait(f"{STATUS}.startsWith('Playing')")
        page.evaluate(f"""(() => {{ navigator.mediaDevices.getUserMedia = async () => {{
          throw new DOMException("", "{name}"); }}; }})()""")
        page.click('#source input[value="microphone"]')
        page.wait(f"{STATUS} === '{message}'")
        page.check(page.text("#play") == "Play", f"after {name} the sound before goes on")
    page.check_console()
