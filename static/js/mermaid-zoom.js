// A diagram in full size: closer and farther by button, key or click, moved by arrows,
// by dragging or by the scroll bars. mermaid-view.js says which and makes the picture.
const words = document.querySelector('meta[name="mermaid-frame"]').dataset;
const STEP = 1.4;
const MOST = 12; // times the size that fits
const PAN = 80; // pixels an arrow key moves
const SLIP = 4; // pixels that a click may move
const PANS = { ArrowLeft: [-PAN, 0], ArrowRight: [PAN, 0], ArrowUp: [0, -PAN], ArrowDown: [0, PAN] };

function button(label, text, onClick) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button button-ghost button-small";
  element.ariaLabel = element.title = label;
  element.textContent = text;
  element.addEventListener("click", onClick);
  return element;
}

function makeDialog(image) {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  dialog.ariaLabel = words.diagram;
  const bar = document.createElement("div");
  bar.className = "mermaid-bar";
  const level = document.createElement("output");
  level.className = "tabular";
  const scroll = document.createElement("div");
  scroll.className = "zoom-scroll";
  scroll.tabIndex = 0;
  scroll.role = "region";
  scroll.ariaLabel = words.diagram;
  scroll.append(image);
  dialog.append(bar, scroll);
  return { dialog, bar, level, scroll };
}

function enlarge(image) {
  const { dialog, bar, level, scroll } = makeDialog(image);
  const [width, height] = [image.width, image.height];
  let scale = 1;

  // What is in the middle stays there.
  function show(wanted) {
    const middle = [
      (scroll.scrollLeft + scroll.clientWidth / 2) / scroll.scrollWidth,
      (scroll.scrollTop + scroll.clientHeight / 2) / scroll.scrollHeight,
    ];
    scale = Math.min(Math.max(wanted, 1), MOST);
    const fits = Math.min(scroll.offsetWidth / width, scroll.offsetHeight / height);
    image.width = width * fits * scale;
    image.height = height * fits * scale;
    scroll.scrollLeft = middle[0] * scroll.scrollWidth - scroll.clientWidth / 2;
    scroll.scrollTop = middle[1] * scroll.scrollHeight - scroll.clientHeight / 2;
    level.textContent = `${Math.round(scale * 100)}%`;
    scroll.classList.toggle("is-large", scale > 1);
  }

  const keys = {
    "+": () => show(scale * STEP),
    "=": () => show(scale * STEP),
    "-": () => show(scale / STEP),
    0: () => show(1),
  };
  bar.append(
    button(words.farther, "−", keys["-"]),
    level,
    button(words.closer, "+", keys["+"]),
    button(words.fit, words.fit, keys[0]),
    button(words.close, words.close, () => dialog.close()),
  );
  bar.lastElementChild.classList.add("push");
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [key, pan] = [keys[event.key], PANS[event.key]];
    if (!key && !pan) return;
    event.preventDefault();
    if (key) key();
    else scroll.scrollBy(...pan);
  });
  follow(scroll, () => show(scale > 1 ? 1 : 2.5));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  scroll.focus();
  show(1);
  new ResizeObserver(() => show(scale)).observe(scroll);
}

// Move the diagram with the mouse that holds it; a finger scrolls by itself.
function follow(scroll, onClick) {
  let from = null;
  let way = 0;
  scroll.addEventListener("pointerdown", (event) => {
    way = 0;
    if (event.pointerType !== "mouse" || event.button || event.target === scroll) return;
    from = [event.clientX, event.clientY];
    scroll.setPointerCapture(event.pointerId);
  });
  scroll.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!from) return;
    const [x, y] = [from[0] - clientX, from[1] - clientY];
    way += Math.hypot(x, y);
    scroll.scrollBy(x, y);
    from = [clientX, clientY];
  });
  scroll.addEventListener("lostpointercapture", () => (from = null));
  scroll.addEventListener("click", () => way <= SLIP && onClick());
}

document.addEventListener("enlarge", (event) => enlarge(event.detail));
