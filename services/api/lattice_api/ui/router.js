// Addresses: which view is shown and which memory is open beside it. Everything that leads somewhere is a link or calls `go`, so
// the browser's Back goes where one was, a reload shows the same, and an address can be kept.
//
// A memory has an address of its own, `/m/<id>`, and is open beside the view it was opened from: that one is kept in the entry of
// the history (`base`), with how many memories were opened after it (`depth`), so that closing goes back over all of them.

import { quoted } from "/ui/api.js";

const NAMED = { source: "source", about: "about", m: "memories" };
const PLAIN = new Set(["memories", "review", "when", "me", "graph", "settings"]);
const NO_BASE = "/memories"; // beside which a memory is shown that was opened by its address

/** {name, which, query, path} of an address; `name` is "today" at `/`, "nowhere" at what is no address of ours, and `which` the id or name that follows it. */
export function viewAt(address) {
  const url = new URL(address, location.origin);
  const [first, ...rest] = url.pathname.slice(1).split("/");
  const found = { name: first && first !== "index.html" ? "nowhere" : "today", which: null, query: url.searchParams, path: url.pathname + url.search };
  if (PLAIN.has(first)) found.name = first;
  else if (first in NAMED && rest.some(Boolean)) [found.name, found.which] = [first, decoded(rest.join("/"))];
  return found;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // somebody typed a lone per cent sign
  }
}

export const addressOf = {
  memory: (atomId) => `/m/${quoted(atomId)}`,
  source: (id, atomId = null) => `/source/${quoted(id)}${atomId ? `?at=${quoted(atomId)}` : ""}`,
  about: (name) => `/about/${quoted(name)}`,
  list: (filters) => {
    const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
    return query.size ? `/memories?${query}` : "/memories";
  },
};

/** Where we are: the view, and the memory that is open beside it (or null). */
export function here() {
  const view = viewAt(location.href);
  if (view.name !== "m") return { view, atomId: null, depth: 0 };
  const { base = NO_BASE, depth = 0 } = history.state ?? {};
  return { view: viewAt(base), atomId: view.which, depth };
}

/** Calls `changed` whenever that may be another: by `go`, a link, or the browser's Back and Forward. */
export function onRoute(changed) {
  history.scrollRestoration = "manual"; // a view restores its own, once it has something to scroll
  addEventListener("popstate", changed);
  addEventListener("route", changed);
  addEventListener("scrollend", keepScroll);
  document.addEventListener("pointerdown", held);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link && event.detail && isSelectedIn(link)) return event.preventDefault();
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.hasAttribute("download") || link.target || !leadsHere(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

let hold = null;

/** Resolves once the mouse is let go; null while it is not held down on words. */
export const released = () => hold;

/** While the mouse is held down on words, as one does to select them, nothing is drawn anew that would move them (element.js). No
 * browser begins to select words within a link: it has no address meanwhile. */
function held({ target, pointerType, button, ctrlKey, metaKey, shiftKey, altKey, clientX: x, clientY: y }) {
  drawn = false;
  if (!target.closest?.("main, .panel") || target.closest("svg, input, select") || pointerType !== "mouse" || button || ctrlKey || metaKey || shiftKey || altKey) return;
  const link = target.closest("a[href]");
  const address = link?.getAttribute("href");
  if (link) link.tabIndex = 0; // the focus is still its own
  link?.removeAttribute("href");
  let resolve;
  hold = new Promise((go) => (resolve = go));
  const ended = ({ type, buttons, clientX, clientY }) => {
    if (type === "pointermove" && buttons) return; // without any it was let go where nothing tells of it, on a scroll bar
    drawn = Math.hypot(clientX - x, clientY - y) > SLACK;
    link?.setAttribute("href", address);
    link?.removeAttribute("tabindex");
    for (const type of ENDS) removeEventListener(type, ended, true);
    hold = null;
    setTimeout(resolve); // the click that ends it finds all as it was
  };
  for (const type of ENDS) addEventListener(type, ended, true);
}

const ENDS = ["pointerup", "pointercancel", "pointermove"];
const SLACK = 3; // px that a click may slip
let drawn = false; // whether the mouse was drawn along since it was pressed

/** Whether words of a link were selected just now: the click that ends this opens nothing. */
const isSelectedIn = (link) => drawn && !getSelection().isCollapsed && getSelection().containsNode(link, true);

const leadsHere = (path) => path === "/" || !["today", "nowhere"].includes(viewAt(path).name);

/** To an address of ours; with `replace`, in place of the one we are at. */
export function go(address, { replace = false } = {}) {
  const target = viewAt(address);
  const now = here();
  if (target.path === location.pathname + location.search && !replace) return;
  keepScroll();
  let state = null;
  if (target.name === "m") {
    const depth = replace ? now.depth : now.depth + 1;
    state = { base: now.view.path, depth };
  }
  history[replace ? "replaceState" : "pushState"](state, "", target.path);
  dispatchEvent(new Event("route"));
}

/** Close the memory that is open: back over all that were opened one after the other, or to the view beside it. */
export function closeMemory() {
  const { view, atomId, depth } = here();
  if (!atomId) return;
  if (depth > 0) history.go(-depth);
  else go(view.path, { replace: true });
}

/** Note how far one has scrolled, for when one comes back. */
export const keepScroll = () => history.replaceState({ ...history.state, top: scrollY }, "");

export const keptScroll = () => history.state?.top ?? 0;
