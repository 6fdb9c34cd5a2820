// Find in a file, also in blocks that are not loaded: the server tells the places, the
// browser paints those it shows. Ctrl+F stays the browser's own and finds all lines, too.
const bar = document.getElementById("dr-find");
const code = document.querySelector("[data-lines]");
const input = bar.elements.text;
const output = bar.querySelector("output");
const canPaint = typeof Highlight === "function" && CSS.highlights;
const all = canPaint ? new Highlight() : new Set();
const current = canPaint ? new Highlight() : new Set();
let places = [];
let at = -1;
let isCut = false;
let asking = null;
let timer = 0;

if (canPaint) {
  current.priority = 1;
  CSS.highlights.set("found", all);
  CSS.highlights.set("found-current", current);
}

// The range of columns in a line that is loaded, else null.
function rangeOf([line, column, length]) {
  const text = document.getElementById(`L${line}`)?.nextElementSibling;
  if (!text) return null;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let passed = 0;
  let isBegun = false;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!isBegun && column < passed + node.length) {
      range.setStart(node, column - passed);
      isBegun = true;
    }
    if (isBegun && column + length <= passed + node.length) {
      range.setEnd(node, column + length - passed);
      return range;
    }
    passed += node.length;
  }
  return null;
}

function paint() {
  all.clear();
  current.clear();
  for (const [index, place] of places.entries()) {
    const range = rangeOf(place);
    if (range) (index === at ? current : all).add(range);
  }
}

function tell() {
  const count = places.length.toLocaleString() + (isCut ? "+" : "");
  output.value = places.length
    ? bar.dataset.count.replace("{at}", (at + 1).toLocaleString()).replace("{count}", count)
    : input.value && bar.dataset.none;
}

function goTo(index) {
  if (!places.length) return;
  at = (index + places.length) % places.length;
  const [line] = places[at];
  tell();
  // lines.js loads the block of the line where it is not here yet.
  history.replaceState(history.state, "", `#L${line}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
  paint();
}

async function look() {
  asking?.abort();
  if (!input.value) {
    places = [];
    tell();
    return paint();
  }
  asking = new AbortController();
  const wanted = new URLSearchParams({ text: input.value });
  if (bar.elements.case.checked) wanted.set("case", "on");
  const signal = asking.signal;
  const answer = await fetch(`${bar.dataset.url}?${wanted}`, { signal }).catch(() => null);
  if (!answer?.ok || signal.aborted) return;
  const found = await answer.json().catch(() => null);
  if (!found) return;
  ({ places, is_cut: isCut } = found);
  at = -1;
  const top = firstInView();
  const next = places.findIndex(([line]) => line >= top);
  if (places.length) goTo(Math.max(0, next));
  else {
    tell();
    paint();
  }
}

function firstInView() {
  const lines = code.querySelectorAll("a.line-number");
  const below = bar.getBoundingClientRect().bottom;
  const marked = code.querySelector(".is-marked > a");
  if (marked && marked.getBoundingClientRect().top > 0) return Number(marked.textContent);
  const first = [...code.querySelectorAll(".code-block")].find(
    (block) => block.getBoundingClientRect().bottom > below,
  );
  return first ? Number(first.querySelector("a").textContent) : Number(lines[0]?.textContent || 1);
}

function open() {
  bar.hidden = false;
  const chosen = getSelection().toString();
  if (chosen && !chosen.includes("\n")) input.value = chosen;
  input.focus();
  input.select();
  if (input.value) look();
}

function close() {
  bar.hidden = true;
  places = [];
  paint();
  code.focus({ preventScroll: true });
}

const isTyping = (element) => element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
document.addEventListener("keydown", (event) => {
  const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
  if (event.key === "f" && isPlain && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    open();
  } else if (event.key.toLowerCase() === "f" && (event.metaKey || event.ctrlKey)) {
    // The browser searches what is loaded: load the rest.
    for (const gap of code.querySelectorAll(".code-gap")) htmx.trigger(gap, "near");
  }
});
bar.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Escape") close();
  else if (event.key === "Enter" && event.target === input) {
    event.preventDefault();
    goTo(at + (event.shiftKey ? -1 : 1));
  } else return;
  event.stopPropagation();
});
bar.addEventListener("submit", (event) => {
  event.preventDefault();
  goTo(at + 1);
});
bar.addEventListener("click", (event) => {
  const step = event.target.closest("[data-find-step]");
  if (step) goTo(at + Number(step.dataset.findStep));
  else if (event.target.closest("[data-find-close]")) close();
});
input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(look, 150);
});
bar.elements.case.addEventListener("change", look);
document.querySelector("[data-find-open]").addEventListener("click", open);
// Other views of the file lead here.
if (location.hash === "#find") open();
document.addEventListener("htmx:after:swap", () => places.length && paint());

const wrap = document.querySelector("[data-wrap-toggle]");
const showWrap = () => (wrap.ariaPressed = String(window.codeChoices.get("wrap") === true));
wrap.addEventListener("click", () => {
  window.codeChoices.set("wrap", window.codeChoices.get("wrap") !== true);
  showWrap();
});
showWrap();
