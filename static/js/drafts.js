// What is typed in a form with data-draft is kept in the tab until the form is accepted.
const keyOf = (form) => `draft:${form.dataset.draft}`;

function restore() {
  for (const form of document.querySelectorAll("form[data-draft]")) {
    const field = form.querySelector("textarea");
    const kept = sessionStorage.getItem(keyOf(form));
    if (kept && !field.dataset.isRestored) field.value = kept;
    field.dataset.isRestored = "1";
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-draft]");
  if (form && event.target.matches("textarea")) {
    sessionStorage.setItem(keyOf(form), event.target.value);
  }
});

document.addEventListener("htmx:after:swap", restore);

document.addEventListener("htmx:after:request", (event) => {
  const { response, sourceElement } = event.detail.ctx ?? {};
  const isTaken = response && response.status < 400;
  if (isTaken && sourceElement?.dataset?.draft) {
    sessionStorage.removeItem(keyOf(sourceElement));
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-cancel]");
  const form = link?.closest(".wiki-main form");
  if (!form) return;
  event.preventDefault();
  sessionStorage.removeItem(keyOf(form));
  const tools = form.parentElement;
  form.remove();
  (tools.querySelector("a") ?? tools.previousElementSibling?.querySelector("a"))?.focus();
});

// Of a note that is changed: its text comes back as it was.
document.addEventListener("click", (event) => {
  const form = event.target.closest("[data-forget]")?.closest("form[data-draft]");
  if (form) sessionStorage.removeItem(keyOf(form));
});

restore();
