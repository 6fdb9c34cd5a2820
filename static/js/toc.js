// The table of contents follows the reader: the last heading above the fold is current,
// at the end of the page the last one in sight. The tree of pages, where it scrolls by
// itself, shows where one is.
const links = [...document.querySelectorAll("[data-toc] a")];
const nameOf = (link) => decodeURIComponent(link.hash.slice(1));
const headings = [...new Set(links.map(nameOf))]
  .map((id) => document.getElementById(id))
  .filter(Boolean);
// Where a heading comes to lie that one jumps to, and a little below.
const OFFSET = Math.max(120, headings[0] ? parseFloat(getComputedStyle(headings[0]).scrollMarginTop) + 24 : 0);
let isWaiting = false;
let shown = "";

// The section that was jumped to is the current one until the reader moves on.
let target = "";
function jump() {
  try {
    target = nameOf(location);
  } catch {
    target = ""; // such as #100%, which is no encoded text
  }
  schedule();
}
for (const kind of ["wheel", "touchmove", "keydown"]) {
  addEventListener(kind, () => { target = ""; }, { passive: true });
}

function find() {
  const top = headings.find((heading) => heading.id === target)?.getBoundingClientRect().top;
  if (top >= 0 && top < innerHeight) return target;
  const root = document.documentElement;
  const isAtEnd = root.scrollHeight > innerHeight && scrollY + innerHeight >= root.scrollHeight - 2;
  const limit = isAtEnd ? innerHeight : OFFSET;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < limit);
  return (passed.at(-1) || headings[0])?.id;
}

// Not scrollIntoView(), which would scroll the page, too.
function bringIntoView(link) {
  const box = link.closest(".wiki-toc");
  if (!box || box.scrollHeight <= box.clientHeight) return;
  const [own, frame] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
  if (own.top < frame.top) box.scrollTop += own.top - frame.top - own.height;
  else if (own.bottom > frame.bottom) box.scrollTop += own.bottom - frame.bottom + own.height;
}

function update() {
  isWaiting = false;
  const current = find();
  if (current === shown) return;
  shown = current;
  for (const link of links) {
    const isCurrent = nameOf(link) === current;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (isCurrent) bringIntoView(link);
  }
  document.dispatchEvent(new CustomEvent("sectionchange", { detail: current }));
}

function schedule() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(update);
}

const side = document.querySelector(".wiki-side");
if (side && side.scrollHeight > side.clientHeight) {
  const here = side.querySelector("[aria-current]")?.getBoundingClientRect();
  const frame = side.getBoundingClientRect();
  const hidden = here ? here.bottom - Math.min(frame.bottom, innerHeight) : 0;
  if (hidden > 0) side.scrollTop += hidden + here.height;
}

if (headings.length) {
  addEventListener("scroll", schedule, { passive: true });
  addEventListener("hashchange", jump);
  jump();
  update();
}
