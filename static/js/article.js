// The text of a page or ticket: lines in the URL (#L10 or #L10-L20) mark what they hold.
const article = document.querySelector("[data-article]");
const ask = document.querySelector("[data-ask-lines]");
const blocks = [...article.querySelectorAll("[data-first]")];

function readRange(hash) {
  const match = /^#L(\d+)(?:-L(\d+))?$/.exec(hash);
  if (!match) return null;
  const ends = [Number(match[1]), Number(match[2] || match[1])].sort((a, b) => a - b);
  return { first: ends[0], last: ends[1] };
}

const isWithin = (block, range) =>
  Number(block.dataset.first) <= range.last && Number(block.dataset.last) >= range.first;

// "Ask" is about the marked lines, where some are.
function pointAsk(range) {
  if (!ask) return;
  const url = new URL(ask.href);
  for (const [name, value] of [["first", range?.first], ["last", range?.last]]) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  ask.href = url.href;
  ask.ariaLabel = range ? ask.dataset.marked : ask.dataset.whole; // the row has no room for more words
}

function followHash() {
  const range = readRange(location.hash);
  pointAsk(range);
  for (const block of blocks) block.classList.toggle("is-marked", !!range && isWithin(block, range));
  // The head of a page has no block: its lines stand above the text.
  article.querySelector(".is-marked")?.scrollIntoView({ block: "center" });
  for (const link of document.querySelectorAll("[data-keeps-lines]")) {
    link.hash = range ? location.hash : "";
  }
}

addEventListener("hashchange", followHash);
addEventListener("load", followHash);
