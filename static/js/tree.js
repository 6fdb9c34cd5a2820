// The tree of a wiki's pages: which branches are open is remembered for each product.
// It stands right behind the tree and blocks, so that nothing moves after the first paint.
(() => {
  const side = document.getElementById("dr-wiki-side");
  const key = `tree:${side.dataset.product}`;

  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(key)) || {};
    } catch {
      return {}; // storage is blocked or holds something else: nothing is remembered
    }
  };
  // The page that is read stays in sight, whatever was closed.
  const apply = () => {
    const kept = read();
    for (const branch of side.querySelectorAll("[data-branch]")) {
      const wanted = kept[branch.dataset.branch];
      if (wanted !== undefined) branch.open = wanted || "staysOpen" in branch.dataset;
    }
  };
  const keep = (branch, isOpen) => {
    try {
      const kept = { ...read(), [branch.dataset.branch]: isOpen };
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Storage is blocked: it lasts for this page.
    }
  };

  apply();
  side.addEventListener("click", (event) => {
    const branch = event.target.closest("summary")?.closest("[data-branch]");
    if (branch) keep(branch, !branch.open); // it is toggled after this
  });
  document.addEventListener("htmx:after:swap", apply);
})();
