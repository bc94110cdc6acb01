// The views beside Today: what each is called, what shows it, and how much needs its owner. A view's module is fetched when it is
// first opened; each defines an element with a property `view` (router.js) and a method `refresh`, and bears `data-view`.

import { html } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";

/** In the order of the palette; `inBar` are those with a link in the bar on wide screens. */
export const VIEWS = [
  { name: "memories", words: "Memories", inBar: true },
  { name: "when", words: "When", inBar: true },
  { name: "me", words: "You", inBar: true },
  { name: "review", words: "Needs you", inBar: true },
  { name: "graph", words: "Map" },
  { name: "settings", words: "Settings", inBar: true },
];

const MODULES = "/ui/views/";

const UNREACHED = { title: "This part of the page did not arrive", detail: "Lattice may have been stopped. Start it with “lattice up”, then try again." };

/** A module that is not needed at the start; that it did not arrive is said in the place of the view. */
export const fetched = (module) => import(module).catch(() => document.querySelector("lattice-page").dispatchEvent(new CustomEvent("view-problem", { detail: UNREACHED })));

let shown = null;

/** The element of a view, the same as long as that is shown; it fills itself once its module is there. */
export function viewOf(view) {
  if (!shown?.isConnected || shown.localName !== `lattice-${view.name}`) {
    shown = document.createElement(`lattice-${view.name}`);
    shown.dataset.view = "";
    void fetched(`${MODULES}${view.name}.js`);
  }
  shown.view = view;
  return shown;
}

/** At an address that nothing has. */
export const nowhere = html`<div class="view-head"><h2 tabindex="-1">Not here</h2></div><p class="quiet">Nothing has this address. <a class="link" href="/">Today</a> <a class="link" href="/memories">Memories</a></p>`;

/** What stands in the window's title; "" in Today. */
export function titleOf({ name, which }) {
  if (name === "about") return which;
  if (name === "source") return "Source";
  if (name === "nowhere") return "Not here";
  return VIEWS.find((each) => each.name === name)?.words ?? "";
}

const LOOK_AGAIN = 60_000; // ms: what changes through another door is counted by then

/** How much needs its owner, kept up to date while the page is seen. */
export class Needs {
  constructor(changed) {
    this.changed = changed;
    this.count = 0;
  }

  start() {
    void this.look();
    setInterval(() => !document.hidden && this.look(), LOOK_AGAIN);
  }

  async look() {
    const found = await get("/api/needs").catch(() => null); // the bar says what is the matter; the last count stays
    if (found && found.count !== this.count) {
      this.count = found.count;
      this.changed();
    }
  }
}
