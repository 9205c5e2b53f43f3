#!/usr/bin/env python3
"""Checks in Chromium that a report fits the width of phones, tablets, desktops and paper.

    hearing-fit N3 --report report.html
    python3 Benchmarks/checks/report-layout.py report.html [--chromium chromium] [--screenshots FOLDER]
    python3 Benchmarks/checks/report-layout.py --paper report.html…

With --paper, only the printed sheets are checked. Otherwise the page is also shown in frames of
390, 820 and 1280 CSS pixels, with three fonts, in light and in dark colours. The check fails if

- the document, a picture or a table can be scrolled horizontally, or an element outside of a table
  extends beyond the window,
- a text in a picture is smaller than 12 CSS pixels, extends beyond the picture, or overlaps another
  text in the same picture,
- a text has a contrast of less than 4.5 against the page, or
- a printed sheet of A4 or Letter is filled to less than 60 % of its height, or the last sheet
  contains hardly more than a line of text. This check needs pdftoppm of Debian's poppler-utils.
  Without pdftoppm, the check is skipped; if the environment contains CI=true, the check fails.

With --screenshots, the script writes WIDTH-light.png, WIDTH-dark.png, A4.pdf and Letter.pdf to
FOLDER, for a visual check.
"""
import argparse, base64, html, json, os, re, shutil, subprocess, sys, tempfile, time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.ci"))
from browser import Chromium

WIDTHS = [390, 820, 1280]
# The fonts of Debian's package fonts-dejavu. They are wider than other common fonts.
FONTS = ["", "DejaVu Serif", "DejaVu Sans Mono"]
SCHEMES = ["light", "dark"]
DARK = "@media screen and (prefers-color-scheme:dark)"
LEAST_TEXT = 12
LEAST_CONTRAST = 4.5
# Width and height in inches.
SHEETS = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}
# The margin above and below the text, in inches, as in PageStyle.swift.
MARGIN = 1.2 / 2.54
# How far down a sheet and the last sheet must be filled, as fractions of the height between the
# margins. A footer of two lines fills 0.06.
LEAST_FILL, LEAST_END = 0.6, 0.08
DOTS = 36  # per inch
SCRIPT = """
<script>
addEventListener('load', () => setTimeout(() => {
  const width = document.documentElement.clientWidth, problems = [];
  const note = text => { if (problems.length < 6) problems.push(text); };
  if (document.documentElement.scrollWidth > width) note(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('.table') && !e.matches('.table')) continue;
    if (e.closest('svg') && e.tagName !== 'svg') continue;
    if (e.getBoundingClientRect().right > width + 1) note(`${e.tagName}.${e.className} ends beyond the window`);
  }
  for (const e of document.querySelectorAll('.picture, .table'))
    if (e.scrollWidth > e.clientWidth + 1) note(`a ${e.className} scrolls sideways by ${e.scrollWidth - e.clientWidth} px`);
  const luminance = color => {
    const part = color.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]; };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05); };
  const paper = getComputedStyle(document.body).backgroundColor;
  for (const e of document.querySelectorAll('h1, h2, p, li, dt, dd, figcaption, caption'))
    if (contrast(getComputedStyle(e).color, paper) < CONTRAST) note(`low contrast: ${e.textContent.slice(0, 40)}`);
  let smallest = Infinity, pictures = 0;
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    pictures += 1;
    const boxes = [];
    for (const e of svg.querySelectorAll('text')) {
      const m = e.getScreenCTM(), size = parseFloat(getComputedStyle(e).fontSize) * Math.hypot(m.a, m.b);
      smallest = Math.min(smallest, size);
      if (contrast(getComputedStyle(e).fill, paper) < CONTRAST) note(`low contrast: ${e.textContent}`);
      const box = e.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
          || box.bottom > frame.bottom + 1) note(`"${e.textContent}" is cut off`);
      // The box of a line of text is higher than its letters.
      const inset = Math.min(box.width, box.height) * 0.2;
      boxes.push({text: e.textContent, left: box.left + inset / 4, right: box.right - inset / 4, top: box.top + inset,
                  bottom: box.bottom - inset});
    }
    boxes.forEach((a, i) => boxes.slice(0, i).forEach(b => {
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        note(`"${a.text}" overlaps "${b.text}"`); }));
  }
  if (smallest < LEAST) note(`text of ${smallest.toFixed(1)} px`);
  if (!pictures) note('no picture is shown');
  parent.postMessage({id: ID, height: document.documentElement.scrollHeight, problems, smallest, pictures}, '*');
}, 300));
</script>"""


def in_scheme(page, scheme):
    """The page with a fixed colour scheme, which does not depend on the browser's preference."""
    return page.replace(DARK, "@media screen" if scheme == "dark" else "@media not all")


def fills(pdf):
    """How far down each sheet is filled, as a fraction of the height between the margins."""
    images = subprocess.run(["pdftoppm", "-gray", "-r", str(DOTS), pdf], check=True, capture_output=True).stdout
    fractions = []
    while images:
        header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", images)
        width, height = int(header[1]), int(header[2])
        end = header.end() + width * height
        pixels, images = images[header.end():end], images[end:]
        inked = [row for row in range(height) if min(pixels[row * width:(row + 1) * width]) < 200]
        fractions.append(max(0, (max(inked, default=0) / DOTS - MARGIN) / (height / DOTS - 2 * MARGIN)))
    return fractions


def check_paper(program, pages, folder):
    """Prints the pages to FOLDER, and returns whether a sheet has too much empty space."""
    if not shutil.which("pdftoppm"):
        print("skipped: pdftoppm (poppler-utils) is not installed: the printed pages are not checked")
        return os.environ.get("CI") == "true"
    failed, browser = False, Chromium(program)
    for page in pages:
        browser.go("file://" + os.path.abspath(page))
        while browser.evaluate("location.protocol + document.readyState") != "file:complete":
            time.sleep(0.02)
        for size, (width, height) in SHEETS.items():
            printed = browser.call("Page.printToPDF", paperWidth=width, paperHeight=height, printBackground=True)
            pdf = os.path.join(folder, f"{size}.pdf")
            with open(pdf, "wb") as file:
                file.write(base64.b64decode(printed["data"]))
            *full, end = fills(pdf)
            fails = min(full, default=1) < LEAST_FILL or end < LEAST_END
            failed |= fails
            print(f"{'FAILS' if fails else 'fits':<6}{os.path.basename(page)} on {size}, sheets filled to "
                  + ", ".join(f"{fraction:.0%}" for fraction in [*full, end]))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reports", nargs="+", metavar="report.html")
    parser.add_argument("--paper", action="store_true", help="check only the printed sheets, of any number of pages")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    if len(arguments.reports) > 1 and not arguments.paper:
        parser.error("more than one page needs --paper")
    if arguments.paper:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(check_paper(arguments.chromium, arguments.reports, folder))
    with open(arguments.reports[0], encoding="utf-8") as file:
        page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read())
    if DARK not in page:
        sys.exit("the page has no dark colours")
    frames, cases = [], []
    script = SCRIPT.replace("CONTRAST", str(LEAST_CONTRAST)).replace("LEAST", str(LEAST_TEXT))
    for scheme in SCHEMES:
        for width in WIDTHS:
            for font in FONTS:
                style = f"<style>body,.hearing-picture{{font-family:'{font}' !important}}</style>" if font else ""
                source = in_scheme(page, scheme).replace(
                    "</head>", style + script.replace("ID", str(len(cases))) + "</head>")
                frames.append(f'<iframe width="{width}" height="800" srcdoc="{html.escape(source)}"></iframe>')
                cases.append((scheme, width, font or "default font"))
    collect = """<pre id="out"></pre><script>const got = [];
      addEventListener('message', e => { got.push(e.data); document.getElementById('out').textContent = JSON.stringify(got); });
      </script>"""
    with tempfile.TemporaryDirectory() as folder:
        def browse(name, markup, *options):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(markup)
            return subprocess.run(
                [arguments.chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 f"--user-data-dir={folder}/p", *options, "file://" + path],
                check=True, capture_output=True, text=True).stdout

        text = browse("frames.html", "<meta charset=utf-8>" + collect + "".join(frames), "--virtual-time-budget=20000",
                      "--dump-dom")
        results = json.loads(html.unescape(re.search(r'<pre id="out">(.*?)</pre>', text, re.S).group(1)))
        heights = {cases[result["id"]]: result["height"] for result in results}
        target = arguments.screenshots or folder
        os.makedirs(target, exist_ok=True)
        if arguments.screenshots:
            for scheme in SCHEMES:
                for width in WIDTHS:
                    height = heights[scheme, width, "default font"]
                    # A browser window is at least 500 pixels wide. A frame can be narrower.
                    frame = (f'<body style="margin:0"><iframe style="border:0" width="{width}" height="{height}" '
                             f'srcdoc="{html.escape(in_scheme(page, scheme))}"></iframe>')
                    browse("shot.html", frame, f"--window-size={max(width, 500)},{height}",
                           f"--screenshot={os.path.abspath(target)}/{width}-{scheme}.png")
        failed = check_paper(arguments.chromium, arguments.reports, target) or len(results) != len(cases)
    for result in sorted(results, key=lambda result: result["id"]):
        scheme, width, font = cases[result["id"]]
        failed |= bool(result["problems"])
        print(f"{'FAILS' if result['problems'] else 'fits':<6}{width:5} px  {scheme:<6}{font:<18}{result['pictures']} pictures, "
              f"smallest text {result['smallest']:.1f} px {'; '.join(result['problems'])}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
