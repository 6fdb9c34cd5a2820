// Results by keyboard: up and down move, Enter opens (it is a link), Escape returns.
// The results are replaced as one types: look them up each time.
const results = () => document.getElementById("dr-results");
const input = document.querySelector("main [data-search-input]");

const hits = () => [...results().querySelectorAll("a.hit-link")].filter((link) => link.checkVisibility());

function move(step) {
  const links = hits();
  if (!links.length) return;
  const index = links.indexOf(document.activeElement);
  if (index + step < 0) return input.focus();
  const link = links[Math.min(index + step, links.length - 1)];
  link.focus({ preventScroll: true });
  link.closest(".hit").scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  // Nothing has the focus when one comes from another page's box.
  const isFree = event.target === document.body;
  const isInside = isFree || event.target === input || results().contains(event.target);
  if (!isInside || event.altKey || event.metaKey || event.ctrlKey) return;
  if (event.isComposing) return; // the arrows choose among candidates
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape" && event.target !== input) {
    input.focus();
  }
});

// What was chosen in the panel of filters is searched for: the results are in sight.
const form = input.closest("form");
form.addEventListener("submit", () => {
  const panel = form.querySelector(".filter-menu[open]");
  if (!panel) return;
  panel.open = false;
  panel.querySelector("summary").focus();
});

// A late answer replaces the hit that has the focus: give it back to the same one.
// Who asked for more goes on with the first one of these.
let focused = "";
let nextRank = 0;
document.addEventListener("htmx:before:swap", () => {
  const active = results().contains(document.activeElement) ? document.activeElement : null;
  nextRank = active?.hasAttribute("data-more") ? hits().length + 1 : 0;
  focused = active && !nextRank ? active.href : "";
});
document.addEventListener("htmx:after:swap", () => {
  const next = nextRank && results().querySelector(`[data-rank="${nextRank}"] a.hit-link`);
  nextRank = 0;
  if (next) next.focus();
  if (focused) (hits().find((link) => link.href === focused) || hits()[0] || input).focus();
  focused = "";
});

// On a wide screen the lines around a hit stand beside the list.
const isWide = matchMedia("(min-width: 90rem)");
let previewed = null;

function preview(hit) {
  const isAwake = hit?.hasAttribute("data-htmx-powered");
  if (!isAwake || hit === previewed || !isWide.matches) return;
  previewed?.classList.remove("is-previewed");
  previewed = hit;
  hit.classList.add("is-previewed");
  htmx.trigger(hit, "preview");
}

const main = document.getElementById("dr-main");
const ofHit = (event) => (results().contains(event.target) ? event.target.closest(".hit") : null);
main.addEventListener("focusin", (event) => preview(ofHit(event)));
let resting = 0;
main.addEventListener("pointerover", (event) => {
  clearTimeout(resting);
  const hit = ofHit(event);
  if (hit) resting = setTimeout(preview, 150, hit);
});
// htmx wakes elements some time after the page, and after each swap; the preview itself
// is swapped in, too: then the hit that it belongs to is still there.
const previewFirst = () => previewed?.isConnected || preview(hits()[0]?.closest(".hit"));
document.addEventListener("htmx:after:process", previewFirst);
previewFirst();

// What was typed before htmx listened is searched for, too.
function searchTyped() {
  if (!input.hasAttribute("data-htmx-powered")) return;
  document.removeEventListener("htmx:after:process", searchTyped);
  if (input.value !== input.defaultValue) htmx.trigger(input, "input");
}
document.addEventListener("htmx:after:process", searchTyped);
searchTyped();

// Back and forward between searches load the page as it is at that address.
document.addEventListener("htmx:before:history:restore", (event) => {
  event.preventDefault();
  location.reload();
});
