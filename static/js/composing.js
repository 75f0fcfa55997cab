// Is this key part of writing with an input method? Then it chooses a candidate and must neither send nor act.

let composing = false;

document.addEventListener("compositionstart", () => { composing = true; }, true);
// Safari tells the end of a composition before the Enter that ended it: the mark is taken away after that key.
document.addEventListener("compositionend", () => setTimeout(() => { composing = false; }), true);
document.addEventListener("focusout", () => { composing = false; }, true);

export function isComposing(event) {
  return event.isComposing || composing || event.keyCode === 229 || event.key === "Process";
}

// In a one-line field the browser itself submits on Enter.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches?.("input") && isComposing(event)) event.preventDefault();
}, true);

// Fields that search while one types tell "settled" 300 ms after the last real change, never for half a word of pinyin.
const timers = new WeakMap();

function settle(event) {
  const field = event.target;
  if (!field.matches?.("[data-settle]") || composing && event.type === "input") return;
  clearTimeout(timers.get(field));
  timers.set(field, setTimeout(() => {
    if (field.value === (field.dataset.settled ?? field.defaultValue)) return;
    field.dataset.settled = field.value;
    field.dispatchEvent(new CustomEvent("settled", { bubbles: true }));
  }, 300));
}

document.addEventListener("input", settle);
document.addEventListener("compositionend", settle);
