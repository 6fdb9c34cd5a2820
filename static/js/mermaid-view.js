// Diagrams near the viewport become pictures. Mermaid runs in a sandboxed frame of its
// own origin and hands over SVG, which is shown as an image: nothing in a diagram can
// reach this page, and the page's policy needs no inline styles.
const meta = document.querySelector('meta[name="mermaid-frame"]');
const words = meta.dataset;
const figures = [...document.querySelectorAll("figure.mermaid-figure")];
const WIDE = 640; // pixels: a wider diagram leaves the column of text
const BAR = 42; // pixels below a diagram, as in diagrams.css
const PADDING = 32; // pixels above and below it
const SMALLEST = 0.6; // of its size, to be readable
let frame = null;

const isDark = () =>
  getComputedStyle(document.documentElement).getPropertyValue("color-scheme").trim() === "dark" ||
  (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);

function ask(figure, inDark = isDark()) {
  frame ??= openFrame();
  const source = figure.querySelector(".mermaid-source").textContent;
  const message = { id: figures.indexOf(figure), source, isDark: inDark };
  frame.ready.then(() => frame.element.contentWindow.postMessage(message, "*"));
}

// For paper: all of them, on white.
const awaited = new Map();
document.addEventListener("drawdiagrams", ({ detail }) => {
  for (const figure of figures) {
    observer.unobserve(figure);
    detail.push(new Promise((done) => awaited.set(figure, done)));
    ask(figure, false);
  }
});

function settle(figure) {
  awaited.get(figure)?.();
  awaited.delete(figure);
}

function openFrame() {
  const element = document.createElement("iframe");
  element.className = "mermaid-worker";
  element.setAttribute("sandbox", "allow-scripts");
  element.title = words.diagram;
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  const ready = new Promise((resolve) => {
    addEventListener("message", (event) => {
      if (event.source !== element.contentWindow) return;
      if (event.data.isReady) resolve();
      else receive(figures[event.data.id], event.data);
    });
  });
  element.src = meta.content;
  document.body.append(element);
  return { element, ready };
}

function receive(figure, { svg, error, boxes }) {
  if (error) {
    figure.dataset.state = "failed"; // the source stays readable
    settle(figure);
    return;
  }
  const image = picture(svg);
  fit(figure, image);
  image.style.setProperty("--drawn", `${image.width}px`);
  const old = figure.querySelector(".mermaid-canvas img");
  if (old) {
    URL.revokeObjectURL(old.src);
    old.replaceWith(image);
  } else {
    furnish(figure, image);
  }
  figure.dataset.state = "shown";
  overlayLinks(figure, image, boxes);
  image.decode().catch(() => {}).then(() => settle(figure));
}

// Whoever looks at the place of a diagram sees nothing move: it takes the space that was
// kept for it, unless it would become too small to read.
function fit(figure, image) {
  if (figure.dataset.state) {
    if (figure.dataset.scale) scale(image, Number(figure.dataset.scale));
    return;
  }
  const { top, bottom } = figure.getBoundingClientRect();
  const space = figure.clientHeight - BAR - PADDING;
  const share = Math.min(1, space / image.height);
  const isFitted = top < innerHeight && bottom > 0 && share >= SMALLEST;
  figure.classList.toggle("is-fitted", isFitted);
  if (!isFitted) figure.classList.toggle("is-wide", image.width > WIDE);
  else if (share < 1) scale(image, (figure.dataset.scale = share));
}

function scale(image, share) {
  [image.width, image.height] = [image.width * share, image.height * share];
}

// Nodes that lead to pages: the figure's own links are laid over the picture. The frame
// only tells where; it cannot say where a link leads.
function overlayLinks(figure, image, boxes) {
  const links = figure.querySelectorAll("a[data-node]");
  for (const link of links) {
    const box = boxes?.[link.dataset.node];
    link.parentElement.hidden = !Array.isArray(box) || !box.every(Number.isFinite);
    if (link.parentElement.hidden) continue;
    const sides = ["left", "top", "width", "height"];
    sides.forEach((side, at) => (link.style[side] = `${100 * box[at]}%`));
  }
  if (!links.length) return;
  const list = figure.querySelector(".mermaid-links");
  const scroll = figure.querySelector(".mermaid-scroll");
  const place = () => {
    if (!image.isConnected) return; // drawn again for another theme
    const [own, around] = [image.getBoundingClientRect(), figure.getBoundingClientRect()];
    list.style.left = `${own.left - around.left - figure.clientLeft}px`;
    list.style.top = `${own.top - around.top - figure.clientTop}px`;
    list.style.width = `${own.width}px`;
    list.style.height = `${own.height}px`;
  };
  new ResizeObserver(place).observe(image);
  scroll.addEventListener("scroll", place, { passive: true });
}

function picture(svg) {
  const image = new Image();
  const box = /viewBox="([-\d.e ]+)"/.exec(svg)?.[1].split(" ").map(Number);
  if (box) [image.width, image.height] = [Math.ceil(box[2]), Math.ceil(box[3])];
  image.alt = words.described;
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return image;
}

function furnish(figure, image) {
  const source = figure.querySelector(".mermaid-source");
  source.hidden = true;
  const canvas = document.createElement("button");
  canvas.type = "button";
  canvas.className = "mermaid-canvas";
  canvas.ariaLabel = words.enlarge;
  canvas.append(image);
  canvas.addEventListener("click", () => zoom(figure));
  const bar = document.createElement("div");
  bar.className = "mermaid-bar";
  const toggle = button(words.source, () => {
    source.hidden = !source.hidden;
    toggle.setAttribute("aria-expanded", String(!source.hidden));
  });
  toggle.setAttribute("aria-expanded", "false");
  const copy = button(words.copySource);
  copy.dataset.copy = source.textContent;
  const full = button(words.fullSize, () => zoom(figure));
  full.classList.add("push");
  bar.append(toggle, copy, full);
  // A button does not scroll for fingers everywhere: what is around it does.
  const scroll = document.createElement("div");
  scroll.className = "mermaid-scroll";
  scroll.append(canvas);
  figure.prepend(scroll, bar);
}

function button(label, onClick) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button button-ghost button-small";
  element.textContent = label;
  if (onClick) element.addEventListener("click", onClick);
  return element;
}

function zoom(figure) {
  const image = figure.querySelector(".mermaid-canvas img").cloneNode();
  image.draggable = false;
  document.dispatchEvent(new CustomEvent("enlarge", { detail: image }));
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      ask(target);
    }
  },
  { rootMargin: "600px" },
);
for (const figure of figures) observer.observe(figure);
// What comes into the page later, such as an answer.
document.addEventListener("diagramsadded", ({ detail }) => {
  for (const figure of detail.querySelectorAll("figure.mermaid-figure")) {
    figures.push(figure);
    observer.observe(figure);
  }
});

const repaint = () => {
  for (const figure of figures) if (figure.dataset.state === "shown") ask(figure);
};
document.addEventListener("themechange", repaint);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
