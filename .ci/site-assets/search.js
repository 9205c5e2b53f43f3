// Adds a bar to every page of the documentation. The bar has a link to the root page and a search
// over all modules. The script also adds buttons that copy code.
(() => {
  const base = document.currentScript.src.replace(/search\.js.*/, "");
  const bar = document.createElement("div");
  bar.id = "site-bar";
  bar.innerHTML = `<a href="${base}documentation/start/">HearingProcessing</a>
    <form role="search"><label><span>Search</span><input type="search" placeholder="Search all modules" autocomplete="off"
      role="combobox" aria-expanded="false" aria-controls="site-results" aria-autocomplete="list"></label></form>
    <ol id="site-results" role="listbox" aria-label="Pages" hidden></ol>`;
  const input = bar.querySelector("input"), list = bar.querySelector("ol");
  let pages, chosen = -1;

  const load = () => (pages ??= fetch(`${base}search.json`).then(response => response.json()));

  /// The score of a page for the search; 0 means no match.
  function fit([title, module, , abstract], words) {
    const name = title.toLowerCase(), text = `${name} ${module.toLowerCase()} ${abstract.toLowerCase()}`;
    let sum = 0;
    for (const word of words) {
      if (name === word) sum += 100;
      else if (name.startsWith(word)) sum += 40;
      else if (name.includes(word)) sum += 20;
      else if (text.includes(word)) sum += 3;
      else return 0;
    }
    return sum - name.length / 100;
  }

  async function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = await load();
    const found = !words.length ? [] : all.map(page => [fit(page, words), page]).filter(([value]) => value > 0)
      .sort((a, b) => b[0] - a[0]).slice(0, 20);
    chosen = -1;
    list.replaceChildren(...found.map(([, [title, module, path, abstract]], index) => {
      const item = document.createElement("li"), link = document.createElement("a");
      item.id = `site-result-${index}`;
      item.setAttribute("role", "option");
      link.href = `${base}${path}/`;
      link.tabIndex = -1;
      link.innerHTML = "<b></b> <i></i> <span></span>";
      link.children[0].textContent = title;
      link.children[1].textContent = module;
      link.children[2].textContent = abstract;
      item.append(link);
      return item;
    }));
    if (words.length && !found.length) {
      const item = document.createElement("li");
      item.textContent = "Nothing found";
      list.append(item);
    }
    list.hidden = !words.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  function choose(step) {
    const items = [...list.querySelectorAll("[role=option]")];
    if (!items.length) return;
    items[chosen]?.removeAttribute("aria-selected");
    chosen = (chosen + step + items.length) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    items[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[chosen].id);
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", search);
  input.addEventListener("keydown", event => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      input.value = "";
      search();
    }
  });
  bar.querySelector("form").addEventListener("submit", event => {
    event.preventDefault();
    if (chosen < 0) choose(1);
    list.querySelectorAll("[role=option] a")[chosen]?.click();
  });
  addEventListener("keydown", event => {
    if (event.key !== "/" || /INPUT|TEXTAREA/.test(event.target.tagName)) return;
    event.preventDefault();
    input.focus();
  });

  /// Adds the buttons to the rendered code.
  function addButtons() {
    for (const code of document.querySelectorAll("#app pre")) {
      // The button is outside the element that scrolls the code, so the button does not scroll.
      const place = code.closest(".code-listing") ?? code.parentElement;
      if (place.querySelector(".site-copy")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "site-copy";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        const lines = [...code.querySelectorAll(code.querySelector(".code-line") ? ".code-line" : ".code-line-container")];
        const text = lines.length ? lines.map(line => line.textContent.replace(/\n$/, "")).join("\n") : code.textContent;
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Not permitted";
        }
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
      place.append(button);
    }
  }

  addEventListener("DOMContentLoaded", () => {
    document.body.prepend(bar);
    new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
    addButtons();
  });
})();
