"""Checks the picture of an exported response on the page "Everything on this computer"."""
import math, os

FILE = "Sources/HearingAudio/HearingAudio.docc/Resources/exported-response.svg"


def picture(response, centres, gains):
    """A picture of a response as a line, and of the preset's gains at the band centres as circles.

    The response is a function of the frequency in Hz.
    """
    def x(frequency):
        return 60 + 85.045 * math.log2(frequency / 125)

    def y(gain):
        return 270 - 8 * gain

    with open(FILE) as file:
        lines = [file.readline().rstrip("\n")]  # its title and styles
    for gain in (0, 10, 20, 30):
        lines.append(f'<line class="g" x1="60" x2="620" y1="{y(gain)}" y2="{y(gain)}"/>'
                     f'<text x="52" y="{y(gain) + 4}" text-anchor="end">{gain}</text>')
    for frequency, name in ((125, "125"), (250, "250"), (500, "500"), (1000, "1k"), (2000, "2k"), (4000, "4k"), (8000, "8k")):
        lines.append(f'<line class="g" x1="{x(frequency):.1f}" x2="{x(frequency):.1f}" y1="30" y2="270"/>'
                     f'<text x="{x(frequency):.1f}" y="288" text-anchor="middle">{name}</text>')
    frequencies = [125 * 2 ** (step / 30) for step in range(round(30 * math.log2(12_000 / 125)))]
    points = " ".join(f"{x(each):.1f},{y(response(each)):.1f}" for each in frequencies)
    lines.append(f'<polyline class="a" points="{points}"/>')
    lines += [f'<circle class="b" cx="{x(each):.1f}" cy="{y(gain):.1f}" r="5"/>' for each, gain in zip(centres, gains)]
    lines.append('<text x="340" y="316" text-anchor="middle">frequency in Hz</text><text x="60" y="20">'
                 "gain in dB: response of the file (line), preset at 65 dB SPL (circles)</text></svg>")
    return "\n".join(lines) + "\n"


def check_picture(text, check):
    """Checks that the picture in the documentation is up to date.

    The check draws the picture again, so that a changed picture can be committed.
    """
    with open(FILE) as file:
        before = file.read()
    with open(FILE, "w") as file:
        file.write(text)
    check(before == text, f"{FILE} was out of date; it is drawn anew")
