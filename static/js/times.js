// "3 minutes ago" goes on by itself, in the words of devrag/web/templatetags/ui.py.
const UNITS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const language = document.documentElement.lang || "en";
const words = new Intl.RelativeTimeFormat(language, { numeric: "always" });
const nowWords = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

function relative(seconds) {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) || ["second", 1];
  const count = Math.floor(seconds / size);
  return count ? words.format(-count, unit) : nowWords.format(0, "second");
}

function update() {
  if (document.hidden) return;
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const said = relative(Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000));
    if (time.textContent !== said) time.textContent = said;
  }
}

setInterval(update, 5000);
document.addEventListener("visibilitychange", update);
document.addEventListener("htmx:after:swap", update);
