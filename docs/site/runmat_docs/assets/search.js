// Finds names and first lines while one types. "/" goes to the field, arrows and Enter choose.
"use strict";
(function () {
  const field = document.getElementById("search");
  const list = document.getElementById("found");
  const root = document.body.dataset.root;
  const entries = window.RUNMAT_NAMES.map(([name, path, summary, family]) => ({
    name, path, summary, family, low: name.toLowerCase(), text: (name + " " + summary + " " + family).toLowerCase(),
  }));
  let chosen = -1;

  // smaller is better; 0 is the name itself, Infinity is no match
  function rank(entry, words) {
    if (!words.every((word) => entry.text.includes(word))) return Infinity;
    const word = words[0];
    if (entry.low === word) return 0;
    if (entry.low.startsWith(word)) return 1 + entry.low.length / 100;
    if (entry.low.includes(word)) return 3 + entry.low.length / 100;
    return 5;
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const best = words.length === 0 ? [] : entries
      .map((entry) => [rank(entry, words), entry])
      .filter(([place]) => place < Infinity)
      .sort((a, b) => a[0] - b[0] || (a[1].low < b[1].low ? -1 : 1))
      .slice(0, 12);
    list.replaceChildren(...best.map(([, entry], k) => row(entry, k)));
    list.hidden = words.length === 0;
    if (words.length > 0 && best.length === 0) {
      const none = document.createElement("li");
      none.textContent = "Nothing found";
      list.append(none);
    }
    field.setAttribute("aria-expanded", String(!list.hidden));
    choose(best.length > 0 ? 0 : -1);
  }

  function row(entry, k) {
    const item = document.createElement("li");
    item.id = "found-" + k;
    item.setAttribute("role", "option");
    const link = document.createElement("a");
    link.href = root + entry.path;
    link.tabIndex = -1;
    const name = document.createElement("code");
    name.textContent = entry.name;
    link.append(name, " ", entry.summary);
    item.append(link);
    return item;
  }

  function choose(k) {
    const items = list.querySelectorAll("[role=option]");
    chosen = items.length === 0 ? -1 : (k + items.length) % items.length;
    items.forEach((item, j) => item.setAttribute("aria-selected", String(j === chosen)));
    if (chosen >= 0) field.setAttribute("aria-activedescendant", items[chosen].id);
    else field.removeAttribute("aria-activedescendant");
  }

  function close() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
  }

  field.addEventListener("input", search);
  field.addEventListener("focus", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter" && chosen >= 0) list.querySelectorAll("a")[chosen].click();
    else if (event.key === "Escape") { field.value = ""; close(); field.blur(); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
})();
