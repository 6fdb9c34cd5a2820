// The palette (Ctrl+K, ⌘K) and the list of shortcuts (?). Choices come from the server;
// the pages one was on come from this browser alone.
const palette = document.getElementById("dr-palette");
const keys = document.getElementById("dr-keys");
const input = document.getElementById("dr-palette-input");
const KEPT = 20;
const SHOWN = 5;

const isTyping = (element) =>
  element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);

function readRecent() {
  try {
    return JSON.parse(localStorage.getItem("recent")) || [];
  } catch {
    return []; // storage is blocked, or holds something else
  }
}

function keepRecent(pages) {
  try {
    localStorage.setItem("recent", JSON.stringify(pages.slice(0, KEPT)));
  } catch {
    // Storage is blocked: nothing is remembered.
  }
}

if (location.pathname.startsWith("/p/") && document.querySelector("h1")) {
  const url = location.pathname;
  const title = document.title.replace(/ · devrag$/, "");
  keepRecent([{ url, title }, ...readRecent().filter((each) => each.url !== url)]);
}
document.addEventListener("submit", (event) => {
  if (event.target.action.endsWith("/sign-out/")) keepRecent([]);
});

const choices = () => [...palette.querySelectorAll("[role=option]")];
const chosen = () => palette.querySelector("[aria-selected=true]");
// A slow answer may be to what was typed before.
const asked = () => document.getElementById("dr-palette-list")?.dataset.asked;
let isEntered = false;

function choose(option) {
  chosen()?.setAttribute("aria-selected", "false");
  if (!option) return input.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", option.id);
}

function addRecent() {
  const pages = readRecent().filter((each) => each.url !== location.pathname);
  if (input.value || !pages.length) return;
  const group = document.createElement("div");
  group.role = "group";
  group.ariaLabel = palette.dataset.recent;
  const name = document.createElement("p");
  name.className = "palette-group";
  name.role = "presentation";
  name.textContent = palette.dataset.recent;
  group.append(name);
  pages.slice(0, SHOWN).forEach(({ url, title }, place) => {
    const link = document.createElement("a");
    link.className = "palette-item";
    link.role = "option";
    link.tabIndex = -1;
    link.id = `dr-palette-recent-${place}`;
    link.ariaSelected = "false";
    link.href = new URL(url, location.origin).pathname;
    const text = document.createElement("span");
    text.className = "truncate";
    text.textContent = title;
    link.append(text);
    group.append(link);
  });
  document.getElementById("dr-palette-list").prepend(group);
}

function open() {
  if (palette.open) return palette.close();
  keys.close();
  isEntered = false;
  palette.showModal();
  input.select();
  htmx.trigger(input, "opened");
}

function showKeys() {
  palette.close();
  keys.showModal();
}

function run(option) {
  const what = option.dataset.run;
  palette.close();
  if (what === "theme") document.querySelector("[data-theme-button]").click();
  else if (what === "keys") showKeys();
  else document.querySelector(`.languages-switch [value="${what.slice(9)}"]`).click();
}

function move(step) {
  const all = choices();
  const next = (all.indexOf(chosen()) + step + all.length) % all.length;
  choose(all[next]);
}

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey) {
    event.preventDefault();
    open();
  } else if (event.key === "?" && !isTyping(event.target)) {
    showKeys();
  }
});

input.addEventListener("keydown", (event) => {
  if (event.isComposing) return; // Enter ends a Japanese word first
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (asked() === input.value) chosen()?.click();
    else isEntered = true;
  }
});

palette.addEventListener("htmx:after:swap", () => {
  if (asked() === undefined) return;
  if (asked() !== input.value) return htmx.trigger(input, "opened");
  addRecent();
  choose(choices()[0]);
  if (isEntered) chosen()?.click();
});
input.addEventListener("input", () => (isEntered = false));
palette.addEventListener("click", (event) => {
  const option = event.target.closest("[data-run]");
  if (option) run(option);
  else if (event.target === palette) palette.close(); // beside it
});
palette.addEventListener("pointermove", (event) => {
  const option = event.target.closest("[role=option]");
  if (option && option !== chosen()) choose(option);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-palette]");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  open();
});

if (/Mac|iPhone|iPad/.test(navigator.platform)) {
  for (const key of document.querySelectorAll("[data-mac]")) key.textContent = key.dataset.mac;
}
