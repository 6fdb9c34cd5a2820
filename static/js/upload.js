// Uploads with progress. Without this script the same form is sent as it is.
const wait = new Map(); // form → its request

const part = (form, name) => form.querySelector(`[data-${name}]`);

function fail(form, text) {
  show(form, false);
  const error = form.querySelector(".field-error[id$=files-error]");
  part(form, "error").textContent = text;
  error.hidden = false;
  form.querySelector("[type=file]").focus();
}

function show(form, isSending) {
  part(form, "progress").hidden = !isSending;
  part(form, "cancel").hidden = !isSending;
  form.querySelector("[type=submit]").disabled = isSending;
  form.querySelector("[type=file]").disabled = isSending;
}

function tell(form, text) {
  const status = part(form, "status");
  if (status.textContent !== text) status.textContent = text;
}

function advance(form, event) {
  const bar = form.querySelector("progress");
  if (event.loaded >= event.total) {
    bar.removeAttribute("value");
    tell(form, form.dataset.storing);
    return;
  }
  bar.value = (100 * event.loaded) / event.total;
  tell(form, `${Math.floor(bar.value / 5) * 5}%`); // read aloud: not each percent
}

function finish(form, request) {
  const place = request.getResponseHeader("HX-Redirect");
  if (place) {
    location.assign(place);
  } else if (request.status === 422) {
    const made = new DOMParser().parseFromString(request.responseText, "text/html");
    const fresh = made.querySelector("form[data-upload]");
    const chosen = form.querySelector("[type=file]").files;
    form.replaceWith(fresh);
    const input = fresh.querySelector("[type=file]");
    input.files = chosen; // another name may be all that it takes
    input.focus();
  } else {
    fail(form, request.status === 413 ? form.dataset.tooLarge : form.dataset.refused);
  }
}

function send(form) {
  const data = new FormData(form);
  const request = new XMLHttpRequest();
  wait.set(form, request);
  show(form, true);
  tell(form, "0%");
  form.querySelector("progress").value = 0;
  request.open("POST", form.action);
  request.setRequestHeader("HX-Request", "true");
  request.upload.addEventListener("progress", (event) => advance(form, event));
  request.addEventListener("load", () => {
    show(form, false);
    finish(form, request);
  });
  request.addEventListener("error", () => fail(form, form.dataset.interrupted));
  request.addEventListener("abort", () => show(form, false));
  request.send(data);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-upload]");
  if (!form) return;
  event.preventDefault();
  const files = [...form.querySelector("[type=file]").files];
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > Number(form.dataset.maxBytes)) fail(form, form.dataset.tooLarge);
  else send(form);
});

document.addEventListener("click", (event) => {
  const form = event.target.closest("[data-cancel]")?.form;
  wait.get(form)?.abort();
});

// Files may be dropped anywhere on the form.
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest?.("form[data-upload]");
    if (!form || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("is-over", kind === "dragover");
    if (kind !== "drop" || form.querySelector("[type=file]").disabled) return;
    form.querySelector("[type=file]").files = event.dataTransfer.files;
    form.querySelector("[type=submit]").focus();
  });
}
