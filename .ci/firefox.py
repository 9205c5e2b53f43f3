"""Firefox without a window, controlled by WebDriver BiDi. Needs only Python's standard library."""
import atexit, base64, json, os, shutil, socket, struct, subprocess, sys, tempfile

# With these preferences, Firefox sends no requests of its own. The fake microphone of Firefox has a
# tone and needs no permission. Pages may play sound before the first click.
PREFERENCES = {
    # The list of downloads must not open, because it would move the keyboard focus away from the
    # page.
    "browser.download.alwaysOpenPanel": False,
    "app.normandy.enabled": False, "app.update.enabled": False, "browser.safebrowsing.downloads.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False, "extensions.update.enabled": False, "media.autoplay.default": 0,
    "media.gmp-manager.updateEnabled": False, "media.navigator.permission.disabled": True,
    "media.navigator.streams.fake": True, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "browser.download.folderList": 2, "toolkit.telemetry.enabled": False,
}
PROBLEMS = ("log.entryAdded", "network.beforeRequestSent", "network.responseCompleted")
LONGEST_ANSWER = 60  # seconds


def find_firefox():
    """The path of Firefox, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class WebSocket:
    """A client for WebSocket (RFC 6455), with only the functions that WebDriver needs."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=LONGEST_ANSWER)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline()
        while self.stream.readline().strip():
            pass
        if b" 101 " not in status:
            raise ConnectionError(f"the browser refuses the connection: {status.decode().strip()}")

    def send(self, data, operation=1):
        size = len(data)
        head = bytes([0x80 | operation])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        mask = os.urandom(4)
        repeated = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")
        self.socket.sendall(head + mask + masked.to_bytes(size, "big"))

    def receive(self):
        """The next message, or None if the browser closes the connection."""
        message = b""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                return None
            operation, size = head[0] & 15, head[1] & 127
            if size >= 126:
                form, count = (">H", 2) if size == 126 else (">Q", 8)
                size, = struct.unpack(form, self.stream.read(count))
            data = self.stream.read(size)
            if operation == 8:
                return None
            if operation == 9:
                self.send(data, 10)
            elif operation < 8:
                message += data
                if head[0] & 0x80:
                    return message


class Firefox:
    """Firefox without a window, with the interface of `Chromium`."""

    name = "Firefox"

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = os.path.join(self.profile.name, "Downloads")
        os.makedirs(self.downloads)
        preferences = {**PREFERENCES, "browser.download.dir": self.downloads}
        with open(os.path.join(self.profile.name, "user.js"), "w") as file:
            file.writelines(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in preferences.items())
        environment = {**os.environ, "HOME": self.profile.name, "XDG_RUNTIME_DIR": self.profile.name}
        self.sound = self.start_sound(environment)
        if self.sound:
            atexit.register(self.sound.kill)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
        atexit.register(self.process.kill)  # a closed connection does not end it
        address = next((line.split("//")[1] for line in self.process.stderr if "BiDi listening on" in line), None)
        if not address:
            sys.exit("Firefox ended")
        host, port = address.strip().split(":")
        self.socket = WebSocket(host, int(port), "/session")
        self.number = 0
        self.events = []
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.create", type="tab")["context"]
        self.call("session.subscribe", events=list(PROBLEMS))

    def start_sound(self, environment):
        """Starts a sound server without a device, and returns the process of the server.

        The sound server is Debian's package pulseaudio. It is started only if it is installed.
        Without a sound server, Firefox starts no audio context on a machine that has no sound
        device.
        """
        program = shutil.which("pulseaudio")
        if not program:
            return None
        path = os.path.join(self.profile.name, "sound")
        environment["PULSE_SERVER"] = f"unix:{path}"
        return subprocess.Popen(
            [program, "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-target=null", "-L",
             "module-null-sink", "-L", f"module-native-protocol-unix socket={path} auth-anonymous=1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}).encode())
        while True:
            try:
                text = self.socket.receive()
            except TimeoutError:
                raise TimeoutError(f"Firefox did not answer {method} for {LONGEST_ANSWER} s: {parameters}") from None
            if text is None:
                sys.exit(f"Firefox ended during {method}")
            message = json.loads(text)
            if message.get("id") == self.number:
                if message["type"] == "error":
                    sys.exit(f"{method}: {message['message']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, expression):
        """The value of an expression.

        If the value is a promise, the result of the promise is returned. JSON must be able to
        represent the returned value.
        """
        answer = self.call(
            "script.evaluate", target={"context": self.context}, awaitPromise=True, userActivation=True,
            expression=f"(async () => JSON.stringify(await (\n{expression}\n)))()")
        if answer["type"] == "exception":
            sys.exit(f"{expression}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"].get("value", "null"))

    def prepare(self, script):
        """Runs a script in every page that is opened later, before the page's scripts."""
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def go(self, url):
        self.call("browsingContext.navigate", context=self.context, url="about:blank", wait="complete")
        self.events = []
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def reload(self):
        self.call("browsingContext.reload", context=self.context, wait="complete")

    def resize(self, width, height):
        self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def drag(self, kind, points):
        """Presses the first point, moves to the other points and releases.

        `kind` is "mouse" or "touch".
        """
        (x, y), *others = [(round(x), round(y)) for x, y in points]
        actions = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        actions += [{"type": "pointerMove", "x": x, "y": y} for x, y in others]
        actions.append({"type": "pointerUp", "button": 0})
        self.perform(type="pointer", id=kind, parameters={"pointerType": kind}, actions=actions)

    def press(self, key, shift=False, seconds=0):
        """Presses a key by its name, such as "ArrowUp", and releases it after `seconds`."""
        value = KEYS[key]
        keys = [SHIFT, value] if shift else [value]
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "pause", "duration": round(1000 * seconds)}]
        actions += [{"type": "keyUp", "value": key} for key in keys[::-1]]
        self.perform(type="key", id="keyboard", actions=actions)

    def perform(self, **source):
        self.call("input.performActions", context=self.context, actions=[source])

    def problems(self, url):
        """The errors since the page was opened, as lines of text."""
        host = url.split("/")[2]
        for event in self.events:
            method, detail = event.get("method"), event.get("params", {})
            if method == "log.entryAdded" and detail["level"] == "error":
                yield f"{detail['type']}: {detail['text']}"
            elif method == "network.responseCompleted" and detail["response"]["status"] >= 400:
                yield f"{detail['response']['status']}: {detail['request']['url']}"
            elif method == "network.beforeRequestSent":
                address = detail["request"]["url"]
                if not address.startswith((f"http://{host}/", "data:", "blob:", "about:")):
                    yield f"a request leaves the site: {address}"

    def picture(self, path):
        data = self.call("browsingContext.captureScreenshot", context=self.context, origin="document")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.call("browser.close")
        self.process.wait()
        if self.sound:
            self.sound.kill()
            self.sound.wait()
        self.profile.cleanup()


# The code points that WebDriver uses for keys without a character.
SHIFT = "\ue008"
KEYS = {
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "PageUp": "\ue00e",
    "PageDown": "\ue00f", "Home": "\ue011", "End": "\ue010", "Tab": "\ue004", "Enter": "\ue007",
    "Escape": "\ue00c", "Space": " ",
}
