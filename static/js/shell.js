// The frame: `/` goes to search, `a` to Ask, menus close, the phone's drawer opens.
// The server tells times in the zone that this cookie names (devrag/web/region.py).
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const secure = location.protocol === "https:" ? "; secure" : "";
document.cookie = `timezone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;

const isTyping = (element) =>
  element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.metaKey && !event.ctrlKey && !isTyping(event.target)) {
    const boxes = [...document.querySelectorAll("[data-search-input]")];
    const box = boxes.findLast((each) => each.checkVisibility());
    if (!box) return;
    event.preventDefault();
    box.focus();
    box.select();
  }
  if (event.key === "a" && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)) {
    if (!document.querySelector("dialog[open]")) document.querySelector("[data-ask-link]")?.click();
  }
  if (event.key === "Escape") {
    const menu = document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    const isSent = event.target.closest("button[type=submit]");
    if (isSent || !menu.contains(event.target)) menu.open = false;
  }
  const button = event.target.closest("[data-drawer]");
  if (button) {
    const drawer = document.getElementById(button.getAttribute("aria-controls"));
    const isOpen = drawer.classList.toggle("is-open");
    button.setAttribute("aria-expanded", String(isOpen));
  }
});

// A form that came back signed out: who signed in elsewhere sends it with one click,
// by the token of the new session.
addEventListener("focus", async () => {
  const token = document.querySelector("[data-kept] [name=csrfmiddlewaretoken]");
  if (!token) return;
  const answer = await fetch("/").catch(() => null); // offline: the form says so itself
  if (!answer) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[name=csrfmiddlewaretoken]");
  if (fresh) token.value = fresh.value;
});

// A page that nobody sees does not ask again; it goes on when it is looked at.
document.addEventListener("htmx:before:request", (event) => {
  const isPoll = event.detail.ctx.sourceEvent?.type === "every";
  if (isPoll && document.hidden) event.preventDefault();
});

// A row that is pushed aside shows where one is; its order stays.
for (const row of document.querySelectorAll(".product-tabs, .settings-nav")) {
  const here = row.querySelector("[aria-current]");
  if (here && row.scrollWidth > row.clientWidth) {
    row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
  }
}
