// Small things of every page: the reader's zone, menus, dialogs, the panel, toasts, copying, keys.

import { isComposing } from "./composing.js";
import { say, stopLast } from "./stream.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone) document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;

// Menus close when one looks elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("[data-menu][open]")) if (!menu.contains(event.target)) menu.open = false;
});

// Pages that ask something open in a dialog; without this script they are pages.
const dialog = document.createElement("dialog");
document.body.append(dialog);
document.addEventListener("click", async (event) => {
  if (event.target.closest("dialog [data-dialog-close]") || event.target === dialog) {
    event.preventDefault();
    return dialog.close();
  }
  const link = event.target.closest("[data-dialog]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest("[data-menu]")?.removeAttribute("open");
  const answer = await fetch(link.href, { credentials: "same-origin" }).catch(() => null);
  const part = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("dialog-part");
  if (!part) return void location.assign(link.href);
  dialog.replaceChildren(part);
  if (!dialog.isConnected) document.body.append(dialog); // the whole page may have been swapped since
  dialog.showModal();
  dialog.querySelector("input[type=text]")?.select();
});

// The panel beside the conversation.
let openedBy = null;
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "panel") return;
  openedBy = event.detail.requestConfig?.elt?.closest?.(".why") ?? openedBy;
  event.detail.target.querySelector("h2")?.focus({ preventScroll: true });
});
function closePanel() {
  const panel = document.getElementById("panel");
  if (!panel?.hasChildNodes()) return false;
  panel.replaceChildren();
  openedBy?.focus();
  return true;
}
document.addEventListener("click", (event) => { if (event.target.closest("[data-panel-close]")) closePanel(); });

// Toasts leave by themselves, later when there is something to undo.
function letLeave(root) {
  for (const toast of root.querySelectorAll?.("[data-toast]") ?? []) {
    const stay = toast.querySelector("form") ? 10000 : 4000;
    setTimeout(() => { toast.classList.add("leaving"); setTimeout(() => toast.remove(), 500); }, stay);
  }
}
letLeave(document);
document.addEventListener("htmx:oobAfterSwap", (event) => letLeave(event.detail.target.parentElement ?? document));

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not a secure page: the old way
    const field = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  say(document.body.dataset.copied);
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-copy-secret]");
  if (!button) return;
  const code = button.dataset.copy === "code" && button.nextElementSibling;
  const part = button.dataset.copy ? "[data-said]" : "[data-answer]";
  const source = code || (button.closest(".turn")?.querySelector(part) ?? document.querySelector("[data-copy-text]"));
  copy(source.innerText.trim());
  button.setAttribute("aria-pressed", "true");
  setTimeout(() => button.removeAttribute("aria-pressed"), 1200);
});

// After an act the list stands where it stood.
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-keep]")) sessionStorage.setItem("stand", JSON.stringify([location.href, scrollY]));
});
const [stood, top] = JSON.parse(sessionStorage.getItem("stand") ?? "[]");
sessionStorage.removeItem("stand");
if (stood === location.href) scrollTo(0, top);

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-file]") && target.files[0]) target.parentElement.querySelector("[data-file-name]").textContent = [...target.files].map((file) => file.name).join(" · ");
});

// A text that is clicked to be corrected is at once under the fingers.
document.addEventListener("toggle", ({ target }) => { if (target.matches(".in-place[open]")) target.querySelector("textarea, input[type=text]")?.focus(); }, true);

// Who writes into a field that is one of several choices means that one.
document.addEventListener("input", ({ target }) => { if (target.dataset.chooses) document.getElementById(target.dataset.chooses).checked = true; });

// A slider says its number.
document.addEventListener("input", (event) => { if (event.target.type === "range") event.target.nextElementSibling.value = event.target.value; });

// The server can't be reached: say so, keep everything.
document.addEventListener("htmx:sendError", () => {
  const alert = document.getElementById("alert");
  const line = Object.assign(document.createElement("p"), { className: "alert", textContent: document.body.dataset.offline });
  line.setAttribute("role", "alert");
  alert?.replaceChildren(line);
});

document.addEventListener("keydown", (event) => {
  if (isComposing(event) || event.defaultPrevented) return;
  const writing = event.target.matches?.("input, textarea, select, [contenteditable]");
  const cancel = event.target.closest?.("form")?.querySelector("[data-cancel]");
  if (event.key === "Escape" && cancel) cancel.click();
  else if (event.key === "Escape" && !document.querySelector("dialog[open], [popover]:popover-open, [data-menu][open]")) {
    if (!closePanel()) stopLast();
  } else if (event.key === "Escape") {
    document.querySelectorAll("[data-menu][open]").forEach((menu) => { menu.open = false; });
  } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    document.querySelector('[data-key="new"]')?.click();
  } else if (!writing && ["[", "]", "?"].includes(event.key)) {
    [...document.querySelectorAll(`[data-key="${event.key}"]:not(:disabled)`)].pop()?.click();
  } else if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey) {
    const field = document.querySelector("main input[type=search]") ?? document.querySelector(".rail-find input");
    if (field) { event.preventDefault(); field.focus(); }
  }
});
