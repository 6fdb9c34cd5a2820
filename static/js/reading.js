// What helps to read and pass on a page: copy buttons on code, the link to the section
// one reads, printing with all diagrams drawn.
const words = document.querySelector("[data-reading]").dataset;

function addCopyButton(code) {
  const box = document.createElement("div");
  box.className = "code-box";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small code-copy";
  button.textContent = words.copyLabel;
  button.ariaLabel = words.copyCodeLabel;
  button.dataset.copy = code.textContent.replace(/\n$/, "");
  code.before(box);
  box.append(code, button);
}
for (const code of document.querySelectorAll(".prose pre.code")) addCopyButton(code);

// "Copy link to this section" means the one that the table of contents marks.
const section = document.querySelector("[data-share-section]");
document.addEventListener("sectionchange", ({ detail }) => {
  if (!section) return;
  const url = new URL(location.pathname + location.search, location.href);
  url.hash = detail || "";
  section.dataset.copy = url.href;
  const heading = document.getElementById(detail);
  section.querySelector("small").textContent = heading?.textContent.replace(/\s+/g, " ").trim() || "";
});

for (const button of document.querySelectorAll("[data-share-page]")) {
  button.dataset.copy = new URL(button.dataset.sharePage, location.href).href;
}

// A link beside a heading leads there, and is copied as a whole.
for (const link of document.querySelectorAll("a.heading-link")) link.dataset.copy = link.href;

// Where nothing hovers, the tools of a block stand in one quiet menu.
function gatherTools(tools) {
  const links = [...tools.querySelectorAll(":scope > .block-tool")];
  if (!links.length) return;
  const menu = document.createElement("details");
  menu.className = "menu menu-end block-more";
  const summary = document.createElement("summary");
  summary.textContent = "…";
  summary.ariaLabel = words.moreLabel;
  summary.lang = links[0].lang;
  const panel = document.createElement("div");
  panel.className = "menu-panel";
  for (const link of links) {
    link.className = link.className.replace("block-tool", "menu-item");
    const label = document.createElement("span");
    label.textContent = link.title;
    link.append(label);
    link.removeAttribute("title");
    panel.append(link);
  }
  menu.append(summary, panel);
  tools.prepend(menu);
}
function gatherAll() {
  for (const tools of document.querySelectorAll(".block-tools")) gatherTools(tools);
}
if (matchMedia("(hover: none)").matches) {
  gatherAll();
  document.addEventListener("htmx:after:swap", gatherAll);
}

// A menu has done its work once something in it was chosen.
document.addEventListener("click", ({ target }) => {
  const menu = target.closest(".share-menu, .block-more");
  if (menu && target.closest(".menu-item")) menu.open = false;
});

for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", async () => {
    const drawn = [];
    document.dispatchEvent(new CustomEvent("drawdiagrams", { detail: drawn }));
    await Promise.race([Promise.all(drawn), new Promise((done) => setTimeout(done, 8000))]);
    print();
    document.dispatchEvent(new CustomEvent("themechange"));
  });
}
