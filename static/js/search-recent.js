// Recent searches, kept in this browser alone: what one opened a hit of, or sent.
const KEY = "searches";
const KEPT = 8;
const box = document.getElementById("dr-q");

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || [];
  } catch {
    return []; // storage is blocked, or holds something else
  }
}

function write(searches) {
  try {
    if (searches.length) localStorage.setItem(KEY, JSON.stringify(searches));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: nothing is remembered.
  }
}

function keep() {
  const text = box.value.trim();
  if (!text) return;
  const url = location.pathname + location.search;
  const others = read().filter((each) => each.text !== text);
  write([{ text, url }, ...others].slice(0, KEPT));
}

function show() {
  const place = document.querySelector("[data-recent-searches]");
  const searches = read();
  if (!place || !searches.length) return;
  const items = searches.map(({ text, url }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const asked = new URL(url, location.origin);
    link.href = asked.pathname + asked.search;
    link.textContent = text;
    item.append(link);
    return item;
  });
  place.querySelector("ul").replaceChildren(...items);
  place.hidden = false;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#dr-results a.hit-link, #dr-results a.use-line")) keep();
  if (event.target.closest("[data-forget-searches]")) {
    write([]);
    event.target.closest("[data-recent-searches]").hidden = true;
    box.focus();
  }
});
box.form.addEventListener("submit", () => setTimeout(keep, 1000)); // the address follows
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action")?.endsWith("/sign-out/")) write([]);
});
document.addEventListener("htmx:after:swap", show);
show();
