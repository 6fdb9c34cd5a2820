// Loaded first and blocking, so that the chosen theme is there before the first paint.
(() => {
  const root = document.documentElement;
  const order = ["system", "light", "dark"];
  const read = () => {
    try {
      return localStorage.getItem("theme") || "system";
    } catch {
      return "system"; // storage is blocked: follow the system
    }
  };
  const apply = (theme) => {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = document.querySelector("[data-theme-button]");
    if (button) button.title = button.ariaLabel = button.dataset[theme];
  };
  root.classList.add("js");
  apply(read());

  document.addEventListener("DOMContentLoaded", () => apply(read()));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-button]")) return;
    const theme = order[(order.indexOf(read()) + 1) % order.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Storage is blocked: the choice lasts for this page.
    }
    apply(theme);
    document.dispatchEvent(new CustomEvent("themechange"));
  });
})();
