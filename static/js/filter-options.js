// A box above a long select leaves only the options with what is typed in it.
for (const box of document.querySelectorAll("[data-filter-options]")) {
  const select = document.getElementById(box.dataset.filterOptions);
  const all = select.cloneNode(true);
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    const chosen = select.value;
    const shown = all.cloneNode(true);
    for (const option of shown.querySelectorAll("option")) {
      const text = `${option.textContent} ${option.value} ${option.parentElement.label || ""}`.toLowerCase();
      if (option.value !== "" && option.value !== chosen && !text.includes(wanted)) option.remove();
    }
    for (const group of shown.querySelectorAll("optgroup:not(:has(option))")) group.remove();
    select.replaceChildren(...shown.childNodes);
    select.value = chosen;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it chooses what is left, the form is sent by its button
    const found = select.querySelectorAll("option:not([value=''])");
    if (box.value.trim() && found.length) select.value = [...found].find((each) => each.value !== select.value)?.value || select.value;
  });
}
