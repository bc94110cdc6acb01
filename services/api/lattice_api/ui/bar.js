// The top bar: the name, what is going on, search, light or dark, the keys.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { closeBeside } from "/ui/element.js";
import * as icons from "/ui/icons.js";
import { isDark, switchTheme } from "/ui/appearance.js";
import { enter, space } from "/ui/key.js";
import { VIEWS } from "/ui/views.js";
import { count, number } from "/ui/words.js";

/** `status` is GET /api/status, or null when Lattice did not answer it; `on` has `search`, `theme`, `keys`, `palette`, the view
 * that is shown (`place`) and how much `needs` the owner. Under a sheet nothing of it can be reached. */
export const bar = (status, on, covered = false) => html`<header class="bar" ?inert=${covered}>
  <h1><a href="/" aria-current=${on.place.name === "today" ? "page" : nothing}>Lattice</a></h1>
  ${memory(status)}
  ${goingOn(status)}
  ${views(on)}
  <button class="plain" aria-label="Search" title="Search" @click=${on.search}>${icons.search}</button>
  <button
    class="plain wide-only"
    aria-label="Switch to ${isDark() ? "light" : "dark"}"
    title="Switch to ${isDark() ? "light" : "dark"}"
    @click=${() => (switchTheme(), on.theme())}
  >${isDark() ? icons.sun : icons.moon}</button>
  <button class="plain menu" aria-label="Menu" title="Go to … (Ctrl K)" @click=${on.palette}>${icons.menu}</button>
  <button class="plain wide-only" aria-label="Keys" title="Keys (?)" @click=${on.keys}>${icons.keys}</button>
</header>`;

/** Where there are several owners: whose memory this is, and the way to the other. */
function memory(status) {
  const there = space || status?.space;
  if (!there || (!space && there === "shared")) return nothing;
  return html`<button class="plain space" aria-pressed=${Boolean(space)} title=${space ? "To your own memory" : "To the memory that all share"} @click=${() => enter(space ? "" : "shared")}>shared</button>`;
}

const views = ({ place, needs }) => html`<nav class="views" aria-label="Views">
  ${VIEWS.filter(({ inBar }) => inBar).map(
    ({ name, words }) => html`<a href="/${name}" class=${name} aria-current=${place.name === name ? "page" : nothing}
      >${words}${name === "review" && needs ? html` <b class="count">${needs}</b>` : nothing}</a
    >`,
  )}
</nav>`;

function goingOn(status) {
  const [tone, words, detail = ""] = state(status);
  return html`<p class="going-on ${tone}" role="status"><span class="light" aria-hidden="true"></span>${words
    ? html`<span title=${detail}>${words}</span>`
    : html`<span class="sr">ready</span>`}</p>`;
}

const WRITING = new Set(["working", "idle"]);
const DEGRADED = {
  dense: "searching by words only",
  lexical: "searching by meaning only",
  memories: "some memories' files cannot be read",
};

/** What is done in place of a part that is away. */
export const withoutIt = (missing) => DEGRADED[missing.split(":")[0]] ?? missing;

/** [tone, words, what exactly]. */
function state(status) {
  if (status === undefined) return ["idle", ""];
  if (status === null) return ["bad", "not answering"];
  const { waiting = 0, working = 0 } = status.captures ?? {};
  const { of, looked_at: done } = status.migration ?? {}; // is told by captures of its own, one after the other
  if (waiting + working > (of ? 1 : 0)) return ["working", html`${number(waiting + working)}<span class="wide-only"> ${waiting + working === 1 ? "capture" : "captures"}</span> being read`];
  if (of) return ["working", "older memories read again", `${number(done)} of ${number(of)} were looked through for how they were meant.`];
  const unread = WRITING.has(status.writer) ? unreadable(status) : null;
  if (unread) return unread;
  if (WRITING.has(status.writer)) {
    const [missing] = status.degraded ?? [];
    return missing ? ["degraded", withoutIt(missing), missing] : ["idle", ""];
  }
  return ["bad", "kept, but not being read", status.writer];
}

/** What failed for good, which nobody would hear of otherwise; null when nothing did. */
function unreadable({ captures, inbox }) {
  const [dead, failed] = [captures?.dead ?? 0, inbox?.failed ?? 0];
  if (!dead && !failed) return null;
  const what = [dead && count(dead, "capture"), failed && `${count(failed, "file")} of the inbox`].filter(Boolean).join(" and ");
  const where = [dead && "“lattice captures --state dead” names the captures", failed && "the files lie in the inbox’s folder “failed”"];
  return ["degraded", `${dead + failed} could not be read`, `${what} could not be read: ${where.filter(Boolean).join(", ")}.`];
}

/** The keys, as a dialog of the browser's own (Esc closes it). */
export const keysDialog = () => html`<dialog class="keys" aria-labelledby="keys-title" @click=${closeBeside}>
  <div>
    <h2 id="keys-title">Keys</h2>
    <dl>
      ${[
        ["/", "to the box; just typing does it too"],
        ["Enter", "say it"],
        ["Shift Enter", "a new line"],
        ["Tab", "switch between remember and ask, while there are words in the box"],
        ["↑ ↓", "what you said before"],
        ["Ctrl Enter", "save a memory that is being edited"],
        ["↑ ↓ Enter", "in a list: through what is there, and open it"],
        ["Ctrl K", "go to a view, a person, a memory"],
        ["Esc", "close what is open; in the box, let Tab move on"],
        ["?", "these keys, while the box is empty"],
      ].map(([key, words]) => html`<div><dt>${key.split(" ").map((one) => html`<kbd>${one}</kbd>`)}</dt><dd>${words}</dd></div>`)}
    </dl>
    <form method="dialog"><button class="link">close</button></form>
  </div>
</dialog>`;
