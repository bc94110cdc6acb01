// A list of memories, wherever one is shown: each opens its source.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { placeAndDay, shorten } from "/ui/words.js";

/** `note` says what stands beside each; without it, where and when it was said. Fires `open-atom` {atomId} on a click. */
export const memories = (atoms, note = placeAndDay) => html`<ul class="memories">
  ${atoms.map(
    (atom) => html`<li>
      <button class="memory ${atom.is_superseded ? "replaced" : ""}" data-atom=${atom.atom_id} @click=${open}>
        <span class="content">${atom.content}</span>
        ${(atom.status ?? "asserted") === "asserted" ? nothing : html`<span class="where meant">${atom.status}</span>`}
        <span class="where">${note(atom)}</span>
      </button>
    </li>`,
  )}
</ul>`;

function open(event) {
  const button = event.currentTarget;
  button.dispatchEvent(new CustomEvent("open-atom", { detail: { atomId: button.dataset.atom }, bubbles: true }));
}

/** A note for what was remembered just now: what it replaced. Needs the atom's `history`. */
export function replacing(atom) {
  const replaced = new Set(atom.supersedes ?? []);
  const old = (atom.history ?? []).find((former) => replaced.has(former.atom_id));
  return old ? html`replaces “${shorten(old.content, 48)}”` : "";
}
