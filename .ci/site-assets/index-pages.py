"""Adds the search to a site that docc has made: index-pages.py SITE.

The script writes search.json, a list of [title, module, path, text].
"""
import json, os, shutil, sys

site, assets = sys.argv[1], os.path.dirname(os.path.abspath(__file__))


def text(parts):
    return "".join(part.get("text") or part.get("code") or text(part.get("inlineContent", [])) for part in parts or [])


pages = []
for folder, _, names in sorted(os.walk(os.path.join(site, "data", "documentation"))):
    for name in sorted(names):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            page = json.load(file)
        path = os.path.relpath(os.path.join(folder, name), os.path.join(site, "data"))[:-len(".json")]
        title = page["metadata"]["title"]
        module = next((module["name"] for module in page["metadata"].get("modules", [])), "")
        # The search leaves out the lists of a protocol's default implementations.
        if path.endswith("-implementations"):
            continue
        # The title of a member begins with the name of its type, such as "Preset.fineTuned".
        parts = page.get("hierarchy", {}).get("paths", [[]])[0]
        owner = page["references"].get(parts[-1], {}).get("title", "") if len(parts) > 1 else ""
        shown = f"{owner}.{title}" if owner and page.get("kind") == "symbol" and owner != module else title
        pages.append([shown, module, path.replace(os.sep, "/"), text(page.get("abstract"))[:120]])
        # The terms of the glossary are entries too.
        for section in page.get("primaryContentSections", []) if name == "glossary.json" else []:
            for item in (item for part in section.get("content", []) if part["type"] == "termList" for item in part["items"]):
                definition = " ".join(text(part.get("inlineContent")) for part in item["definition"]["content"])
                pages.append([text(item["term"]["inlineContent"]), "Glossary", path.replace(os.sep, "/"), definition[:160]])
with open(os.path.join(site, "search.json"), "w", encoding="utf-8") as file:
    json.dump(pages, file, ensure_ascii=False, separators=(",", ":"))
for name in ("search.js", "search.css"):
    shutil.copy(os.path.join(assets, name), site)
changed = 0
for folder, _, names in os.walk(site):
    if "index.html" not in names:
        continue
    path = os.path.join(folder, "index.html")
    with open(path, encoding="utf-8") as file:
        html = file.read()
    head = html.index("</head>") if "</head>" in html else -1
    if head >= 0:
        html = html[:head] + '<link rel="stylesheet" href="/search.css"><script src="/search.js"></script>' + html[head:]
        with open(path, "w", encoding="utf-8") as file:
            file.write(html)
        changed += 1
print(f"{len(pages)} pages can be searched, from {changed} pages")
