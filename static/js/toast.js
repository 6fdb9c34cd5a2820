// Short messages: from the server (HX-Trigger: toast) and from other scripts.
const LIFETIME_MS = 6000;
const region = document.getElementById("dr-toasts");

function show({ message, kind = "info", url, label }) {
  // What asks again and again fails again and again.
  if ([...region.querySelectorAll("p")].some((each) => each.textContent === message)) return;
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
// htmx gives up what a newer request replaces as it gives up what took too long; its clock
// starts just before.
const CLOCK_MS = 50;
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  ctx.begun = performance.now();
  const send = ctx.fetch;
  ctx.fetch = async (...request) => {
    try {
      const answer = await send(...request);
      const read = answer.text.bind(answer);
      answer.text = () => read().catch((error) => giveUp(error, ctx, ""));
      return answer;
    } catch (error) {
      return giveUp(error, ctx, new Response(null, { status: 204 }));
    }
  };
});
// What was replaced is no error, which htmx would write to the console.
function giveUp(error, ctx, nothing) {
  if (!isReplaced({ error, ctx })) throw error;
  ctx.status = "replaced";
  return nothing;
}
function isReplaced({ error, ctx }) {
  if ((error ?? ctx?.error)?.name !== "AbortError" || !ctx?.begun) return false;
  const { timeout } = ctx.request;
  const limit = timeout ? htmx.parseInterval(timeout) : htmx.config.defaultTimeout;
  return performance.now() - ctx.begun + CLOCK_MS < limit;
}
document.addEventListener("htmx:error", ({ detail }) => {
  if (isReplaced(detail)) return; // that is no failure
  show({ message: region.dataset.noAnswer, kind: "error" });
});
// No failure of a server takes the place of what one looks at, nor of what asks again.
// What a proxy says is left out; our own fragments say that they are for htmx.
document.addEventListener("htmx:after:request", (event) => {
  const { response, text } = event.detail.ctx ?? {};
  if (!(response?.status >= 500)) return;
  event.preventDefault();
  const ours = /hx-request/i.test(response.headers.get("Vary")) ? text : "";
  const said = new DOMParser().parseFromString(ours, "text/html").body.textContent;
  show({ message: said.trim() || region.dataset.noAnswer, kind: "error" });
});
document.addEventListener("click", (event) => {
  const toast = event.target.closest("[data-dismiss]")?.closest(".toast");
  if (toast) toast.remove();
});
