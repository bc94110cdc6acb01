// A list of memories, wherever one is shown: each opens its source.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { day, placeAndDay, shorten } from "/ui/words.js";

/** `note` says what stands beside each; without it, where and when it was said. */
export const memories = (atoms, note = placeAndDay) => html`<ul class="memories">
  ${atoms.map(
    (atom, at) => html`<li>
      <div role="button" tabindex="0" class="memory ${atom.is_superseded ? "replaced" : ""}" data-atom=${atom.atom_id} @click=${open} @keydown=${open}>
        <span class="content" dir="auto">${atom.content}</span>${became(atom)}
        ${(atom.status ?? "asserted") === "asserted" ? nothing : html`<span class="where meant">${atom.status}</span>`}
        <span class="where ${at > 0 && note === placeAndDay && note(atom) === note(atoms[at - 1]) ? "sr" : ""}">${note(atom)}</span>
      </div>
    </li>`,
  )}
</ul>`;

/** For clicks and keys on what has `role="button"` and the id of a memory: fires `open-atom` {atomId}. It is no `<button>`, whose
 * text nobody could select; a click that ends a selection opens nothing. */
export function open(event) {
  const it = event.currentTarget;
  if (event.type === "keydown") {
    if (event.target !== it || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
  } else if (!getSelection().isCollapsed && getSelection().containsNode(it, true)) {
    return;
  }
  it.dispatchEvent(new CustomEvent("open-atom", { detail: { atomId: it.dataset.atom }, bubbles: true }));
}

/** A note for what was remembered just now: what it replaced. Needs the atom as lists have it. */
export function replacing(atom) {
  const [old] = atom.predecessors ?? [];
  if (!old) return "";
  return old.change ? changeOf({ change: old.change, replaced_on: old.on }) : html`replaces “${shorten(old.content, 48)}”`;
}

/** What took the place of one that was replaced, and since when. */
export const became = ({ successor: now }) => (now ? html`<span class="became" dir="auto">→ ${now.change?.after ?? shorten(now.content, 120)} · ${day(now.on)}</span>` : nothing);

/** Old → new, and since when; nothing where it cannot be said in a word or two. */
export function changeOf({ change, replaced_on: on }) {
  if (!change) return nothing;
  const { before, after } = change;
  return html`<span class="change"><s>${shorten(before, 48)}</s> → <b>${after ? shorten(after, 48) : "no longer so"}</b></span>${on ? ` · ${day(on)}` : ""}`;
}
