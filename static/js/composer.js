// The field one writes in: it grows, keeps a draft, and Enter (or Ctrl/⌘ + Enter) sends.

import { isComposing } from "./composing.js";

const touch = matchMedia("(pointer: coarse)");
const growsByItself = CSS.supports("field-sizing", "content");

export function grow(field) {
  if (growsByItself) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}

function sends(event, sendKey) {
  if (event.key !== "Enter" || event.shiftKey || event.altKey || isComposing(event)) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return sendKey === "enter" && !touch.matches;
}

function watch(form) {
  const field = form.elements.text;
  const draft = form.dataset.composer && `draft:${form.dataset.composer}`;
  if (draft && !field.value) field.value = sessionStorage.getItem(draft) ?? "";
  grow(field);
  const keep = () => {
    if (!draft) return;
    if (field.value) sessionStorage.setItem(draft, field.value);
    else sessionStorage.removeItem(draft);
  };
  field.addEventListener("input", () => { grow(field); keep(); });
  field.addEventListener("keydown", (event) => {
    if (!sends(event, form.dataset.sendKey)) return;
    event.preventDefault();
    if (field.value.trim()) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    if (!field.value.trim()) event.preventDefault();
    else if (!form.hasAttribute("hx-post") && draft) sessionStorage.removeItem(draft);
  });
  // The text goes away only when the server has it.
  form.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== form || !event.detail.successful) return;
    field.value = "";
    form.querySelector("#alert").replaceChildren();
    grow(field);
    keep();
    field.focus({ preventScroll: true });
  });
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opener]");
  const field = opener && document.querySelector("[data-composer]")?.elements.text;
  if (!field) return;
  field.value = opener.textContent;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

document.querySelectorAll("[data-composer]").forEach(watch);
