#!/usr/bin/env python3
"""Checks in Chromium that a report fits its window: nothing is wider than 390, 820 and 1280 CSS pixels.

    hearing-fit N3 --report report.html
    python3 Benchmarks/checks/report-layout.py report.html [--chromium chromium] [--screenshots FOLDER]

The page is shown in frames of the three widths, with three fonts. It fails if the document scrolls sideways or if any
element outside of a box that scrolls by itself ends beyond the window. It prints the smallest text of the pictures in
CSS pixels for each width.
"""
import argparse, html, json, os, re, subprocess, sys, tempfile

WIDTHS = [390, 820, 1280]
FONTS = ["", "DejaVu Sans", "Liberation Serif"]
SCRIPT = """
<script>
addEventListener('load', () => setTimeout(() => {
  const width = document.documentElement.clientWidth, wide = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('.picture, .table') && !e.matches('.picture, .table')) continue;
    if (e.getBoundingClientRect().right > width + 1) wide.push(e.tagName + '.' + e.className);
  }
  const texts = [...document.querySelectorAll('svg text')].map(e => {
    const m = e.getScreenCTM(); return parseFloat(getComputedStyle(e).fontSize) * Math.hypot(m.a, m.b); });
  parent.postMessage({id: ID, scroll: document.documentElement.scrollWidth, width, wide: wide.slice(0, 5),
    smallest: Math.min(...texts)}, '*');
}, 300));
</script>"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("report")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    with open(arguments.report, encoding="utf-8") as file:
        page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read())
    frames, cases = [], []
    for width in WIDTHS:
        for font in FONTS:
            style = f"<style>body,svg text{{font-family:'{font}' !important}}</style>" if font else ""
            source = page.replace("</head>", style + SCRIPT.replace("ID", str(len(cases))) + "</head>")
            frames.append(f'<iframe width="{width}" height="800" srcdoc="{html.escape(source)}"></iframe>')
            cases.append((width, font or "default font"))
    collect = """<pre id="out"></pre><script>const got = [];
      addEventListener('message', e => { got.push(e.data); document.getElementById('out').textContent = JSON.stringify(got); });
      </script>"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frames.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(collect + "".join(frames))
        base = [arguments.chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/p"]
        text = subprocess.run(
            base + ["--virtual-time-budget=8000", "--dump-dom", "file://" + path], check=True, capture_output=True,
            text=True).stdout
        results = json.loads(html.unescape(re.search(r'<pre id="out">(.*?)</pre>', text, re.S).group(1)))
        if arguments.screenshots:
            os.makedirs(arguments.screenshots, exist_ok=True)
            report = "file://" + os.path.abspath(arguments.report)
            for width in WIDTHS:
                subprocess.run(
                    base + [f"--window-size={max(width, 500)},2400", f"--screenshot={arguments.screenshots}/{width}.png", report],
                    check=True, capture_output=True)
            subprocess.run(
                base + [f"--print-to-pdf={arguments.screenshots}/report.pdf", report], check=True, capture_output=True)
    failed = len(results) != len(cases)
    for result in sorted(results, key=lambda r: r["id"]):
        width, font = cases[result["id"]]
        fits = result["scroll"] <= result["width"] and not result["wide"]
        failed |= not fits
        print(f"{'fits' if fits else 'FAILS':<6}{width:5} px  {font:<18} smallest text of a picture "
              f"{result['smallest']:.1f} px {' '.join(result['wide'])}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
