// What is asked for with `hx-sync="…:replace"` is answered once, for what was asked last.
// htmx gives up only the request just before: the one that was given up frees the place of
// the one that replaced it, so a third runs beside the second and may be answered first.
const latest = new WeakMap();

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.queueStrategy === "replace") latest.set(ctx.target, ctx);
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.queueStrategy !== "replace" || latest.get(ctx.target) === ctx) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // nor is its failure told
});
