// A citation shows its lines while it is hovered or has the focus; a tap opens the file.
// The list of a row of citations opens by itself, and here beside its chip.
const DELAY_MS = 150;
const GAP = 8;
const box = document.getElementById("dr-preview");
const known = new Map();
let current = null;
let timer = 0;

const chipOf = (target) => target.closest?.("a.cite[data-preview]");

function load(url) {
  if (!known.has(url)) {
    const answer = fetch(url).then((response) =>
      response.ok && !response.redirected ? response.text() : "",
    );
    known.set(url, answer.catch(() => known.delete(url) && ""));
  }
  return known.get(url);
}

function place(box, chip) {
  const anchor = chip.closest(".cite-list") ?? chip; // of a list nothing is covered
  const [at, size] = [anchor.getBoundingClientRect(), box.getBoundingClientRect()];
  const isBelow = at.bottom + GAP + size.height < innerHeight || at.top < size.height + GAP;
  const left = Math.min(at.left - 24, innerWidth - size.width - 16);
  box.style.left = `${Math.max(16, left)}px`;
  box.style.top = `${isBelow ? at.bottom + GAP : at.top - GAP - size.height}px`;
}

async function open(chip) {
  const html = await load(chip.dataset.preview);
  if (chip !== current || !html) return;
  box.innerHTML = html;
  box.showPopover();
  box.scrollTop = 0;
  place(box, chip);
  if (chip.title) chip.dataset.title = chip.title;
  chip.removeAttribute("title");
  chip.setAttribute("aria-describedby", "dr-preview-head");
}

function close() {
  clearTimeout(timer);
  if (current?.dataset.title) current.title = current.dataset.title;
  current?.removeAttribute("aria-describedby");
  current = null;
  if (box.matches(":popover-open")) box.hidePopover();
}

function want(chip) {
  clearTimeout(timer);
  if (chip === current) return;
  timer = setTimeout(() => {
    close();
    current = chip;
    open(chip);
  }, DELAY_MS);
}

function leave() {
  clearTimeout(timer);
  timer = setTimeout(close, DELAY_MS);
}

if (box?.showPopover) {
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const chip = chipOf(event.target);
    if (chip) want(chip);
    else if (box.contains(event.target)) clearTimeout(timer);
    else if (current !== document.activeElement) leave();
  });
  document.addEventListener("focusin", (event) => {
    const chip = chipOf(event.target);
    if (chip?.matches(":focus-visible")) want(chip);
    else close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  addEventListener("scroll", () => current && place(box, current), { passive: true });
}

// Neither event rises from the list, but both can be heard on the way down to it.
const chipOfList = (list) => list.matches?.(".cite-list") && list.previousElementSibling;

document.addEventListener(
  "beforetoggle",
  ({ target, newState }) => {
    // Its size is known once it is open: unseen until it is in its place.
    if (chipOfList(target) && newState === "open") target.style.visibility = "hidden";
  },
  true,
);
document.addEventListener(
  "toggle",
  ({ target, newState }) => {
    const chip = chipOfList(target);
    if (!chip || newState !== "open") return;
    Object.assign(target.style, { inset: "auto", margin: "0" });
    place(target, chip);
    target.style.visibility = "";
  },
  true,
);
addEventListener(
  "scroll",
  () => {
    const list = document.querySelector(".cite-list:popover-open");
    if (list) place(list, chipOfList(list));
  },
  { passive: true },
);
