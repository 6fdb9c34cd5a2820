// Filters complete while one types them: `lang:py` offers `lang:python`.
const input = document.getElementById("dr-q");
const list = document.getElementById("dr-completions");
const form = input.form;
const FILTER = /^-?(?:[a-z]{2,}|[a-z]+:\S*)$/;
let asking = null;

const options = () => [...list.querySelectorAll("[role=option]")];
const chosen = () => list.querySelector("[aria-selected=true]");

function wordAtCaret() {
  const before = input.value.slice(0, input.selectionStart);
  return before.slice(before.search(/\S*$/));
}

function choose(option) {
  chosen()?.setAttribute("aria-selected", "false");
  if (!option) return input.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", option.id);
}

function show(isOpen) {
  list.hidden = !isOpen;
  input.setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) {
    list.replaceChildren();
    choose(null);
  }
}

async function offer() {
  asking?.abort();
  const word = wordAtCaret();
  if (!FILTER.test(word)) return show(false);
  asking = new AbortController();
  const asked = new URLSearchParams({ word, product: form.elements.product?.value || "" });
  try {
    const answer = await fetch(`${list.dataset.url}?${asked}`, { signal: asking.signal });
    if (!answer.ok) return show(false);
    list.innerHTML = await answer.text(); // a template of ours, escaped by the server
    show(options().length > 0);
  } catch (error) {
    if (error.name !== "AbortError") show(false); // one can type without it
  }
}

function accept(option) {
  const caret = input.selectionStart;
  const start = caret - wordAtCaret().length;
  const text = option.textContent;
  const space = /[:/]$/.test(text) ? "" : " ";
  input.setRangeText(text + space, start, caret, "end");
  show(false);
  input.focus();
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

input.addEventListener("input", offer);
input.addEventListener("blur", () => show(false));
input.addEventListener("keydown", (event) => {
  if (list.hidden || event.isComposing) return;
  const all = options();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const at = all.indexOf(chosen()) + (event.key === "ArrowDown" ? 1 : -1);
    choose(all[(at + all.length) % all.length]);
  } else if ((event.key === "Enter" || event.key === "Tab") && chosen()) {
    accept(chosen());
  } else if (event.key === "Escape") {
    show(false);
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
// Before the field loses the focus.
list.addEventListener("pointerdown", (event) => {
  const option = event.target.closest("[role=option]");
  event.preventDefault();
  if (option) accept(option);
});
