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

  // Earlier turns come in above: what is read stays where it is. (Browsers anchor by themselves, but not at the very top.)
  let read = null;
  log.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.target.matches(".older")) return;
    const turn = log.querySelector(".turn");
    read = { turn, top: turn.getBoundingClientRect().top };
  });
  log.addEventListener("htmx:afterSwap", () => {
    if (read) scrollBy({ top: read.turn.getBoundingClientRect().top - read.top, behavior: "instant" });
    read = null;
  });
}
