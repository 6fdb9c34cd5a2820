// Line ranges of a file in the URL: #L10 or #L10-L20, chosen by click and shift-click.
const code = document.querySelector("[data-lines]");
let anchor = 0;

const parse = (hash) => {
  const match = /^#L(\d+)(?:-L(\d+))?$/.exec(hash);
  if (!match) return null;
  const ends = [Number(match[1]), Number(match[2] || match[1])].sort((a, b) => a - b);
  return { first: ends[0], last: ends[1] };
};

function mark({ first, last }) {
  for (const line of code.querySelectorAll(".is-marked")) line.classList.remove("is-marked");
  for (let number = first; number <= last; number++) {
    const line = document.getElementById(`L${number}`)?.closest(".code-line");
    if (!line) break;
    line.classList.add("is-marked");
  }
}

function followHash(scroll) {
  const range = parse(location.hash);
  if (!range) return;
  anchor = range.first;
  mark(range);
  const line = document.getElementById(`L${range.first}`);
  if (scroll && line) line.scrollIntoView({ block: "center" });
}

code.addEventListener("click", (event) => {
  const link = event.target.closest("a.line-number");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const number = Number(link.id.slice(1));
  const [first, last] = event.shiftKey && anchor
    ? [Math.min(anchor, number), Math.max(anchor, number)]
    : [number, number];
  if (!event.shiftKey) anchor = number;
  history.replaceState(history.state, "", first === last ? `#L${first}` : `#L${first}-L${last}`);
  mark({ first, last });
});

addEventListener("hashchange", () => followHash(true));
followHash(true);
