// Forms with data-passkey ("create" or "get"): the server's challenge comes first, then
// the form is sent with what the authenticator answered.

const isPossible =
  window.isSecureContext && Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);

function tell(form, text) {
  const problem = form.querySelector("[data-passkey-problem]");
  problem.textContent = text;
  problem.hidden = !text;
}

async function challenge(form) {
  const body = new FormData(form);
  body.set("action", "begin");
  const reply = await fetch(form.getAttribute("action"), { method: "POST", body });
  const found = await reply.json();
  if (!reply.ok) throw new Error(found.problem);
  return found.publicKey;
}

async function answer(form) {
  const found = await challenge(form);
  if (form.dataset.passkey === "create") {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(found);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(found);
  return navigator.credentials.get({ publicKey });
}

async function send(form) {
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  tell(form, "");
  try {
    form.elements.credential.value = JSON.stringify((await answer(form)).toJSON());
    form.submit();
  } catch (error) {
    // DOMException: cancelled, timed out, or the device has no fitting passkey.
    tell(form, error instanceof DOMException ? form.dataset.refused : error.message);
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!isPossible) {
    tell(form, form.dataset.impossible);
    form.querySelector("button[type=submit]").disabled = true;
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
