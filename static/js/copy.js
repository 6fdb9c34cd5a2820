// Buttons with data-copy (a text), data-copy-from (a selector) or data-copy-url.

// The marks around Markdown are for agents that fetch it; see devrag/core/untrusted.py.
const MARKS = /^<!-- untrusted: [^\n]*? (\w+) -->\n\n([^]*)\n\n<!-- untrusted_end \1 -->\n$/;

async function textOf(button) {
  if (button.dataset.copyUrl) {
    const answer = await fetch(button.dataset.copyUrl);
    // Who is not signed in any more would copy the page that asks them to.
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    return (await answer.text()).replace(MARKS, "$2\n");
  }
  if (button.dataset.copyFrom) {
    return document.querySelector(button.dataset.copyFrom).textContent;
  }
  const text = button.dataset.copy;
  return text.startsWith("/") ? new URL(text + location.hash, location.href).href : text;
}

const words = document.getElementById("dr-toasts").dataset;

function tell(message, kind) {
  const detail = { message, kind };
  document.dispatchEvent(new CustomEvent("toast", { detail }));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-from], [data-copy-url]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(await textOf(button));
    tell(words.copied, "success");
  } catch {
    tell(words.copyRefused, "error");
  }
});
