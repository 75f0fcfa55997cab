import "./composing.js";
import { grow } from "./composer.js";
import { pinNewest } from "./scroll.js";
import { watchAll } from "./stream.js";
import "./page.js";
import "./keys.js";

watchAll(document);
document.querySelectorAll("textarea[data-grow]").forEach(grow);
document.addEventListener("htmx:load", (event) => watchAll(event.detail.elt));
document.addEventListener("htmx:afterSettle", (event) => { if (event.detail.target.id === "log") pinNewest(); });
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
