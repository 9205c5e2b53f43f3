"""Checks the controls of the page of Examples/hearing-web: the audiogram and its files."""
import json, os, subprocess, tempfile

POINT = '#audiogram .point.right[data-index="6"]'  # 2000 Hz of both ears
LAST = '#audiogram .point.right[data-index="9"]'  # 6000 Hz


def check_audiogram(page):
    """Moving points by mouse, keys and touch."""
    page.open()
    before = page.gains()
    page.check(page.threshold(POINT) == 50, f"the threshold of N3 at 2 kHz is shown as {page.threshold(POINT)} dB HL")
    page.drag(POINT, 40)
    after = page.gains()
    page.check(page.threshold(POINT) > 50, "dragging a point down with the mouse does not raise the threshold")
    page.check(all(after["2000 Hz"][ear] > before["2000 Hz"][ear] + 2 for ear in (0, 1)),
               f"dragging a point leaves the gains {before['2000 Hz']} at {after['2000 Hz']}")
    page.check(abs(after["250 Hz"][0] - before["250 Hz"][0]) < 2, "dragging a point at 2 kHz changes the gain at 250 Hz")
    page.check(page.evaluate("document.getElementById('standard').value") == "", "a changed audiogram is still called N3")

    page.focus(POINT)
    for key, shift, change in [("ArrowUp", False, -5), ("ArrowDown", False, 5), ("ArrowDown", True, 1), ("ArrowUp", True, -1),
                               ("PageUp", False, -20), ("PageDown", False, 20)]:
        threshold = page.threshold(POINT)
        page.press(key, shift=shift)
        page.check(page.threshold(POINT) == threshold + change,
                   f"{'Shift and ' * shift}{key} changes {threshold} dB HL to {page.threshold(POINT)}")
    for key, threshold in [("Home", -10), ("End", 120), ("ArrowDown", 120)]:
        page.press(key)
        page.check(page.threshold(POINT) == threshold, f"{key} leads to {page.threshold(POINT)} dB HL")
    page.check(page.attribute(POINT, "aria-valuetext") == "120 dB HL", "the value is not read with its unit")
    focused = "document.activeElement.getAttribute('aria-label')"
    page.press("ArrowRight")
    page.check(page.evaluate(focused) == "Threshold at 3000 Hz, both ears", f"ArrowRight goes to {page.evaluate(focused)}")
    page.focus(LAST)
    page.press("ArrowRight")
    page.check(page.evaluate(focused) == "Threshold at 6000 Hz, both ears",
               f"ArrowRight leaves the last point for {page.evaluate(focused)}")
    page.focus("#loss")
    page.press("Tab")
    page.check(page.evaluate(focused) == "Threshold at 250 Hz, both ears", f"Tab goes to {page.evaluate(focused)}")
    ring = page.evaluate("[...document.activeElement.querySelectorAll('.focus')].map(ring => getComputedStyle(ring).stroke)")
    page.check(len(ring) == 1 and ring != ["none"], "the point that has the focus is not marked")

    page.click('#ears input[value="left"]')
    page.focus('#audiogram .point.left[data-index="0"]')
    page.press("PageDown")
    one = page.gains()["250 Hz"]
    page.check(one[0] > one[1], f"changing the left ear alone leads to the gains {one}")

    page.click('#ears input[value="both"]')
    page.choose("standard", "N5")
    page.choose("rule", "NAL-R")
    strong = page.gains()["1000 Hz"]
    page.check(strong[0] > 30 and strong[0] == strong[1], f"NAL-R for N5 leads to the gains {strong} at 1 kHz")
    page.choose("rule", "Default of the program")
    speech = page.gains()["1000 Hz"]
    page.click('#program input[value="1"]')
    page.check(page.gains()["1000 Hz"] != speech, "the program for music has the gains of that for speech")
    page.check_console()

    page.open(width=390)
    before = page.gains()["2000 Hz"]
    page.drag(POINT, 40, kind="touch")
    after = page.gains()["2000 Hz"]
    page.check(after[0] > before[0] + 0.5, f"dragging a point by touch leaves the gain {before} at {after}")


def check_sharing(page):
    """The applied gains, fine tuning, the link, the report, the first screen on a phone."""
    page.open()
    hidden = "document.getElementById('off').hidden"
    page.check(page.evaluate(hidden), "with processing, the page says that it is off")
    page.check(page.text("#heard") == "You hear: with processing", f"the page says {page.text('#heard')!r}")
    page.click("#processing")
    page.check(not page.evaluate(hidden), "without processing, the page does not say that nothing is applied")
    opacity = "getComputedStyle(document.querySelector('#gain .line')).opacity"
    page.check(float(page.evaluate(opacity)) < 0.5, "without processing, the prescribed gains are not faint")
    page.hold(True)
    page.check(page.text("#heard") == "You hear: with processing (held)", f"holding the space bar: {page.text('#heard')!r}")
    page.hold(False)
    page.check(page.text("#heard") == "You hear: the original", f"after holding the space bar: {page.text('#heard')!r}")
    page.click("#loss")
    page.check("with this loss, without" in page.text("#heard"), f"with the loss the page says {page.text('#heard')!r}")

    page.choose("standard", "Severe, nearly flat (N5)")
    page.choose("rule", "NAL-R")
    usual = page.gains()
    page.evaluate("document.getElementById('tuning').open = true")
    page.focus("#loudness")
    page.press("Home")
    softer = page.gains()
    page.check(abs(usual["1000 Hz"][0] - softer["1000 Hz"][0] - 6) < 0.11,
               f"softer changes the gain at 1 kHz from {usual['1000 Hz'][0]} to {softer['1000 Hz'][0]} dB")
    page.click('#ears input[value="left"]')
    page.focus('#audiogram .point.left[data-index="4"]')
    page.press("ArrowUp")
    page.click('#program input[value="1"]')
    gains = page.gains()
    page.wait("location.hash.includes('program=music')")
    fragment = page.evaluate("location.hash")
    page.check("left=250:65," in fragment and "rule=nal-r" in fragment and "tuning=-1,0,0" in fragment,
               f"the address ends with {fragment}")
    page.open(fragment=fragment)
    page.check(page.gains() == gains, "the link leads to other gains")
    page.check(page.evaluate("location.hash") == fragment, "opening a link changes it")
    page.click("#save-report")
    text = page.download("fitting.html").decode()
    for part in ("<h1>Fitting</h1>", "NAL-R", "Left ear", "<svg", "-1", f"<td>{gains['1000 Hz'][0]:.1f}</td>"):
        page.check(part in text, f"the report has no {part}")
    page.check("NaN" not in text and "undefined" not in text, "the report has values that are no numbers")
    for wrong in ("#left=1:2", "#left=250:x", "#rule=nal-r", "#left=500:20,250:20", "#left=250:20&level=500",
                  "#left=250:20&rule=x", "#left=250:20&program=x", "#left=250:20&tuning=3,0,0"):
        page.open(fragment=wrong)
        page.check(page.text("#profile-message").startswith("The link has"), f"{wrong} is not refused")
    page.check_console()

    page.open()
    page.click("#take-test")
    page.wait("document.getElementById('test').open && document.querySelector('#test-heard').textContent === 'Start'")
    page.click("#test-heard")
    page.wait("document.querySelector('#test-heard').textContent === 'I hear it' && "
              "document.querySelector('#test-text').textContent === '0 tones so far'")
    page.click("#test-cancel")
    page.wait("!document.getElementById('test').open")
    page.check_console()

    page.open(width=390, height=844)
    for name in ("play", "processing", "loss", "audiogram"):
        box = page.evaluate(f"(() => {{ const box = document.getElementById('{name}').getBoundingClientRect();"
                            "return [box.top, box.bottom]; })()")
        page.check(box[0] >= 0 and box[1] <= 844, f"on a phone {name} is at {box}, not on the first screen")
    page.evaluate("scrollTo(0, 2000)")
    page.settle()
    page.check(0 <= page.evaluate("document.getElementById('processing').getBoundingClientRect().top") < 150,
               "on a phone the switch does not stay while the page is scrolled")


def profile(*points, **other):
    """A profile of the right ear."""
    points = [{"frequency": frequency, "threshold": threshold} for frequency, threshold in points]
    return {"format": "hearing-profile", "version": 1, "right": {"points": points}, **other}


# The error message for each damaged profile.
DAMAGED = [
    ("{", "The file is not JSON."),
    ("[]", "The file is not a hearing profile."),
    (profile((500, 40), version=9), "Version 9 of hearing profiles is unknown."),
    ({"format": "hearing-profile", "version": 1}, "The profile has no audiogram."),
    (profile((500, 40), left={}), "left: there are no points."),
    (profile(), "right: an audiogram has 1 to 10000 points."),
    (profile(("500", 40)), "right, point 1: the frequency is not a number."),
    (profile((500, 40), (1000, "a lot")), "right, point 2: the threshold is not a number."),
    (profile((500, 40), (99.5, 40)), "right, point 2: 99.5 Hz is outside 100 to 20000 Hz."),
    (profile((20001, 40)), "right, point 1: 20001 Hz is outside 100 to 20000 Hz."),
    (profile((500, -21)), "right, point 1: -21 dB HL is outside -20 to 130 dB HL."),
    (profile((500, 130.5)), "right, point 1: 130.5 dB HL is outside -20 to 130 dB HL."),
    (profile((500, 40), (500, 50)), "right: 500 Hz occurs twice."),
]
# Values at the limits, which native code accepts too.
EXTREME = profile((100, -20), (20000, 130))


def check_profiles(page, binaries):
    """Opening and saving profiles; native code accepts and refuses the same files."""
    page.open()
    give(page, "one ear.json", profile((500, 40), (4000, 70)))
    page.wait("document.querySelectorAll('#audiogram .point').length === 2")
    gains = page.gains()
    page.check(gains["1000 Hz"][0] == 0 and gains["1000 Hz"][1] > 0,
               f"a profile of the right ear has the gains {gains['1000 Hz']}")
    unanswered = profile((500, 40), (4000, 70))
    unanswered["right"]["points"][1]["isNoResponse"] = True
    give(page, "no response.json", unanswered)
    page.wait("document.querySelector('#audiogram .unanswered')")
    unchanged = page.gains()
    page.check(unchanged["4000 Hz"][1] >= gains["4000 Hz"][1], "no response lowers the gain")

    for content, reason in DAMAGED:
        page.evaluate("document.querySelector('#profile-message').textContent = ''")
        give(page, "damaged.json", content)
        page.wait("document.querySelector('#profile-message').textContent")
        message = page.text("#profile-message")
        page.check(message == f"damaged.json: {reason}", f"{content} is reported as {message!r}")
    page.check(page.gains() == unchanged, "a damaged profile changes the gains")

    give(page, "extreme.json", EXTREME)
    page.wait("document.querySelectorAll('#audiogram .point').length === 2 && !document.querySelector('.unanswered')")
    page.check(page.text("#profile-message") == "", "the message on the file before remains")
    ends = [page.threshold(f'#audiogram .point.right[data-index="{index}"]') for index in (0, 1)]
    page.check(ends == [-10, 120], f"thresholds of -20 and 130 dB HL are shown as {ends}")
    page.check_console()

    page.open()
    page.focus(POINT)
    page.press("ArrowDown", shift=True)
    gains = page.gains()
    page.click("#save")
    saved = page.download("profile.json")
    for ear in ("left", "right"):
        points = {point["frequency"]: point["threshold"] for point in json.loads(saved).get(ear, {"points": []})["points"]}
        page.check(points.get(2000) == 51 and points.get(1000) == 40 and len(points) == 10, f"{ear}: {points} are saved")
    page.choose("standard", "N7")
    page.check(page.gains() != gains, "another standard audiogram has the same gains")
    give(page, "profile.json", json.loads(saved))
    page.wait("document.getElementById('standard').value === ''")
    page.check(page.gains() == gains, "a saved profile has other gains when it is opened")

    if binaries:
        page.check(is_accepted(binaries, saved), "hearing-fit refuses the profile that the page has saved")
        page.check(is_accepted(binaries, encoded(EXTREME)), "hearing-fit refuses thresholds at the limits")
        for content, _ in DAMAGED:
            page.check(not is_accepted(binaries, encoded(content)), f"hearing-fit accepts {content}")


def encoded(content):
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def give(page, name, content):
    page.give("profile", name, encoded(content))


def is_accepted(binaries, data):
    """Whether the native program makes a preset for the profile."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        with open(path, "wb") as file:
            file.write(data)
        return subprocess.run([os.path.join(binaries, "hearing-fit"), path, "--out", os.path.join(folder, "preset.json")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
