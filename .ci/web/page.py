"""The page of Examples/hearing-web in a browser, controlled with mouse, touch and keys."""
import base64, json, os, time

FOLDER = os.path.dirname(os.path.abspath(__file__))


def script(name, **values):
    """The text of a script in this folder. The given words in the text are replaced by values."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        text = file.read()
    for word, value in values.items():
        text = text.replace(word, json.dumps(value))
    return text


READY = "document.getElementById('play')?.disabled === false && document.querySelector('#gains tbody tr')"


class NotReached(Exception):
    """The error if a condition of the page does not become true within the time limit."""


class Page:
    """The page in a `Chromium` or a `Firefox`.

    Each failed check adds a sentence to the list `problems`.
    """

    def __init__(self, browser, url, problems):
        self.browser = browser
        self.url = url
        self.problems = problems
        browser.prepare(script("tap.js"))

    def check(self, condition, text):
        if not condition:
            self.problems.append(f"{self.browser.name}: {text}")

    def open(self, width=1280, height=900, fragment=""):
        self.browser.resize(width, height)
        self.browser.go(self.url + fragment)
        self.wait(READY)

    def reload(self):
        self.evaluate("void (window.isOld = true)")
        self.browser.reload()
        self.wait(f"!window.isOld && {READY}")

    def check_console(self):
        for problem in self.browser.problems(self.url):
            self.check(False, problem)

    def evaluate(self, expression):
        return self.browser.evaluate(expression)

    def wait(self, condition, limit=30):
        end = time.monotonic() + limit
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > end:
                status = self.evaluate("document.querySelector('#status')?.textContent")
                raise NotReached(f"after {limit} s it is not true that {condition}; the page says {status!r}")
            time.sleep(0.02)

    def place(self, selector):
        """Scrolls to an element and returns the centre of the element in the window."""
        return self.evaluate(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          element.scrollIntoView({{ block: "center", behavior: "instant" }});
          const box = element.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")

    def click(self, selector):
        self.browser.drag("mouse", [self.place(selector)])

    def drag(self, selector, distance, kind="mouse"):
        x, y = self.place(selector)
        self.browser.drag(kind, [(x, y + distance * step / 5) for step in range(6)])

    def focus(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")

    def press(self, *keys, shift=False):
        for key in keys:
            self.browser.press(key, shift)
        self.settle()

    def hold(self, isDown):
        """Presses or releases the space bar while no control has the focus."""
        kind = "keydown" if isDown else "keyup"
        self.evaluate(f'void document.body.dispatchEvent(new KeyboardEvent("{kind}", {{code: "Space", key: " ", bubbles: true}}))')

    def settle(self):
        """Waits until changes are rendered."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def choose(self, identifier, title):
        """Selects an entry of a list by its text or by its value."""
        self.evaluate(f"""(() => {{
          const list = document.getElementById({json.dumps(identifier)});
          list.value = [...list.options].find(option => [option.text, option.value].includes({json.dumps(title)})).value;
          list.dispatchEvent(new Event("change"));
        }})()""")
        self.settle()

    def give(self, identifier, name, data):
        """Gives a file to an input element."""
        self.evaluate(f"""(() => {{
          const bytes = Uint8Array.from(atob("{base64.b64encode(data).decode()}"), letter => letter.charCodeAt(0));
          const files = new DataTransfer();
          files.items.add(new File([bytes], {json.dumps(name)}));
          const input = document.getElementById({json.dumps(identifier)});
          input.files = files.files;
          input.dispatchEvent(new Event("change"));
        }})()""")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def attribute(self, selector, name):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).getAttribute({json.dumps(name)})")

    def threshold(self, selector):
        """The threshold of a point of the audiogram in dB HL, as assistive technology reads it."""
        return int(self.attribute(selector, "aria-valuenow"))

    def gains(self):
        """The table of gains as {frequency: [left, right]}."""
        self.settle()
        return self.evaluate("""Object.fromEntries([...document.querySelectorAll("#gains tbody tr")].map(row =>
          [row.cells[0].textContent, [row.cells[2].textContent, row.cells[1].textContent].map(Number)]))""")

    def heard(self, limit=12):
        """The levels and the frequencies of both channels, as soon as the levels are steady."""
        before = None
        for _ in range(round(limit / 0.75)):
            time.sleep(0.75)
            now = self.evaluate("heard()")
            if before and all(abs(a["level"] - b["level"]) < 0.03 for a, b in zip(before, now)):
                return now
            before = now
        raise NotReached(f"after {limit} s the level still changes: {before}")

    def download(self, name, limit=10):
        """The content of the file that the page saves under a name.

        The file is removed after reading. Browsers create other files first. Firefox also creates
        an empty file with this name first.
        """
        path = os.path.join(self.browser.downloads, name)
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if os.path.exists(path) and os.path.getsize(path) > 0:
                with open(path, "rb") as file:
                    data = file.read()
                os.remove(path)
                return data
            time.sleep(0.05)
        raise NotReached(f"after {limit} s the files are {os.listdir(self.browser.downloads)}, without {name}")
