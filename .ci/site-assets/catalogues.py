#!/usr/bin/env python3
"""Prepares the pages of a documentation catalogue for docc. Checks the links of Markdown files.

    catalogues.py CATALOGUE FOLDER    copies a catalogue to FOLDER. A catalogue is a folder such as
                                      Sources/HearingDSP/HearingDSP.docc
    catalogues.py --check             checks all Markdown files of the repository

Pages use ordinary links, so that the links also work on the website of the repository. In the copy,
these links have the form of docc:

    [text](Page.md#section)                  [text](doc:Page#Section)
    [text](../../M/M.docc/Page.md)           [text](/documentation/m/page)
    [text](../../../Examples/Samples/x.html) [text](/samples/x.html); .ci/site copies this folder
    [text](../../../CONTRIBUTING.md)         text, because the site has no such page
    ![text](Resources/picture.svg)           ![text](picture.svg)
    ![text](../../.github/picture.png)       ![text](picture.png), and a copy of the picture

    <!-- picture "TITLE" of x.html: TEXT --> ![TEXT](x-title.svg): the picture with this title
                                             from a page in Examples/Samples

The check finds links and pictures without a file, and sections that do not exist. It also finds
`doc:` links outside the section Topics.
"""
import os, re, shutil, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = os.path.join("Examples", "Samples")
# Code is found before links. Otherwise, `[0](1)` in code would count as a link.
FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[`~]*$", re.M | re.S)
LINK = re.compile(r"(?P<code>(?P<ticks>`+)[^`].*?(?<!`)(?P=ticks)(?!`))"
                  r"|(?P<mark>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)", re.S)
PICTURE = re.compile(r'<!-- picture "(?P<title>[^"]+)" of (?P<page>[\w-]+\.html): (?P<text>.+?) -->', re.S)


def prose(text, change):
    """The text, with `change` applied to everything outside blocks of code."""
    result, end = [], 0
    for fence in FENCE.finditer(text):
        result += [change(text[end:fence.start()]), fence[0]]
        end = fence.end()
    return "".join(result + [change(text[end:])])


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def headings(path):
    """The headings of a page, by their anchors on the website of the repository."""
    found = []
    prose(read(path), lambda part: found.extend(re.findall(r"^#{1,6} (.+?)\s*$", part, re.M)) or part)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"): heading for heading in found}


def split(page, target):
    """The path in the repository and the section of a link's target, or None for a web address."""
    if re.match(r"[a-z]+:", target):
        return None
    path, _, section = target.partition("#")
    return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, section


# Conversion of pages

def address(path, section):
    """The site's address for a page of another catalogue, or None for a file without a page."""
    found = re.fullmatch(r"(?:Sources/(\w+)|\.ci/site-root)(?:/\1)?\.docc/(\w+)\.md", path.replace(os.sep, "/"))
    if found:
        module, name = (found[1] or "Start").lower(), found[2].lower()
        return f"/documentation/{module}" + ("" if name == module else f"/{name}") + section
    return f"/samples/{os.path.basename(path)}" if os.path.dirname(path) == SAMPLES else None


def converted(page, text, folder):
    """The text of a page in the form of docc.

    Copies pictures from other folders into the folder.
    """
    catalogue = os.path.dirname(page)

    def link(found):
        mark, shown, target = found["mark"], found["text"], found["target"]
        destination = None if found["code"] else split(page, target)
        if not destination:
            return found[0]
        path, section = destination
        if mark:
            if not path.startswith(catalogue + os.sep):
                shutil.copy(os.path.join(ROOT, path), folder)
            return f"![{shown}]({os.path.basename(path)})"
        if section:
            section = "#" + re.sub(r"[^\w-]", "", headings(path)[section].replace(" ", "-"))
        if os.path.dirname(path) == catalogue and path.endswith(".md"):
            return f"[{shown}](doc:{os.path.basename(path)[:-3]}{section})"
        there = address(path, section)
        return f"[{shown}]({there})" if there else shown

    def picture(found):
        name = f"{found['page'][:-5]}-{found['title']}.svg".lower().replace(" ", "-")
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(drawn(found["page"], found["title"]))
        return f"![{found['text']}]({name})"

    return prose(text, lambda part: LINK.sub(link, PICTURE.sub(picture, part)))


def drawn(page, title):
    """The text of a picture file: the picture with this title in a page, for narrow windows."""
    text = read(os.path.join(SAMPLES, page))
    pictures = [found[0] for found in re.finditer(r"<svg[^>]*>.*?</svg>", text, re.S)
                if re.search(r"<title[^>]*>(.*?)</title>", found[0])[1] == title]
    if not pictures:
        sys.exit(f"{page} has no picture with the title {title}")
    start, rest = pictures[-1].split(">", 1)
    sheet = re.search(r"<style>(.*?)</style>", text, re.S)[1]
    return (f"{start}>\n<style>{sheet[sheet.index('.hearing-picture{'):]}</style>\n"
            f'<rect width="100%" height="100%" class="hp-paper"/>\n{rest}\n')


def copy(catalogue, folder):
    shutil.copytree(os.path.join(ROOT, catalogue), folder)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".md"):
            text = converted(os.path.join(catalogue, name), read(os.path.join(catalogue, name)), folder)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)


# Check of links

def markdown_files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".build", ".git", "node_modules")]
        yield from (os.path.relpath(os.path.join(folder, name), ROOT) for name in names if name.endswith(".md"))


def problems(page):
    """The faults in the links of a page, as lines of text."""
    article = os.path.dirname(page).endswith(".docc")
    found = []

    def look(part):
        for link in LINK.finditer(part):
            if link["code"]:
                continue
            if article and link["target"].startswith("doc:"):
                found.append(f"{page}: [{link['text']}]({link['target']}): link to the file instead")
            destination = split(page, link["target"])
            if not destination:
                continue
            path, section = destination
            if not os.path.exists(os.path.join(ROOT, path)):
                found.append(f"{page}: {link['target']} does not exist")
            elif section and path.endswith(".md") and section not in headings(path):
                found.append(f"{page}: {path} has no section {section}")
        for name in (picture["page"] for picture in PICTURE.finditer(part)):
            if not os.path.exists(os.path.join(ROOT, SAMPLES, name)):
                found.append(f"{page}: {SAMPLES}/{name} does not exist")
        if article:
            part = LINK.sub(lambda link: "" if link["code"] else link[0], re.split(r"^## Topics$", part, flags=re.M)[0])
            found.extend(f"{page}: {link} is shown as it is where the repository is browsed: write [text](Page.md)"
                         for link in re.findall(r"<doc:[^>]*>", part))
        return part

    # Topics is the last section of a page, and has no blocks of code.
    prose(read(page), look)
    return found


def main():
    if sys.argv[1:] == ["--check"]:
        pages = sorted(markdown_files())
        found = [problem for page in pages for problem in problems(page)]
        if found:
            sys.exit("\n".join(found))
        print(f"the links of {len(pages)} Markdown files have targets")
    elif len(sys.argv) == 3:
        copy(os.path.relpath(os.path.abspath(sys.argv[1]), ROOT), sys.argv[2])
    else:
        sys.exit(__doc__)


main()
