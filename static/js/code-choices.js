// Loaded in the head and blocking, so that nothing moves: how one looks at code.
// { width: of the tree in pixels, closed: the tree is hidden, wrap: long lines wrap }
// On a phone they wrap until one decides.
(() => {
  const root = document.documentElement;
  let choices = {};
  try {
    choices = JSON.parse(localStorage.getItem("code-view")) || {};
  } catch {
    // Storage is blocked, or holds something else: the defaults.
  }
  const isPhone = matchMedia("(max-width: 40rem)").matches;
  const wraps = () => choices.wrap ?? isPhone;
  const apply = () => {
    root.classList.toggle("tree-closed", choices.closed === true);
    root.classList.toggle("wraps-code", wraps());
    if (choices.width > 0) root.style.setProperty("--tree-width", `${choices.width}px`);
  };
  window.codeChoices = {
    get: (name) => (name === "wrap" ? wraps() : choices[name]),
    set: (name, value) => {
      choices[name] = value;
      apply();
      try {
        localStorage.setItem("code-view", JSON.stringify(choices));
      } catch {
        // Storage is blocked: the choice lasts for this page.
      }
    },
  };
  apply();
})();
