// Inside the sandboxed frame: takes diagram source from the page, gives SVG back.
const fonts = '"Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Liberation Sans", sans-serif';

function configure(isDark) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { hideEmptyMembersBox: true },
    er: { nodeSpacing: 50, rankSpacing: 50 },
    fontFamily: fonts,
    // No line runs through a word.
    themeCSS: `.edgeLabel rect { opacity: 1; }
      .messageText { paint-order: stroke; stroke: ${isDark ? "#171b1c" : "#ffffff"} !important; stroke-width: 6px; stroke-linejoin: round; }`,
    theme: "base",
    themeVariables: isDark
      ? { darkMode: true, background: "#171b1c", primaryColor: "#1d302d", primaryTextColor: "#e4e9e7", primaryBorderColor: "#4b8f82", lineColor: "#94a09c", secondaryColor: "#222a38", tertiaryColor: "#1b2122", clusterBkg: "#14191a", clusterBorder: "#3b4446", edgeLabelBackground: "#171b1c", noteBkgColor: "#35260d", noteTextColor: "#e4e9e7" }
      : { background: "#ffffff", primaryColor: "#e9f4f2", primaryTextColor: "#16201d", primaryBorderColor: "#5d9f93", lineColor: "#5c6864", secondaryColor: "#e6f0fb", tertiaryColor: "#f4f5f4", clusterBkg: "#f8f9f8", clusterBorder: "#cbd1ce", edgeLabelBackground: "#ffffff", noteBkgColor: "#fdf1dc", noteTextColor: "#16201d" },
  });
}

// The page has the links. In a picture they would do nothing, and Mermaid writes them
// with a prefix that it does not declare, so that no browser would show it.
const withoutLinks = (source) => source.replace(/^[ \t]*click[ \t].*$/gm, "");

// Where each node is drawn: left, top, width and height as shares of the picture.
function boxesIn(svg) {
  const holder = document.createElement("div");
  holder.innerHTML = svg;
  document.body.append(holder);
  const all = holder.firstElementChild.getBoundingClientRect();
  const boxes = {};
  for (const node of holder.querySelectorAll("g.node")) {
    const name = /(?:flowchart|classId|entity|state)-(.+?)-\d+$/.exec(node.id)?.[1];
    const box = node.getBoundingClientRect();
    if (name && all.width && all.height)
      boxes[name] = [
        (box.left - all.left) / all.width,
        (box.top - all.top) / all.height,
        box.width / all.width,
        box.height / all.height,
      ];
  }
  holder.remove();
  return boxes;
}

addEventListener("message", async (event) => {
  if (event.source !== parent) return;
  const { id, source, isDark } = event.data;
  configure(isDark);
  try {
    const { svg } = await mermaid.render(`diagram-${id}`, withoutLinks(source));
    parent.postMessage({ id, svg, boxes: boxesIn(svg) }, "*");
  } catch (error) {
    parent.postMessage({ id, error: String(error.message || error) }, "*");
  }
});
parent.postMessage({ isReady: true }, "*");
