// The palette (Ctrl+K, ⌘K) and the list of shortcuts (?). Choices come from the server;
// what one looked at before comes from this browser alone.
const palette = document.getElementById("dr-palette");
const keys = document.getElementById("dr-keys");
const input = document.getElementById("dr-palette-input");
const KEPT = 30;
const SHOWN = 6;
const SHOWN_TYPING = 3;

const isTyping = (element) =>
  element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);

// What one looked at, kept in this browser for each user. A page of somebody else, the
// sign-in page too, forgets what others left; so does signing out.
const KEY = `recent:${palette.dataset.user}`;
let isSigningOut = false;

function readRecent() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || [];
  } catch {
    return []; // storage is blocked, or holds something else
  }
}

function forgetRecent(isForgotten) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("recent") && isForgotten(key)) localStorage.removeItem(key);
    }
  } catch {
    // Storage is blocked: nothing is there.
  }
}

const ICONS = [
  [/^\/search$/, "search"],
  [/^\/ask\/[0-9a-f-]{36}\/$/, "ask"],
  [/^\/p\/[^/]+\/wiki\//, "book"],
  [/^\/p\/[^/]+\/s\/[^/]+\/-\/[^/]+\/.+[^/]$/, "file"],
  [/^\/p\/[^/]+\/s\/[^/]+\/symbol\//, "code"],
  [/^\/p\/[^/]+\/$/, "layers"],
];

function describePage() {
  const query = new URLSearchParams(location.search);
  const icon = ICONS.find(([pattern]) => pattern.test(location.pathname))?.[1];
  const isSearch = icon === "search";
  if (!icon || (isSearch && !query.get("q")) || document.querySelector(".error-page")) return null;
  const title = document.title.replace(/ · devrag$/, "");
  return { url: location.pathname + (isSearch ? location.search : ""), title, icon };
}

function keepPage() {
  const page = isSigningOut ? null : describePage();
  if (!page) return;
  const pages = [page, ...readRecent().filter((each) => each.url !== page.url)];
  try {
    localStorage.setItem(KEY, JSON.stringify(pages.slice(0, KEPT)));
  } catch {
    // Storage is blocked: nothing is remembered.
  }
}

forgetRecent((key) => key !== KEY);
// At once: the next page may be there before this one's "pagehide" has been handled.
keepPage();
addEventListener("pagehide", keepPage); // what one searches for last, not each letter
document.addEventListener("submit", (event) => {
  if (!event.target.getAttribute("action")?.endsWith("/sign-out/")) return;
  isSigningOut = true;
  forgetRecent(() => true);
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

function findRecent() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const here = location.pathname + location.search;
  const shown = new Set(choices().map((each) => each.getAttribute("href")));
  const isFitting = ({ url, title }) =>
    url !== here && !shown.has(url) && words.every((word) => title.toLowerCase().includes(word));
  return readRecent().filter(isFitting).slice(0, words.length ? SHOWN_TYPING : SHOWN);
}

function addRecent() {
  const pages = findRecent();
  if (!pages.length) return;
  const group = document.createElement("div");
  group.role = "group";
  group.ariaLabel = palette.dataset.recent;
  const name = document.createElement("p");
  name.className = "palette-group";
  name.role = "presentation";
  name.textContent = palette.dataset.recent;
  group.append(name, ...pages.map(asOption));
  const list = document.getElementById("dr-palette-list");
  if (input.value) list.querySelector("[data-search]").before(group);
  else list.prepend(group);
}

function asOption({ url, title, icon }, place) {
  const link = document.createElement("a");
  link.className = "palette-item";
  link.role = "option";
  link.tabIndex = -1;
  link.id = `dr-palette-recent-${place}`;
  link.ariaSelected = "false";
  const { pathname, search } = new URL(url, location.origin); // of this host
  link.href = pathname + search;
  const drawn = palette.querySelector("svg.icon").cloneNode(true);
  const use = drawn.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${icon}`));
  const text = document.createElement("span");
  text.className = "truncate";
  text.textContent = title;
  link.append(drawn, text);
  return link;
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
  const [what, value] = option.dataset.run.split("-");
  palette.close();
  if (what === "keys") return showKeys();
  if (what !== "post") return document.querySelector(`[name="${what}"][value="${value}"]`)?.click();
  const form = document.getElementById("dr-palette-post");
  form.action = option.dataset.url;
  form.submit();
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
