// The table of contents follows the reader: the last heading above the fold is current.
// The tree of pages, where it scrolls by itself, shows where one is.
const links = new Map(
  [...document.querySelectorAll("[data-toc] a")].map((link) => [
    decodeURIComponent(link.hash.slice(1)),
    link,
  ]),
);
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
const OFFSET = 120;
let isWaiting = false;

function update() {
  isWaiting = false;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < OFFSET);
  const current = (passed.at(-1) || headings[0])?.id;
  for (const [id, link] of links) {
    if (id === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function schedule() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(update);
}

const side = document.querySelector(".wiki-side");
if (side && side.scrollHeight > side.clientHeight) {
  // Not scrollIntoView(), which would scroll the page, too.
  const here = side.querySelector("[aria-current]")?.getBoundingClientRect();
  const frame = side.getBoundingClientRect();
  const hidden = here ? here.bottom - Math.min(frame.bottom, innerHeight) : 0;
  if (hidden > 0) side.scrollTop += hidden + here.height;
}

if (headings.length) {
  addEventListener("scroll", schedule, { passive: true });
  update();
}
