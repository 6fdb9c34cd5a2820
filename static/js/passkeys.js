// Passkeys: made on the account page, used on the sign-in page. Forms say where to ask:
// data-begin and data-finish. What goes wrong stands in the form's [data-problem].

async function send(url, form, more = {}) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const answer = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" } });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.problem);
  return read;
}

async function run(form) {
  const { options, state } = await send(form.dataset.begin, form);
  const key = window.PublicKeyCredential;
  const isNew = form.dataset.passkey === "make";
  const made = isNew
    ? await navigator.credentials.create({ publicKey: key.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: key.parseRequestOptionsFromJSON(options) });
  const { location: next } = await send(form.dataset.finish, form, { state, answer: JSON.stringify(made) });
  window.location.assign(next);
}

function show(form, text) {
  const place = form.querySelector("[data-problem]");
  place.textContent = text;
  place.hidden = !text;
}

const canUse = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !canUse;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    show(form, "");
    run(form)
      // The browser's own refusals (cancelled, none there) are in its language, not ours.
      .catch((error) => show(form, error instanceof DOMException ? form.dataset.refused : error.message))
      .finally(() => { button.disabled = false; });
  });
}
