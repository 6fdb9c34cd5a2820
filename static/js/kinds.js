// Kinds of sources that a reader hides on wiki pages, remembered for the next page.
// Without a script the same links lead to the page with a kind hidden.
const KEY = "hiddenKinds";
const wiki = document.querySelector(".wiki[data-hidden]");
const toggles = [...document.querySelectorAll("[data-kind-toggle]")];
const hidden = new Set();

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || [];
  } catch {
    return []; // storage is blocked: nothing is remembered
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify([...hidden]));
  } catch {
    // Storage is blocked: the choice lasts for this page.
  }
}

function show() {
  wiki.dataset.hidden = [...hidden].join(" ");
  for (const toggle of toggles) {
    const isHidden = hidden.has(toggle.dataset.kindToggle);
    const action = isHidden ? toggle.dataset.show : toggle.dataset.hide;
    toggle.classList.toggle("is-off", isHidden);
    toggle.title = action;
    toggle.querySelector("[data-kind-action]").textContent = action;
  }
}

if (wiki && toggles.length) {
  const asked = new URLSearchParams(location.search).getAll("hide");
  for (const kind of asked.length ? asked : read()) hidden.add(kind);
  show();
  for (const toggle of toggles) {
    toggle.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const kind = toggle.dataset.kindToggle;
      if (!hidden.delete(kind)) hidden.add(kind);
      keep();
      show();
    });
  }
}
