// The fields one writes messages in: they grow, keep a draft, and Enter (or Ctrl/⌘ + Enter) sends.

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

// About how many tokens a text is, from counts of our guides: Chinese takes 0.86 a character, the rest 0.24.
const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/g;
function weigh(field) {
  const output = field.form.querySelector("[data-size]");
  const chinese = field.value.match(CHINESE)?.length ?? 0;
  const tokens = Math.ceil(chinese * 0.86 + (field.value.trim().length - chinese) * 0.24);
  if (output) output.textContent = tokens > 0 ? output.dataset.size.replace("{n}", tokens) : "";
}

function keep({ dataset, elements }) {
  if (!dataset.composer) return;
  const draft = `draft:${dataset.composer}`;
  if (elements.text.value) sessionStorage.setItem(draft, elements.text.value);
  else sessionStorage.removeItem(draft);
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-grow]")) return;
  grow(target);
  weigh(target);
  keep(target.form);
});

document.addEventListener("keydown", (event) => {
  const form = event.target.form;
  if (!event.target.matches?.("[data-grow]") || !sends(event, form.dataset.sendKey)) return;
  event.preventDefault();
  if (event.target.value.trim()) form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const field = form.elements.text;
  if (!field?.matches?.("[data-grow]")) return;
  if (!field.value.trim()) event.preventDefault();
  else if (!form.hasAttribute("hx-post")) sessionStorage.removeItem(`draft:${form.dataset.composer}`);
});

// The text goes away only when the server has it.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.elt.matches("[data-composer]") || !detail.successful) return;
  const field = detail.elt.elements.text;
  field.value = "";
  detail.elt.querySelector("#alert").replaceChildren();
  grow(field);
  weigh(field);
  keep(detail.elt);
  field.focus({ preventScroll: true });
});

for (const form of document.querySelectorAll("[data-composer]")) {
  const field = form.elements.text;
  if (!field.value) field.value = (form.dataset.composer && sessionStorage.getItem(`draft:${form.dataset.composer}`)) || "";
  grow(field);
  weigh(field);
}

// A temporary conversation keeps no draft and stands in no list: leaving it, or loading it anew, asks first.
let sent = false;
addEventListener("submit", (event) => { sent = !event.defaultPrevented; });
addEventListener("beforeunload", (event) => {
  const field = document.querySelector(".temporary [data-composer]")?.elements.text;
  if (field && !sent && (field.value.trim() || document.querySelector(".turn"))) event.preventDefault();
});
