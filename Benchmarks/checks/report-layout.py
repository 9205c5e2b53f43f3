#!/usr/bin/env python3
"""Checks in Chromium that a report fits the width of phones, tablets, desktops and paper.

    hearing-fit N3 --report report.html
    python3 Benchmarks/checks/report-layout.py report.html [--chromium chromium] [--screenshots FOLDER]

The page is shown in frames of 390, 820 and 1280 CSS pixels, with three fonts, in light and in dark
colours. The check fails if

- the document, a picture or a table can be scrolled horizontally, or an element outside of a table
  extends beyond the window,
- a text in a picture is smaller than 12 CSS pixels, extends beyond the picture, or overlaps another
  text in it,
- a text has a contrast of less than 4.5 against the page, or
- a printed sheet contains only the footer (this check needs pdftotext of Debian's poppler-utils).

With --screenshots, the script writes WIDTH-light.png, WIDTH-dark.png and report.pdf to FOLDER, for
a visual check.
"""
import argparse, html, json, os, re, shutil, subprocess, sys, tempfile

WIDTHS = [390, 820, 1280]
# The fonts of Debian's package fonts-dejavu. They are wider than other common fonts.
FONTS = ["", "DejaVu Serif", "DejaVu Sans Mono"]
SCHEMES = ["light", "dark"]
DARK = "@media screen and (prefers-color-scheme:dark)"
LEAST_TEXT = 12
LEAST_CONTRAST = 4.5
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
    """The page in one colour scheme, whatever the browser's preference."""
    return page.replace(DARK, "@media screen" if scheme == "dark" else "@media not all")


def sheets(path):
    """The text of every sheet of a PDF file; None if pdftotext is not installed."""
    if not shutil.which("pdftotext"):
        return None
    text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True).stdout
    return [sheet.strip() for sheet in text.split("\f")[:-1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("report")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    with open(arguments.report, encoding="utf-8") as file:
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
        pdf = os.path.join(os.path.abspath(target), "report.pdf")
        browse("print.html", page, f"--print-to-pdf={pdf}", "--no-pdf-header-footer")
        if arguments.screenshots:
            for scheme in SCHEMES:
                for width in WIDTHS:
                    height = heights[scheme, width, "default font"]
                    # A window has a minimum width of 500 pixels; a frame has none.
                    frame = (f'<body style="margin:0"><iframe style="border:0" width="{width}" height="{height}" '
                             f'srcdoc="{html.escape(in_scheme(page, scheme))}"></iframe>')
                    browse("shot.html", frame, f"--window-size={max(width, 500)},{height}",
                           f"--screenshot={os.path.abspath(target)}/{width}-{scheme}.png")
        printed = sheets(pdf)
    failed = len(results) != len(cases)
    for result in sorted(results, key=lambda result: result["id"]):
        scheme, width, font = cases[result["id"]]
        failed |= bool(result["problems"])
        print(f"{'FAILS' if result['problems'] else 'fits':<6}{width:5} px  {scheme:<6}{font:<18}{result['pictures']} pictures, "
              f"smallest text {result['smallest']:.1f} px {'; '.join(result['problems'])}")
    if printed is None:
        print("pdftotext is not installed: the printed page is not checked")
    else:
        empty = [number for number, sheet in enumerate(printed, 1) if len(sheet) < 200]
        failed |= bool(empty)
        print(f"{'FAILS' if empty else 'fits':<6}{len(printed)} sheets of paper"
              + (f"; hardly any text on {', '.join(map(str, empty))}" if empty else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
