// Where the page stands: a new question goes to the top of the view, nobody is dragged along who reads elsewhere.

const NEAR = 80; // px from the end that count as "at the end"
const log = document.querySelector("[data-log]");
const jump = document.querySelector("[data-jump]");
let following = false;
let byHand = false;

const below = () => document.documentElement.scrollHeight - innerHeight - scrollY;

function toEnd(behavior = "instant") {
  scrollTo({ top: document.documentElement.scrollHeight, behavior });
}

function showJump() {
  const last = log.lastElementChild?.querySelector(".answer");
  jump.hidden = !last || last.getBoundingClientRect().bottom < innerHeight - 60 || below() < NEAR;
}

export function pinNewest() {
  const turns = log?.querySelectorAll(".turn.fresh") ?? [];
  const newest = turns[turns.length - 1];
  if (!newest) return;
  turns.forEach((turn) => turn.classList.toggle("fresh", turn === newest));
  following = false;
  newest.scrollIntoView({ block: "start" });
}

if (log) {
  for (const name of ["wheel", "touchmove", "keydown"]) {
    addEventListener(name, () => { byHand = true; }, { passive: true });
  }
  addEventListener("scroll", () => {
    if (byHand) following = below() < NEAR;
    byHand = false;
    showJump();
  }, { passive: true });
  log.addEventListener("grown", () => {
    if (following) toEnd();
    showJump();
  });
  jump.addEventListener("click", () => { following = true; toEnd("smooth"); });
  if (!location.hash && !/[?&](before|turn)=/.test(location.search)) toEnd();

  // Earlier turns come in above: without scroll anchoring the browser would show other lines than before.
  let height = 0;
  log.addEventListener("htmx:beforeSwap", (event) => { height = event.detail.target.matches(".older") ? document.documentElement.scrollHeight : 0; });
  log.addEventListener("htmx:afterSettle", () => {
    if (height && !CSS.supports("overflow-anchor", "auto")) scrollBy(0, document.documentElement.scrollHeight - height);
    height = 0;
  });
}
