// Lists that are walked by keys: j and k go from one [data-item] to the next, another key presses what says [data-press] in it.

import { isComposing } from "./composing.js";

const WRITING = "input:not([type=checkbox], [type=radio]), textarea, select, dialog *";
const items = () => [...document.querySelectorAll("[data-walk] [data-item]")];

function stand(item) {
  if (!item) return;
  item.tabIndex = -1;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function press(item, key) {
  const target = item?.querySelector(`[data-press="${CSS.escape(key)}"]`);
  if (!target) return false;
  sessionStorage.setItem("walked", JSON.stringify([location.pathname, items().indexOf(item)]));
  target.click();
  if (target.matches("summary")) item.querySelector("details[open] input")?.focus();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (isComposing(event) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.matches(WRITING)) return;
  const all = items();
  const here = document.activeElement?.closest?.("[data-item]");
  const at = all.indexOf(here);
  let done = true;
  if (event.key === "u") document.querySelector("[data-toast] button")?.click();
  else if (all.length && event.key === "j") stand(all[Math.min(at + 1, all.length - 1)]);
  else if (all.length && event.key === "k") stand(all[Math.max(at - 1, 0)]);
  else if (event.key === "Enter" && document.activeElement !== here) return;
  else done = press(here ?? document.querySelector("[data-walk=first] [data-item]"), event.key);
  if (done) event.preventDefault();
});

// After an act that loaded the page anew one stands where the item was.
const [path, place] = JSON.parse(sessionStorage.getItem("walked") ?? "[]");
sessionStorage.removeItem("walked");
if (path === location.pathname && place >= 0) stand(items()[Math.min(place, items().length - 1)]);
