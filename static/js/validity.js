// What a browser says of a field that is empty or wrong is in the browser's language: say it
// in that of the page. Where there is no text for a reason, the browser's own stays.
const texts = document.querySelector("[data-validity]").dataset;
const told = new WeakSet();

const reasons = ({ validity, type, min, max }) => {
  if (validity.valueMissing) return type === "file" ? texts.file : type === "checkbox" ? texts.box : texts.missing;
  if (validity.typeMismatch) return type === "email" ? texts.email : texts.url;
  if (validity.rangeUnderflow) return texts.least.replace("{}", min);
  if (validity.rangeOverflow) return texts.most.replace("{}", max);
  return validity.badInput || validity.stepMismatch ? texts.number : "";
};

function forget(field) {
  if (!told.delete(field)) return;
  field.setCustomValidity("");
}

document.addEventListener("invalid", ({ target: field }) => {
  forget(field); // the reason may be another one by now
  const text = field.validity.customError ? "" : reasons(field);
  if (!text) return;
  told.add(field);
  field.setCustomValidity(text);
}, true);
document.addEventListener("input", ({ target }) => forget(target), true);
// What a script filled in is checked anew when the form is sent.
document.addEventListener("click", ({ target }) => {
  const form = target.closest?.("button, input[type=submit]")?.form;
  for (const field of form?.elements ?? []) forget(field);
}, true);
