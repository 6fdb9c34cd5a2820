// Short messages: from the server (HX-Trigger: toast) and from other scripts.
const LIFETIME_MS = 6000;
const region = document.getElementById("dr-toasts");

function show({ message, kind = "info", url, label }) {
  const toast = document.createElement("div");
  toast.className = `toast toast-${kind}`;
  const text = document.createElement("p");
  text.textContent = message;
  toast.append(text);
  if (url) toast.append(Object.assign(document.createElement("a"), { href: url, textContent: label }));
  region.append(toast);
  // What leads somewhere stays until it is read.
  setTimeout(() => toast.remove(), url ? 5 * LIFETIME_MS : LIFETIME_MS);
}

document.addEventListener("toast", (event) => show(event.detail));
document.addEventListener("htmx:error", ({ detail }) => {
  // What a newer request replaced did not fail.
  if ((detail.error ?? detail.ctx?.error)?.name === "AbortError") return;
  show({ message: region.dataset.noAnswer, kind: "error" });
});
document.addEventListener("htmx:after:request", (event) => {
  const { response } = event.detail.ctx ?? {};
  // What a proxy says while the server starts again has no place in our page. Our own
  // fragments say that they are for htmx.
  if (!(response?.status >= 500) || /hx-request/i.test(response.headers.get("Vary"))) return;
  event.preventDefault();
  show({ message: region.dataset.noAnswer, kind: "error" });
});
document.addEventListener("click", (event) => {
  const toast = event.target.closest("[data-dismiss]")?.closest(".toast");
  if (toast) toast.remove();
});
