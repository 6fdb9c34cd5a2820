// Lines of a file: ranges in the URL (#L10 or #L10-L20, by click and shift-click), blocks
// that come when they are near, and the definitions around the first line in view.
const code = document.querySelector("[data-lines]");
const scopeBar = document.querySelector("[data-scope]");
const LINE_REM = 1.25;
const SMALL = 5; // so many blocks are fetched at once, for the browser's own search
let anchor = 0;
let awaited = null;

const parse = (hash) => {
  const match = /^#L(\d+)(?:-L(\d+))?$/.exec(hash);
  if (!match) return null;
  const ends = [Number(match[1]), Number(match[2] || match[1])].sort((a, b) => a - b);
  return { first: ends[0], last: ends[1] };
};

const holds = (element, number) =>
  Number(element.dataset.first) <= number && number <= Number(element.dataset.last);
const gaps = () => [...code.querySelectorAll(".code-gap")];

function mark({ first, last }) {
  for (const line of code.querySelectorAll(".is-marked")) line.classList.remove("is-marked");
  for (const part of code.querySelectorAll(".code-part")) {
    const end = Math.min(last, Number(part.dataset.last));
    for (let number = Math.max(first, Number(part.dataset.first)); number <= end; number++) {
      document.getElementById(`L${number}`).closest(".code-line").classList.add("is-marked");
    }
  }
}

// "Ask" is about the marked lines, where some are.
const ask = document.querySelector("[data-ask-lines]");
function pointAsk(range) {
  if (!ask) return;
  const url = new URL(ask.href);
  for (const [name, value] of [["first", range?.first], ["last", range?.last]]) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  ask.href = url.href;
  ask.ariaLabel = range ? ask.dataset.marked : ask.dataset.whole; // the row has no room for more words
}

function followHash(scroll) {
  const range = parse(location.hash);
  pointAsk(range);
  if (!range) return;
  anchor = range.first;
  mark(range);
  if (!scroll) return;
  const line = document.getElementById(`L${range.first}`);
  const gap = line || gaps().find((each) => holds(each, range.first));
  awaited = line || !gap ? null : range.first;
  if (line) line.scrollIntoView({ block: "center" });
  else if (gap) {
    gap.scrollIntoView({ block: "nearest" });
    htmx.trigger(gap, "near");
  }
}

code.addEventListener("click", (event) => {
  const link = event.target.closest("a.line-number");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const number = Number(link.id.slice(1));
  const [first, last] = event.shiftKey && anchor
    ? [Math.min(anchor, number), Math.max(anchor, number)]
    : [number, number];
  if (!event.shiftKey) anchor = number;
  history.replaceState(history.state, "", first === last ? `#L${first}` : `#L${first}-L${last}`);
  mark({ first, last });
  pointAsk({ first, last });
  schedule();
});

// Which definitions a line stands in; one that begins on the top line shows itself.
function scopesAt(part, number, isMarked) {
  part.scopes ??= JSON.parse(part.dataset.scopes);
  return part.scopes.filter(([first, last]) => (isMarked ? first <= number : first < number) && number <= last);
}

// The marked line counts while it is in sight, then the one at the top.
function markedLine(below) {
  const range = parse(location.hash);
  const link = range && document.getElementById(`L${range.first}`);
  const top = link?.getBoundingClientRect().top;
  return link && top >= below - 4 && top < innerHeight ? link.closest(".code-line") : null;
}

function topLine(below) {
  const left = code.getBoundingClientRect().left + 8;
  const under = document.elementsFromPoint(left, below);
  const line = under.map((each) => each.closest(".code-line")).find(Boolean);
  // What just came into view (content-visibility) has its lines in the next frame.
  if (!line && under.some((each) => each.closest(".code-block"))) schedule();
  return line;
}

// The outline marks the definition that holds the line, the innermost of several.
function markOutline(number) {
  const outline = document.getElementById("dr-outline");
  if (!outline || !number) return;
  const items = [...outline.querySelectorAll("[data-last]")];
  const current = items.findLast((each) => Number(each.dataset.first) <= number && number <= Number(each.dataset.last));
  const more = outline.querySelector("[data-whole-outline]");
  // What it does not list yet is asked for, once, when one is there.
  if (more?.hasAttribute("data-htmx-powered") && number > Number(items.at(-1)?.dataset.first)) {
    more.removeAttribute("data-whole-outline");
    more.click();
  }
  const before = outline.querySelector("[aria-current]");
  const link = current?.firstElementChild;
  if (before === (link || null)) return;
  before?.removeAttribute("aria-current");
  if (!link) return;
  link.setAttribute("aria-current", "location");
  const box = outline.closest(".outline");
  const [own, frame] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
  if (own.top < frame.top || own.bottom > frame.bottom) box.scrollTop += own.top - frame.top - frame.height / 3;
}

let shown = "";
function showScope() {
  const below = scopeBar.parentElement.getBoundingClientRect().bottom + 4;
  const marked = markedLine(below);
  const line = marked || topLine(below);
  const number = line ? Number(line.firstElementChild.textContent) : 0;
  const scopes = line ? scopesAt(line.closest(".code-part"), number, Boolean(marked)) : [];
  markOutline(number);
  const key = JSON.stringify(scopes);
  if (key === shown) return;
  shown = key;
  scopeBar.hidden = !scopes.length;
  scopeBar.replaceChildren(
    ...scopes.map(([first, , name]) => {
      const link = document.createElement("a");
      link.href = `#L${first}`;
      link.textContent = name;
      return link;
    }),
  );
}

let isWaiting = false;
function schedule() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    showScope();
  });
}

for (const gap of gaps()) {
  const lines = Number(gap.dataset.last) - Number(gap.dataset.first) + 1;
  gap.style.height = `${lines * LINE_REM}rem`;
}

document.addEventListener("htmx:after:swap", () => {
  followHash(awaited !== null);
  schedule();
});
addEventListener("hashchange", () => {
  followHash(true);
  schedule();
});
addEventListener("scroll", schedule, { passive: true });
addEventListener("load", () => {
  followHash(true);
  if (gaps().length <= SMALL) for (const gap of gaps()) htmx.trigger(gap, "near");
  schedule();
});
