"use strict";
// Marks the lines of one line of the source together, in a part of the page at a time, and scrolls to them; chooses the columns of comparisons.
(() => {
  document.documentElement.classList.add("scripted");
  const style = document.head.appendChild(document.createElement("style"));
  let pinned = null;

  const partOf = element => element.closest(".part");
  const rule = (part, line, what) => part && line ? `#${part.id} [data-l="${line}"]{${what}}` : "";

  function show(part, line) {
    style.textContent = rule(part, line, "background:var(--mark)") +
      (pinned ? rule(pinned.part, pinned.line, "background:var(--mark);box-shadow:inset 3px 0 var(--link)") : "");
  }

  // Brings the first line of each other pane into its view; the page itself does not move.
  function scrollPanes(part, line, except) {
    for (const pane of part.querySelectorAll(".pane pre")) {
      const first = pane !== except && pane.querySelector(`[data-l="${line}"]`);
      if (first) {
        pane.scrollTop = first.offsetTop - pane.clientHeight / 3;
      }
    }
  }

  function pin(element, except) {
    const part = partOf(element);
    pinned = { part, line: element.dataset.l, element };
    show(part, pinned.line);
    scrollPanes(part, pinned.line, except);
  }

  document.addEventListener("mouseover", event => {
    const element = event.target.closest("[data-l]");
    const part = element && partOf(element);
    show(part, element && element.dataset.l);
  });
  document.addEventListener("click", event => {
    const element = event.target.closest("[data-l]");
    if (element && !event.target.closest("a")) {
      pin(element, element.closest("pre"));
    }
  });

  // Within a pane the arrow keys go from line to line.
  document.addEventListener("keydown", event => {
    const pane = event.target.closest && event.target.closest(".pane pre");
    if (event.key === "Escape") {
      pinned = null;
      show(null, null);
      return;
    }
    if (!pane || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) {
      return;
    }
    const lines = [...pane.querySelectorAll("[data-l]")];
    const part = partOf(pane);
    let at = pinned && pinned.part === part ? lines.indexOf(pinned.element) : -1;
    if (at < 0 && pinned) {
      at = lines.findIndex(line => line.dataset.l === pinned.line);
    }
    const step = event.key === "ArrowDown" ? 1 : -1;
    at = Math.min(Math.max(at + step, 0), lines.length - 1);
    if (lines[at]) {
      pin(lines[at], pane);
      const top = lines[at].offsetTop;
      if (top < pane.scrollTop || top > pane.scrollTop + pane.clientHeight - 20) {
        pane.scrollTop = top - pane.clientHeight / 2;
      }
      event.preventDefault();
    }
  });

  // Panes begin at the kernel.
  const begin = part => part.open && !part.begun && (part.begun = true) && scrollPanes(part, part.dataset.start, null);
  for (const part of document.querySelectorAll(".part")) {
    part.addEventListener("toggle", () => begin(part));
    begin(part);
  }

  // A link to a closed part opens it.
  function openTarget() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const part = target && partOf(target);
    if (part) {
      part.open = true;
      target.scrollIntoView();
    }
  }
  addEventListener("hashchange", openTarget);
  openTarget();

  // Comparisons: two columns at a time, and rows that differ stand out.
  for (const table of document.querySelectorAll(".compare")) {
    const names = [...table.tHead.rows[0].cells].slice(1).map(cell => cell.textContent);
    const chooser = document.createElement("p");
    const selects = [0, 1].map(which => {
      const select = document.createElement("select");
      select.setAttribute("aria-label", which ? "second variant" : "first variant");
      names.forEach((name, i) => select.add(new Option(name, i, false, i === which)));
      select.addEventListener("change", update);
      return select;
    });
    function update() {
      const chosen = selects.map(select => select.selectedIndex + 1);
      for (const row of table.rows) {
        [...row.cells].forEach((cell, i) => cell.classList.toggle("gone", i > 0 && !chosen.includes(i)));
        if (row.parentNode !== table.tHead && row.cells.length > 1) {
          row.classList.toggle("same", row.cells[chosen[0]].textContent === row.cells[chosen[1]].textContent);
        }
      }
    }
    chooser.className = "chooser";
    chooser.append(selects[0], " against ", selects[1]);
    table.closest(".wide").before(chooser);
    update();
  }
})();
