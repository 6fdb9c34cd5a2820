// The tree of files beside the code: folders open in place, arrows move (the pattern of
// ARIA's navigation tree), its width and state are remembered, on phones it is a drawer.
const side = document.getElementById("dr-file-tree");
const list = side.querySelector("[data-tree]");
const edge = side.querySelector("[role=separator]");
const toggles = document.querySelectorAll("[data-tree-toggle]");
const isPhone = matchMedia("(max-width: 60rem)");
const [LEAST, MOST, STEP] = [180, 560, 20];
const KEPT = "code-tree";

const items = () =>
  [...list.querySelectorAll("[role=treeitem]")].filter((item) => item.checkVisibility());
const groupOf = (item) => item.parentElement.querySelector(":scope > [role=group]");
const isFolder = (item) => item.hasAttribute("aria-expanded");
const isOpen = (item) => item.getAttribute("aria-expanded") === "true";

// What is open stays so on the next page of the same version.
function remember() {
  try {
    const kept = { source: side.dataset.source, html: list.innerHTML, top: list.scrollTop };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Storage is blocked or full: the tree is loaded anew.
  }
}

function recall() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    return kept?.source === side.dataset.source ? kept : null;
  } catch {
    return null;
  }
}

function focusable(item) {
  for (const each of list.querySelectorAll("[tabindex='0']")) each.tabIndex = -1;
  if (item) item.tabIndex = 0;
}

// Mark where one is; false where the tree does not show that.
function showCurrent() {
  for (const each of list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
  const path = side.dataset.path;
  const here = path && list.querySelector(`[data-path="${CSS.escape(path)}"]`);
  focusable(here || items()[0] || list.querySelector("[role=treeitem]"));
  if (!here) return !path;
  here.setAttribute("aria-current", "page");
  return !here.parentElement.closest("[role=group][hidden]");
}

function scrollToCurrent() {
  const here = list.querySelector("[aria-current]")?.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (!here || !frame.height) return;
  if (here.top < frame.top || here.bottom > frame.bottom) {
    list.scrollTop += here.top - frame.top - frame.height / 3; // not the page
  }
}

async function fetchPart(url) {
  const answer = await fetch(url, { headers: { "HX-Request": "true" } });
  if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
  return answer.text(); // a template of ours, escaped by the server
}

function showTree(html, top = 0) {
  const tree = document.createElement("ul");
  tree.setAttribute("role", "tree");
  tree.setAttribute("aria-label", list.dataset.label);
  tree.className = "file-tree-root";
  tree.innerHTML = html;
  list.replaceChildren(tree);
  list.scrollTop = top;
}

let isLoaded = false;
async function load() {
  if (isLoaded) return;
  isLoaded = true;
  const kept = recall();
  if (kept) {
    list.innerHTML = kept.html;
    list.scrollTop = kept.top;
    if (showCurrent()) return scrollToCurrent();
  }
  try {
    showTree(await fetchPart(side.dataset.url));
  } catch {
    isLoaded = false;
    list.textContent = list.dataset.problem;
    return;
  }
  showCurrent();
  scrollToCurrent();
  remember();
}

async function open(item) {
  item.setAttribute("aria-expanded", "true");
  let group = groupOf(item);
  if (group) group.hidden = false;
  else {
    group = document.createElement("ul");
    group.setAttribute("role", "group");
    group.className = "file-tree-group";
    item.setAttribute("aria-busy", "true");
    try {
      group.innerHTML = await fetchPart(item.dataset.level);
      item.after(group);
    } catch {
      item.setAttribute("aria-expanded", "false");
    }
    item.removeAttribute("aria-busy");
  }
  remember();
}

function close(item) {
  item.setAttribute("aria-expanded", "false");
  const group = groupOf(item);
  if (group) group.hidden = true;
  remember();
}

function moveTo(item) {
  if (!item) return;
  focusable(item);
  item.focus();
}

list.addEventListener("click", (event) => {
  const item = event.target.closest("[role=treeitem]");
  if (!item || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!isFolder(item)) return remember();
  event.preventDefault();
  focusable(item);
  if (isOpen(item)) close(item);
  else open(item);
});

const steps = {
  ArrowDown: (item, all) => moveTo(all[all.indexOf(item) + 1]),
  ArrowUp: (item, all) => moveTo(all[all.indexOf(item) - 1]),
  Home: (_, all) => moveTo(all[0]),
  End: (_, all) => moveTo(all.at(-1)),
  ArrowRight: (item, all) => {
    if (!isFolder(item)) return;
    if (isOpen(item)) moveTo(all[all.indexOf(item) + 1]);
    else open(item);
  },
  ArrowLeft: (item) => {
    if (isFolder(item) && isOpen(item)) close(item);
    else moveTo(item.parentElement.closest("[role=group]")?.previousElementSibling);
  },
};
list.addEventListener("keydown", (event) => {
  const item = event.target.closest("[role=treeitem]");
  if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
  if (steps[event.key]) {
    event.preventDefault();
    steps[event.key](item, items());
  } else if (event.key.length === 1 && /\S/.test(event.key)) {
    const all = items();
    const at = all.indexOf(item);
    const after = [...all.slice(at + 1), ...all.slice(0, at)];
    const key = event.key.toLowerCase();
    moveTo(after.find((each) => each.textContent.trim().toLowerCase().startsWith(key)));
    event.stopPropagation(); // letters are shortcuts elsewhere
  }
});

// Shown or hidden: remembered beside the code, a drawer on phones.
const isShown = () =>
  isPhone.matches ? side.classList.contains("is-open") : !window.codeChoices.get("closed");

function showState() {
  for (const each of toggles) each.setAttribute("aria-expanded", String(isShown()));
  if (isShown()) load();
}

function toggle() {
  if (isPhone.matches) side.classList.toggle("is-open");
  else window.codeChoices.set("closed", isShown());
  showState();
  if (isPhone.matches && isShown()) list.querySelector("[tabindex='0']")?.focus();
  scrollToCurrent();
}

for (const each of toggles) each.addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isPhone.matches && isShown()) {
    toggle();
    toggles[0].focus();
  }
});
document.addEventListener("click", (event) => {
  const isInside = side.contains(event.target) || event.target.closest("[data-tree-toggle]");
  if (isPhone.matches && isShown() && !isInside) toggle();
});
isPhone.addEventListener("change", showState);

function setWidth(width) {
  const rounded = Math.round(Math.min(MOST, Math.max(LEAST, width)));
  window.codeChoices.set("width", rounded);
  edge.ariaValueNow = String(rounded);
}

edge.ariaValueNow = String(window.codeChoices.get("width") || 260);
edge.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  edge.setPointerCapture(event.pointerId);
  const left = side.getBoundingClientRect().left;
  const follow = (move) => setWidth(move.clientX - left);
  edge.addEventListener("pointermove", follow);
  edge.addEventListener("pointerup", () => edge.removeEventListener("pointermove", follow), { once: true });
});
edge.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (!step) return;
  event.preventDefault();
  setWidth(side.getBoundingClientRect().width + step);
});

showState();
