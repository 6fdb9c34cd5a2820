// Tells which hit was opened, so that maintainers see what people look for in vain.
function tell(event) {
  const link = event.target.closest("[data-log] .hit a");
  if (!link || event.button > 1) return;
  const hits = link.closest("[data-log]");
  const { rank } = link.closest(".hit").dataset;
  const body = new URLSearchParams({ token: hits.dataset.log, rank });
  navigator.sendBeacon(hits.dataset.opened, body);
}

document.addEventListener("click", tell);
document.addEventListener("auxclick", tell);
