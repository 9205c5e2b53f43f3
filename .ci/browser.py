"""Chromium without a window, for the checks of pages. Needs only Python's standard library."""
import base64, http.server, json, os, shutil, subprocess, sys, tempfile, time


def find_chromium():
    """The path of Chromium, or None."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Chromium:
    """Chromium without a window, controlled through pipes."""

    name = "Chromium"

    def __init__(self, program, *options):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = os.path.join(self.profile.name, "Downloads")
        commands, self.output = os.pipe()
        self.input, events = os.pipe()
        arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--no-first-run", "--hide-scrollbars",
            f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", *options, "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{events}', "chromium", *arguments],
            pass_fds=(commands, events), stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(events)
        self.pending = b""
        self.number = 0
        self.events = []
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.pending:
            part = os.read(self.input, 1 << 20)
            if not part:
                sys.exit("Chromium ended")
            self.pending += part
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            command["sessionId"] = self.session
        os.write(self.output, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def prepare(self, script):
        """Runs a script in every page that is opened later, before the page's scripts."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def go(self, url):
        self.call("Page.navigate", url="about:blank")
        self.events = []
        self.call("Page.navigate", url=url)

    def reload(self):
        self.call("Page.reload")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setTouchEmulationEnabled", enabled=width < 600)

    def drag(self, kind, points):
        """Presses the first point, moves to the other points and releases.

        `kind` is "mouse" or "touch".
        """
        for index, (x, y) in enumerate([*points, points[-1]]):
            step = 0 if index == 0 else 1 if index < len(points) else 2
            if kind == "touch":
                self.call("Input.dispatchTouchEvent", type=["touchStart", "touchMove", "touchEnd"][step],
                          touchPoints=[] if step == 2 else [{"x": x, "y": y}])
            else:
                self.call("Input.dispatchMouseEvent", type=["mousePressed", "mouseMoved", "mouseReleased"][step], x=x, y=y,
                          button="left", buttons=int(step < 2), clickCount=1)

    def press(self, key, shift=False, seconds=0):
        """Presses a key by its name, such as "ArrowUp", and releases it after `seconds`."""
        more = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": 8 * shift}
        text = {"Space": " ", "Enter": "\r"}.get(key)
        if key == "Space":
            more["key"] = " "
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", **down, **more)
        time.sleep(seconds)
        self.call("Input.dispatchKeyEvent", type="keyUp", **more)

    def problems(self, url):
        """The errors since the page was opened, as lines of text."""
        host = url.split("/")[2]
        for event in self.events:
            method, detail = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                yield f"exception: {detail['exceptionDetails'].get('text')}"
            elif method == "Runtime.consoleAPICalled" and detail["type"] == "error":
                yield f"console: {[argument.get('value') for argument in detail['args']]}"
            elif method == "Log.entryAdded" and detail["entry"]["level"] == "error":
                yield f"log: {detail['entry']['text']} {detail['entry'].get('url', '')}"
            elif method == "Network.responseReceived" and detail["response"]["status"] >= 400:
                yield f"{detail['response']['status']}: {detail['response']['url']}"
            elif method == "Network.requestWillBeSent":
                address = detail["request"]["url"]
                if not address.startswith((f"http://{host}/", "data:", "blob:", "about:")):
                    yield f"a request leaves the site: {address}"

    def picture(self, path):
        height = min(6000, self.evaluate("document.documentElement.scrollHeight") or 900)
        width = self.evaluate("innerWidth")
        data = self.call(
            "Page.captureScreenshot", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def picture_of(self, selector):
        """The picture of an element of the window, as a PNG file in Base64."""
        box = self.evaluate(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")
        clip = {name: box[name] for name in ("x", "y", "width", "height")}
        return self.call("Page.captureScreenshot", clip={**clip, "scale": 1})["data"]

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        self.profile.cleanup()


# The key codes of Windows, which Chromium expects on every system.
KEYS = {
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PageUp": 33, "PageDown": 34, "Home": 36, "End": 35,
    "Tab": 9, "Enter": 13, "Escape": 27, "Space": 32,
}
