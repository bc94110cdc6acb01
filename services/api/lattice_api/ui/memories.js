// A list of memories, wherever one is shown: each is a link that opens it with its source.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { addressOf } from "/ui/router.js";
import { day, meant, placeAndDay, shorten } from "/ui/words.js";

/** `note` says what stands beside each; without it, where and when it was said. */
export const memories = (atoms, note = placeAndDay) => html`<ul class="memories">
  ${atoms.map(
    (atom, at) => html`<li>
      <a class="memory ${atom.is_superseded ? "replaced" : ""}" href=${addressOf.memory(atom.atom_id)}>
        <span class="content" dir="auto">${atom.content}</span>${became(atom)}
        ${meant(atom) ? html`<span class="where meant">${meant(atom)}</span>` : nothing}
        <span class="where ${at > 0 && note === placeAndDay && note(atom) === note(atoms[at - 1]) ? "sr" : ""}">${note(atom)}</span>
      </a>
    </li>`,
  )}
</ul>`;

/** A note for what was remembered just now: what it replaced. Needs the atom as lists have it. */
export function replacing(atom) {
  const [old] = atom.predecessors ?? [];
  if (!old) return "";
  return old.change ? changeOf({ change: old.change, replaced_on: old.on }) : html`replaces <q dir="auto">${shorten(old.content, 48)}</q>`;
}

/** What took the place of one that was replaced, and since when. */
export const became = ({ successor: now }) => (now ? html`<span class="became" dir="auto">→ ${now.change?.after ?? shorten(now.content, 120)} · ${day(now.on)}</span>` : nothing);

/** Old → new, and since when; nothing where it cannot be said in a word or two. */
export function changeOf({ change, replaced_on: on }) {
  if (!change) return nothing;
  const { before, after } = change;
  return html`<span class="change"><s dir="auto">${shorten(before, 48)}</s> → <b dir="auto">${after ? shorten(after, 48) : "no longer so"}</b></span>${on ? ` · ${day(on)}` : ""}`;
}
