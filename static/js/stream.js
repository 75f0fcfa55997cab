// An answer as it comes. The server's stream can be replayed from its start or from the last event seen; when it ends,
// the turn is fetched once more as the server renders it.

const RETRY = 2000;
const STILL = 7000;
const open = new Map(); // turn element → EventSource

export const say = (text) => { document.getElementById("status").textContent = text; };

// A screen reader hears a finished answer once, as a whole, never word by word while it comes.
const BRIEF = 100; // characters
const HEARD = 10000;
function speak(turn) {
  const parts = [...turn.querySelectorAll("[data-answer], .state-line:not([role]), .notice-text")].map((part) => part.textContent.trim());
  const whole = parts.join("\n").replace(/\s+/g, " ");
  const { announce } = document.body.dataset;
  const heard = announce === "brief" && whole.length > BRIEF ? `${whole.slice(0, BRIEF)}…` : whole;
  const region = document.getElementById("spoken");
  region.textContent = announce === "off" ? "" : heard;
  setTimeout(() => { if (region.textContent === heard) region.textContent = ""; }, HEARD); // else search in the page finds it twice
}

async function refresh(turn) {
  if (!turn.isConnected) return;
  try {
    const answer = await fetch(turn.dataset.turn, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    if (answer.status === 404) return void turn.remove();
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const box = document.createElement("template");
    box.innerHTML = await answer.text(); // our own page part; what models and people wrote in it is escaped or cleaned
    const fresh = box.content.querySelector(".turn");
    fresh.classList.toggle("fresh", turn.classList.contains("fresh"));
    turn.replaceWith(fresh);
    const badge = box.content.getElementById("open-conflicts");
    if (badge) document.getElementById("open-conflicts")?.replaceWith(badge);
    htmx.process(fresh);
    watch(fresh);
    const done = turn.querySelector("[data-progress]")?.dataset.done;
    if (done && !open.has(fresh)) { say(done); speak(fresh); }
  } catch {
    setTimeout(() => refresh(turn), RETRY);
  }
}

function watch(turn) {
  const box = turn.querySelector("[data-stream]");
  if (!box || open.has(turn)) return mark();
  const progress = turn.querySelector("[data-progress]");
  const source = new EventSource(box.dataset.stream);
  const seen = new Set();
  let started = false;
  open.set(turn, source);
  mark();
  const still = setInterval(() => say(progress.dataset.still), STILL);

  const on = (name, act) => source.addEventListener(name, (event) => {
    if (event.lastEventId && seen.has(event.lastEventId)) return;
    if (event.lastEventId) seen.add(event.lastEventId);
    act(JSON.parse(event.data || "{}"));
  });
  const close = () => {
    clearInterval(still);
    source.close();
    open.delete(turn);
    mark();
  };

  // "recall" begins an answer: what was shown before it belongs to an attempt that broke off.
  on("recall", (data) => {
    box.textContent = "";
    started = true;
    progress.textContent = `${progress.dataset.recalled} ${data.used ?? 0}`;
  });
  on("token", (data) => {
    if (!started) box.textContent = "";
    if (!started || !box.textContent) { progress.textContent = progress.dataset.generating; say(progress.dataset.generating); }
    started = true;
    box.append(data.text ?? "");
    turn.dispatchEvent(new CustomEvent("grown", { bubbles: true }));
  });
  on("final", (data) => { box.textContent = data.answer ?? box.textContent; });
  on("done", () => {
    close();
    refresh(turn);
  });
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return; // it connects again by itself, after the last event it got
    close();
    setTimeout(() => refresh(turn), RETRY);
  });
}

function mark() {
  const button = document.querySelector("[data-stop-last]");
  if (button) button.hidden = !document.querySelector(".turn[data-open]");
}

export function watchAll(root) {
  for (const turn of root.querySelectorAll?.(".turn[data-open]") ?? []) watch(turn);
  if (root.matches?.(".turn[data-open]")) watch(root);
  for (const [turn, source] of open) if (!turn.isConnected) { source.close(); open.delete(turn); }
  mark();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-stop-last]")) stopLast();
});

export function stopLast() {
  const buttons = document.querySelectorAll("[data-stop]");
  buttons[buttons.length - 1]?.click();
}
