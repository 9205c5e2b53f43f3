"""Checks the hearing test in the page of Examples/hearing-web."""
import json, time

from web.controls import give

# The next hearing tests end immediately, without a press.
NO_PRESS = """import("./hearing-test.js").then(({ TestEngine }) => {
  const { next } = TestEngine.prototype;
  TestEngine.prototype.next = function () {
    for (;;) {
      const step = next.call(this);
      if (step.kind === "end") return step;
      if (step.kind === "pause") this.resume();
      else this.answer(false, false, 0);
    }
  };
})"""


def check_test(page):
    """Checks the dialog of the hearing test.

    The checks use the mouse, keys and clicks of assistive technology. They include an unreliable
    result.
    """
    def start():
        page.evaluate("document.querySelector('#test-cancel').click()")
        page.wait("!document.getElementById('test').open")
        page.evaluate("document.querySelector('#test-text').textContent = ''")
        # These two clicks are a double click.
        page.click("#take-test")
        page.evaluate("document.querySelector('#take-test').click()")
        page.wait("document.getElementById('test').open && document.querySelector('#test-heard').textContent === 'Start' && "
                  "document.querySelector('#test-text').textContent")

    def synthetic():
        page.evaluate("document.querySelector('#test-heard').click()")

    def press(key):
        page.focus("#test-heard")
        page.press(key)

    page.open()
    # Counts the actions of the button. The first press starts the test. The other presses mean that
    # the listener hears a tone.
    page.evaluate("""import("./hearing-test.js").then(({ HearingTestDialog }) => {
      const { press } = HearingTestDialog.prototype;
      window.presses = 0;
      HearingTestDialog.prototype.press = function () { window.presses++; press.call(this); };
    })""")
    for name, act in [("a mouse", lambda: page.click("#test-heard")), ("a synthetic click", synthetic),
                      ("Enter", lambda: press("Enter")), ("Space", lambda: press("Space"))]:
        start()
        page.check("do not change it during the test" in page.text("#test-text"), "the test does not explain the volume")
        page.evaluate("void (window.presses = 0)")
        act()
        page.wait("document.querySelector('#test-heard').textContent === 'I hear it' && "
                  "document.querySelector('#test-count').textContent === 'Tones so far: 0'")
        act()
        act()
        page.settle()
        count = page.evaluate("window.presses")
        page.check(count == 3, f"{name} presses the button {count} times instead of three times")
    count = page.evaluate("contexts.length")
    page.check(count == 4, f"four tests, each opened by a double click, make {count} audio contexts")
    page.press("Escape")
    page.check(page.evaluate("document.getElementById('test').open"), "the Escape key discards the test")
    # Speech must not mask the tones.
    spoken = page.evaluate("[...document.querySelectorAll('#test [aria-live]')].map(element => element.textContent).join('')")
    page.check(spoken == "", f"while tones are presented, a screen reader says {spoken!r}")
    page.evaluate("contexts.at(-1).suspend().then(() => true)")
    page.wait("document.querySelector('#test-text').textContent.startsWith('The sound is interrupted')")
    page.click("#test-heard")
    page.wait("contexts.at(-1).state === 'running' && document.querySelector('#test-text').textContent === ''")
    page.click("#test-cancel")
    page.wait("!document.getElementById('test').open && contexts.every(context => context.state === 'closed')")
    page.check_console()

    # A late press for a tone must not end the pause between the ears. If the test fails, it must
    # end with a message.
    page.evaluate("""import("./hearing-test.js").then(({ TestEngine }) => {
      const { next } = TestEngine.prototype;
      TestEngine.prototype.next = () => {
        TestEngine.prototype.next = () => {
          TestEngine.prototype.next = next;
          throw new Error("No tone");
        };
        return { kind: "pause" };
      };
    })""")
    start()
    page.click("#test-heard")
    page.wait("document.querySelector('#test-heard').textContent === 'Continue'")
    page.press("Space")
    page.check(page.text("#test-heard") == "Continue", "a late press for a tone ends the pause")
    time.sleep(1.5)  # the shortest pause
    page.press("Space")
    page.wait("!document.getElementById('test').open")
    page.check(page.text("#status") == "No tone", f"a test that fails ends with {page.text('#status')!r}")

    page.open()
    page.evaluate(NO_PRESS)
    gains = page.gains()
    for isUsed in (False, True):
        start()
        page.click("#test-heard")
        page.wait("!document.getElementById('test-doubts').hidden")
        doubts = page.text("#test-doubts")
        for part in ("The result is not reliable", "never pressed", "Right ear: no response", "Left ear: no response"):
            page.check(part in doubts, f"a test without a press does not say {part!r}: {doubts}")
        page.check(page.gains() == gains, "a result that is not reliable is applied without a question")
        page.press("Space", "Enter")
        page.check(page.evaluate("document.getElementById('test').open"), "a late press answers the question")
        page.click("#test-use" if isUsed else "#test-cancel")
        page.wait("!document.getElementById('test').open")
        page.check((page.gains() != gains) == isUsed, "the answer to the question is not followed")
        page.check(page.evaluate("document.getElementById('test-note').hidden") != isUsed, "the page does not show the warnings")
    page.check("never pressed" in page.text("#test-note"), f"the page says {page.text('#test-note')!r}")
    page.click("#save-report")
    text = page.download("fitting.html").decode()
    for part in ("never pressed", "Left ear: no response", "only approximate"):
        page.check(part in text, f"the report of a result that is not reliable has no {part!r}")
    page.click("#save")
    saved = json.loads(page.download("profile.json"))
    page.check(saved.get("method") == "self-test" and saved.get("record", {}).get("notes") == ["uncalibrated", "no-responses"],
               f"the profile of a result that is not reliable has no notes: {saved.get('record')}")
    page.wait("location.hash.includes('no-responses')")
    page.open(fragment=page.evaluate("location.hash"))
    page.check("not reliable" in page.text("#test-note"), f"the link leads to the note {page.text('#test-note')!r}")
    page.click("#save")
    again = json.loads(page.download("profile.json"))
    page.check(again == saved, f"the link leads to the record {again.get('record')}")
    note = page.text("#test-note")
    page.choose("standard", "N3")
    page.check(page.evaluate("document.getElementById('test-note').hidden"), "the warnings remain for another audiogram")
    give(page, "profile.json", again)
    page.wait("!document.getElementById('test-note').hidden")
    page.check(page.text("#test-note") == note, f"the saved profile leads to the note {page.text('#test-note')!r}")
    page.check_console()
