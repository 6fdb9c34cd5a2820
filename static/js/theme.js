// Loaded first and blocking: it marks that scripts run before the first paint. The theme
// itself is in the page; a choice in the menu is shown at once and sent to the server.
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  function apply(form, theme) {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of form.querySelectorAll("[name=theme]")) {
      button.ariaPressed = String(button.value === theme);
    }
    const chosen = document.querySelector(`input[name=theme][value=${theme}]`);
    if (chosen) chosen.checked = true; // in the form of preferences
    document.dispatchEvent(new CustomEvent("themechange"));
  }

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-theme-form]");
    if (!form) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    apply(form, event.submitter.value);
    const headers = { "X-Requested-With": "fetch" };
    // A choice that does not arrive lasts for this page.
    fetch(form.action, { method: "POST", body, headers, keepalive: true }).catch(() => {});
  });
})();
