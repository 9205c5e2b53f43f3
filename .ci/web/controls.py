"""Checks the controls of the page of Examples/hearing-web: the audiogram and its files."""
import json, os, subprocess, tempfile

EXAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "Examples", "hearing-fit", "mine.csv")
POINT = '#audiogram .point.right[data-index="6"]'  # 2000 Hz of both ears
LAST = '#audiogram .point.right[data-index="9"]'  # 6000 Hz


def check_audiogram(page):
    """Checks that points of the audiogram can be moved with mouse, keys and touch."""
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

    fragment = "#left=500:70,1000:75!,2000:80&right=500:20,1000:25,2000:30&test=bayesian:uncalibrated,no-responses"
    page.open(fragment=fragment)
    point = '#audiogram .point.right[data-index="1"]'
    spoken = page.attribute(point, "aria-valuetext")
    page.check(spoken == "right 25 dB HL; left 75 dB HL, no response", f"different ears are read as {spoken!r}")
    page.check("not reliable" in page.text("#test-note"), "the link has no warning")
    page.focus(point)
    page.press("ArrowDown")
    spoken = page.attribute(point, "aria-valuetext")
    page.check(spoken == "right 30 dB HL; left 80 dB HL", f"moving both ears by 5 dB leads to {spoken!r}")
    page.check(page.evaluate("document.getElementById('test-note').hidden"), "a changed threshold is still called measured")
    page.wait("!location.hash.includes('test=')")
    page.evaluate(f"void (location.hash = '{fragment}')")
    page.wait("!document.getElementById('test-note').hidden")
    page.click('#ears input[value="left"]')
    page.choose("standard", "N2")
    page.check(page.evaluate("document.getElementById('test-note').hidden"), "N2 in one ear is still called measured")

    page.open()
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
    """Checks applied gains, fine tuning, the link, the report and the first screen on a phone."""
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
    page.check("Levels are nominal" in text, "the report does not say that levels are nominal")
    page.check('<meta name="color-scheme" content="light dark">' in text, "the report has no dark colours for links")
    for part in ("<h1>Fitting</h1>", "NAL-R", "Left ear", "<svg", "-1", f"<td>{gains['1000 Hz'][0]:.1f}</td>"):
        page.check(part in text, f"the report has no {part}")
    page.check("NaN" not in text and "undefined" not in text, "the report has values that are no numbers")
    for wrong in ("#left=1:2", "#left=250:x", "#rule=nal-r", "#left=500:20,250:20", "#left=250:20&level=500",
                  "#left=250:20&rule=x", "#left=250:20&program=x", "#left=250:20&tuning=3,0,0"):
        page.open(fragment=wrong)
        page.check(page.text("#profile-message").startswith("The link has"), f"{wrong} is not refused")
    page.check_console()

    page.open()
    page.click("#save-report")
    text = page.download("fitting.html").decode()
    page.check("Comfortable speech (default of the program)" in text, "the report does not name the default rule")
    page.click('#ears input[value="right"]')
    page.choose("standard", "N5")
    name = "document.getElementById('standard').value"
    names = [page.evaluate(name)]
    for ear in ("left", "both"):
        page.click(f'#ears input[value="{ear}"]')
        page.settle()
        names.append(page.evaluate(name))
    page.check(names == ["N5", "N3", ""], f"with N5 in the right ear, the list shows {names} for right, left and both")
    page.click("#save-report")
    text = page.download("fitting.html").decode()
    for row in ("left ear</th><td>Moderate, sloping (N3)", "right ear</th><td>Severe, nearly flat (N5)"):
        page.check(f"Hearing: {row}" in text, f"the report has no row {row!r}")

    # Without a fragment in the address, the page shows the first fitting again. After a reload, the
    # controls must show the settings with which the sound is processed.
    page.open()
    first = page.gains()
    page.evaluate("void (location.hash = '#left=500:20,1000:30&rule=nal-r')")
    page.wait("document.querySelectorAll('#audiogram .point').length === 2")
    page.evaluate("history.back()")
    page.wait("document.querySelectorAll('#audiogram .point').length === 20")
    page.check(page.gains() == first and page.text("#profile-message") == "", "without a fragment, the fitting before remains")
    page.click('#source input[value="file"]')
    page.click('#comparison input[value="matched"]')
    page.focus("#level")
    page.press(*["ArrowRight"] * 5)
    page.wait("location.hash.includes('level=70')")
    page.reload()
    shown = page.evaluate("[document.querySelector('#level').value, document.querySelector('#level-text').value]"
                          ".concat(['source', 'comparison'].map(name => document.querySelector(`[name=${name}]:checked`).value))")
    page.check(shown == ["70", "70 dB SPL", "speech", "asIs"], f"a page with 70 dB SPL shows {shown} after a reload")

    page.open(width=390, height=844)
    for name in ("play", "processing", "loss", "audiogram"):
        box = page.evaluate(f"(() => {{ const box = document.getElementById('{name}').getBoundingClientRect();"
                            "return [box.top, box.bottom]; })()")
        page.check(box[0] >= 0 and box[1] <= 844, f"on a phone {name} is at {box}, not on the first screen")
    page.evaluate("scrollTo(0, 2000)")
    page.settle()
    page.check(0 <= page.evaluate("document.getElementById('processing').getBoundingClientRect().top") < 150,
               "on a phone the switch does not stay while the page is scrolled")
    page.open(width=320, height=256)  # zoom of 400 % at 1280 x 1024
    page.evaluate("scrollTo(0, 600)")
    page.settle()
    page.check(page.evaluate("document.querySelector('.bar').getBoundingClientRect().bottom") < 0,
               "in a low window, the bar covers the page")
    page.open(width=320, height=700)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.check(wide <= 320, f"on a screen of 320 px the page is {wide} px wide")
    right = page.evaluate("document.getElementById('standard').getBoundingClientRect().right")
    page.check(right <= 320 - 8 - 12, f"on a screen of 320 px the list of audiograms ends at {right} px")

    # Moves the focus backwards through all controls. The bar must not hide any of them.
    page.open(width=380, height=700)
    page.focus("#frequency")
    names = set()
    for _ in range(60):
        page.press("Tab", shift=True)
        name, top, isBehind = page.evaluate("""(() => {
          const element = document.activeElement, bar = document.querySelector(".bar");
          const { top } = element.getBoundingClientRect(), { bottom } = bar.getBoundingClientRect();
          return [element.id || element.getAttribute("aria-label") || element.value || element.tagName, top,
                  !bar.contains(element) && element !== document.body && top < bottom];
        })()""")
        page.check(not isBehind, f"with Shift+Tab, {name} gets the focus at {top:.0f} px, behind the bar")
        names.add(name)
        if name == "play":
            break
    page.check("play" in names and "level" in names, f"Shift+Tab leads to {sorted(names)}")


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
# The error message for each profile that only native code reads.
REFUSED = [
    (profile((500, 40), rightDiscomfort={"points": [{"frequency": 500, "threshold": 90}]}),
     "This page does not read measured discomfort levels, which limit the output. Use hearing-fit."),
]
# The error message for each damaged table.
DAMAGED_TABLES = [
    ("", "The file is empty."),
    ("hello", "The file is neither a hearing profile (JSON) nor a table (CSV) with the columns frequency_hz, left_dbhl, right_dbhl."),
    ("frequency_hz,left_dbhl\n500,many\n", 'line 2: "many" is not a threshold in dB HL.'),
    ("frequency_hz,left_dbhl\n\n99,40\n", "line 3: 99 Hz is outside 100 to 20000 Hz."),
    ("frequency_hz,left_dbhl\n500,40\n500,50\n", "left: 500 Hz occurs twice."),
    ("frequency_hz,left_dbhl\n500,40,50\n", "line 2: there are too many cells."),
    ("frequency_hz,left_dbhl,right_dbhl\n500,,\n", "The table has no threshold."),
]
# Tables that native code reads in the same way.
TABLES = ["frequency_hz,right_dbhl\n500,40\n4000,>70\n", "\ufeffsep=;\r\nRight (dB HL);Freq\r\n40,0;500\r\n\r\n>70;4000\r\n",
          "# both\nf\tL\tR\n4000\t\t>70\n500\t\t40\n"]
# Values at the limits, which native code accepts too.
EXTREME = profile((100, -20), (20000, 130))


def check_profiles(page, binaries):
    """Checks opening and saving of profiles. Native code must accept and refuse the same files."""
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

    for content in TABLES:
        page.choose("standard", "N3")
        give(page, "table.csv", content)
        page.wait("document.querySelector('#audiogram .unanswered')")
        page.check(page.gains() == unchanged, f"{content!r} leads to other gains than the same profile in JSON")
    page.choose("standard", "N3")
    with open(EXAMPLE) as file:
        give(page, "mine.csv", file.read())
    page.wait("document.getElementById('standard').value === ''")
    page.check(page.gains()["2000 Hz"][0] > page.gains()["2000 Hz"][1] > 0, f"mine.csv has the gains {page.gains()['2000 Hz']}")
    page.check(page.text("#profile-message") == "", f"mine.csv: {page.text('#profile-message')}")
    unchanged = page.gains()

    for content, reason in DAMAGED + DAMAGED_TABLES + REFUSED:
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

    # Thresholds from other programs may have any number of digits.
    give(page, "digits.json", profile((1000, 5.684341886080802e-14), (2000, 33.333333333333336)))
    page.wait("location.hash.includes('right=1000:0,2000:33.333')")
    gains = page.gains()
    page.reload()
    page.check(page.gains() == gains and page.text("#profile-message") == "", f"its own link: {page.text('#profile-message')!r}")

    if binaries:
        page.check(is_accepted(binaries, saved), "hearing-fit refuses the profile that the page has saved")
        page.check(is_accepted(binaries, encoded(EXTREME)), "hearing-fit refuses thresholds at the limits")
        for content in TABLES:
            page.check(is_accepted(binaries, encoded(content)), f"hearing-fit refuses {content!r}")
        for content, _ in DAMAGED + DAMAGED_TABLES:
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
