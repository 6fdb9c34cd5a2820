// Names in the code lead to their definitions; a card shows what they are, on hover and
// on keyboard focus. The server tells for each block where such names stand.
const code = document.querySelector("[data-lines]");
const card = document.getElementById("dr-code-card");
const panel = document.getElementById("dr-symbol");
const REST = 250; // ms before a card opens
const LEAVE = 300; // and before it closes, so that one can reach it
const cards = new Map();

// Wrap the part of a line in a link; where tags cut it, it stays as it is.
function link(line, column, length, [href, cardUrl], isPossible) {
  const text = document.getElementById(`L${line}`)?.nextElementSibling;
  if (!text) return;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let passed = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const begin = column - passed;
    passed += node.length;
    if (begin >= node.length) continue;
    if (begin + length > node.length || node.parentElement.closest("a")) return;
    const name = begin ? node.splitText(begin) : node;
    if (length < name.length) name.splitText(length);
    const anchor = document.createElement("a");
    anchor.className = "code-use";
    anchor.href = href;
    anchor.tabIndex = -1;
    anchor.dataset.card = cardUrl;
    if (isPossible) anchor.dataset.possible = "";
    name.replaceWith(anchor);
    anchor.append(name);
    return;
  }
}

async function linkBlock(part) {
  part.dataset.linked = "";
  const answer = await fetch(`${code.dataset.uses}?line=${part.dataset.first}`).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const { targets, uses } = await answer.json();
  // From the end, so that what is before keeps its columns.
  for (const [line, column, length, target, isPossible] of uses.reverse()) {
    link(line, column, length, targets[target], isPossible);
  }
  rove(code.querySelector("a.code-use, a.definition"));
}

// A block is linked when it comes near.
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      linkBlock(target);
    }
  },
  { rootMargin: "400px" },
);
function observe() {
  for (const part of code.querySelectorAll(".code-part:not([data-linked])")) near.observe(part);
}

// One of the links is reached by Tab, the others by arrows from there.
function rove(to) {
  const before = code.querySelector("a[tabindex='0']");
  if (!to || (before && before === to)) return;
  if (before) before.tabIndex = -1;
  to.tabIndex = 0;
}

const isLink = (element) => element?.matches?.("a.code-use, a.definition");

code.addEventListener("keydown", (event) => {
  if (!isLink(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...code.querySelectorAll("a.code-use, a.definition")];
  const line = event.target.closest(".code-line");
  const isByLine = event.key === "ArrowDown" || event.key === "ArrowUp";
  let at = all.indexOf(event.target) + step;
  while (isByLine && all[at]?.closest(".code-line") === line) at += step;
  if (!all[at]) return;
  rove(all[at]);
  all[at].focus();
});

let timer = 0;
let shownFor = null;
let asking = null;

function hide() {
  clearTimeout(timer);
  asking?.abort();
  shownFor?.removeAttribute("aria-describedby");
  shownFor = null;
  if (card.matches(":popover-open")) card.hidePopover();
}

function place(anchor) {
  const box = anchor.getBoundingClientRect();
  const width = Math.min(520, innerWidth - 32);
  card.style.width = `${width}px`;
  card.style.left = `${Math.max(16, Math.min(box.left, innerWidth - width - 16))}px`;
  const isBelow = box.bottom + card.offsetHeight + 8 < innerHeight || box.top < card.offsetHeight;
  card.style.top = `${isBelow ? box.bottom + 4 : box.top - card.offsetHeight - 4}px`;
}

async function textOf(anchor) {
  const url = anchor.dataset.card || `${anchor.getAttribute("href")}card/`;
  if (cards.has(url)) return cards.get(url);
  asking?.abort();
  asking = new AbortController();
  const answer = await fetch(url, { signal: asking.signal });
  if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
  const html = await answer.text(); // a template of ours, escaped by the server
  cards.set(url, html);
  return html;
}

async function show(anchor) {
  if (shownFor === anchor) return;
  hide();
  shownFor = anchor;
  const html = await textOf(anchor).catch(() => "");
  if (!html || shownFor !== anchor || !anchor.isConnected) return;
  card.innerHTML = html;
  card.querySelector("[data-possible]").hidden = anchor.dataset.possible === undefined;
  card.showPopover();
  place(anchor);
  anchor.setAttribute("aria-describedby", card.id);
}

code.addEventListener("pointerover", (event) => {
  const anchor = event.target.closest("a.code-use, a.definition");
  if (!anchor || event.pointerType === "touch") return;
  clearTimeout(timer);
  timer = setTimeout(show, REST, anchor);
});
code.addEventListener("pointerout", (event) => {
  if (!isLink(event.target.closest("a"))) return;
  clearTimeout(timer);
  timer = setTimeout(hide, LEAVE);
});
card.addEventListener("pointerenter", () => clearTimeout(timer));
card.addEventListener("pointerleave", () => (timer = setTimeout(hide, LEAVE)));
code.addEventListener("focusin", (event) => {
  if (!isLink(event.target)) return;
  rove(event.target);
  if (event.target.matches(":focus-visible")) show(event.target);
});
code.addEventListener("focusout", (event) => {
  if (!card.contains(event.relatedTarget)) hide();
});
addEventListener("scroll", hide, { passive: true });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shownFor) hide();
  if (event.key === "r" && isLink(event.target) && shownFor) openReferences();
});

// The lines that use it, beside the code; on a page without that column, on its own page.
async function openReferences() {
  const way = card.querySelector("[data-references]");
  if (!panel || !way) return way?.click();
  const answer = await fetch(way.dataset.references).catch(() => null);
  if (!answer?.ok || answer.redirected) return location.assign(way.href);
  panel.innerHTML = await answer.text(); // a template of ours, escaped by the server
  hide();
  const list = panel.firstElementChild;
  list.focus({ preventScroll: true });
  if (list.getBoundingClientRect().top < 0 || list.getBoundingClientRect().top > innerHeight) list.scrollIntoView();
}
card.addEventListener("click", (event) => {
  if (!panel || event.ctrlKey || event.metaKey || !event.target.closest("[data-references]")) return;
  event.preventDefault();
  openReferences();
});
panel?.addEventListener("click", (event) => {
  if (event.target.closest("[data-close-references]")) panel.replaceChildren();
});

observe();
document.addEventListener("htmx:after:swap", observe);
