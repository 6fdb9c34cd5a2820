// Questions and answers: Enter sends, Shift+Enter begins a line, Escape stops. An answer
// comes as events with HTML that the server rendered; text of a model is text until then.
const status = document.getElementById("dr-ask-status");
const tell = (text) => {
  if (status && text) status.textContent = text;
};

// Enter ends a Japanese word first; Safari has ended it when it tells of the key.
const isOfInputMethod = (event) => event.isComposing || event.keyCode === 229;

document.addEventListener("keydown", (event) => {
  if (isOfInputMethod(event)) return;
  if (event.key === "Enter" && !event.shiftKey && !event.altKey && event.target.matches?.(".ask-text")) {
    const { form } = event.target;
    event.preventDefault();
    // What is being sent is not sent again.
    if (!form.querySelector("[type=submit]").disabled) form.requestSubmit();
  } else if (event.key === "Escape" && !document.querySelector("dialog[open], :popover-open")) {
    document.querySelector("[data-stream] [data-stop-button]")?.click();
  }
});

function focusOn(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

// What is about to be disabled or hidden would take the focus along.
function keepFocus(turn, leaving) {
  if (leaving.contains(document.activeElement)) focusOn(turn);
}

// What was sent leaves the box; what was refused stays in it. Its button was disabled
// meanwhile and lost the focus: the box has it again, and where the focus would open a
// keyboard on the screen, the new question.
document.addEventListener("htmx:after:request", ({ target, detail }) => {
  const form = target.closest?.("form[data-ask]");
  if (!form?.hasAttribute("hx-target")) return;
  const text = form.querySelector("textarea");
  if (detail.ctx?.response?.status === 200) {
    text.value = "";
    form.querySelector("[data-refused]").replaceChildren();
  }
  if (matchMedia("(hover: hover)").matches) text.focus({ preventScroll: true });
});

// One event of a stream: `event: name` and `data: {…}`; lines that begin with a colon
// only keep the connection.
function* messagesOf(block) {
  const lines = block.split("\n");
  const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
  const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
  if (name && data) yield { name, data: JSON.parse(data) };
}

async function* read(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) yield* messagesOf(block);
  }
}

const SHOWN = {
  evidence(turn, { html }) {
    turn.querySelector("[data-evidence]").insertAdjacentHTML("beforeend", html);
  },
  progress(turn, { text }) {
    turn.querySelector("[data-progress-text]").textContent = text;
    tell(text);
  },
  draft(turn, { text }) {
    const draft = turn.querySelector("[data-draft]");
    // The end of a sentence that was checked without it stands alone no more.
    draft.textContent = (draft.textContent + text).replace(/^[\s.。]+/, "");
    turn.querySelector("[data-progress-text]").textContent = status?.dataset.writing;
  },
  answer(turn, { html }) {
    turn.querySelector("[data-draft]").textContent = "";
    turn.querySelector("[data-answer]").innerHTML = html;
  },
};

// htmx and the diagrams' script learn of what came into the page.
function replace(turn, html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = holder.content.firstElementChild;
  const hadFocus = turn.contains(document.activeElement);
  turn.replaceWith(holder.content);
  htmx.process(fresh);
  document.dispatchEvent(new CustomEvent("diagramsadded", { detail: fresh }));
  if (hadFocus) focusOn(fresh);
}

function offerAgain(turn, message) {
  turn.querySelector("[data-progress]").hidden = true;
  turn.querySelector("[data-problem]").textContent = message;
  turn.querySelector("[data-retry]").classList.add("is-needed");
  turn.removeAttribute("aria-busy");
  tell(message);
}

async function follow(turn) {
  const token = turn.querySelector("[name=csrfmiddlewaretoken]").value;
  const request = { method: "POST", headers: { "X-CSRFToken": token } };
  tell(status?.dataset.searching);
  const response = await fetch(turn.dataset.stream, request);
  if (!response.ok || response.redirected) throw new Error(response.statusText);
  for await (const { name, data } of read(response)) {
    if (name === "refused") return offerAgain(turn, data.message);
    if (name === "finished") {
      replace(turn, data.html);
      catchUp();
      return tell(status?.dataset.complete);
    }
    SHOWN[name]?.(turn, data);
  }
  throw new Error("the stream ended early");
}

// The server kept what it had: ask for that instead.
async function recover(turn) {
  tell(status?.dataset.lost);
  const url = turn.dataset.stream.replace(/stream\/$/, "");
  const response = await fetch(url).catch(() => null);
  if (response?.ok && !response.redirected) replace(turn, await response.text());
  else offerAgain(turn, status?.dataset.lost ?? "");
}

const followed = new WeakSet();
function followAll() {
  for (const turn of document.querySelectorAll("[data-stream]")) {
    if (followed.has(turn)) continue;
    followed.add(turn);
    follow(turn).catch(() => recover(turn));
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stop-button]");
  const turn = button?.closest("[data-stop]");
  if (!turn) return;
  event.preventDefault();
  keepFocus(turn, button);
  button.disabled = true;
  tell(status?.dataset.stopping);
  const token = turn.querySelector("[name=csrfmiddlewaretoken]").value;
  fetch(turn.dataset.stop, { method: "POST", headers: { "X-CSRFToken": token }, redirect: "manual" });
});

// "Get the answer" asks again in place.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-retry]");
  const turn = form?.closest("[data-stream]");
  if (!turn) return;
  event.preventDefault();
  keepFocus(turn, form);
  form.classList.remove("is-needed");
  turn.querySelector("[data-progress]").hidden = false;
  turn.setAttribute("aria-busy", "true");
  follow(turn).catch(() => recover(turn));
});

// What other windows asked in this thread, each turn once and in its place.
const turns = document.getElementById("dr-turns");
const shownTurns = () => [...turns.querySelectorAll(":scope > [data-ordinal]")];

function insertTurn(turn) {
  const ordinal = Number(turn.dataset.ordinal);
  const others = shownTurns();
  if (others.some((each) => Number(each.dataset.ordinal) === ordinal)) return;
  turns.insertBefore(turn, others.find((each) => Number(each.dataset.ordinal) > ordinal) ?? null);
  htmx.process(turn);
  document.dispatchEvent(new CustomEvent("diagramsadded", { detail: turn }));
}

// The last of those that are shown without a gap, as the server counts them from 1.
function lastInRow() {
  const known = new Set(shownTurns().map((each) => Number(each.dataset.ordinal)));
  let ordinal = 0;
  while (known.has(ordinal + 1)) ordinal += 1;
  return ordinal;
}

let isCatchingUp = false;
async function catchUp() {
  if (!turns?.dataset.later || isCatchingUp) return;
  isCatchingUp = true;
  const url = new URL(turns.dataset.later, location.href);
  url.searchParams.set("after", lastInRow());
  try {
    const response = await fetch(url);
    if (response.status !== 200 || response.redirected) return;
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    for (const turn of [...holder.content.children]) insertTurn(turn);
  } catch {
    // The next time will do.
  } finally {
    isCatchingUp = false;
  }
}

addEventListener("focus", catchUp);
document.addEventListener("visibilitychange", () => document.hidden || catchUp());

document.addEventListener("htmx:after:swap", () => {
  const last = document.querySelector("#dr-turns > :last-child[data-stream]");
  if (last && !followed.has(last)) {
    last.scrollIntoView({ block: "start" });
    if (!document.activeElement?.closest("form[data-ask]")) focusOn(last);
  }
  followAll();
});

followAll();
const first = document.querySelector(".ask-start .ask-text");
if (first && matchMedia("(hover: hover)").matches) first.focus();
// The page of a question that was just asked: it has the focus, and its answer then.
const asked = document.querySelector("[data-stream]");
if (asked && document.activeElement === document.body) focusOn(asked);
