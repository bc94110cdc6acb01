// The opening strip of Today: what needs its owner, what is due, what changed, what was asked in vain and is known now, one thing
// from this day in an earlier year, and an idea with what it is drawn from.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { changeOf } from "/ui/memories.js";
import { addressOf } from "/ui/router.js";
import { count, day, shorten } from "/ui/words.js";

const SHOWN = 3; // of each
const NEAR = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const link = (atom, words = atom.content) => html`<a href=${addressOf.memory(atom.atom_id)} dir="auto">${typeof words === "string" ? shorten(words, 110) : words}</a>`;

/** `briefing` is GET /api/today; `needs` how much waits for its owner. Nothing where there is nothing to say. */
export function strip(briefing, needs) {
  const { due = [], changed = [], answerable = [], on_this_day: before = [], idea } = briefing ?? {};
  const turned = changed.filter(({ replaced }) => replaced.length);
  const lines = [
    needs && [html`<a href="/review">${count(needs, "thing")} ${needs === 1 ? "needs" : "need"} you</a>`, ""],
    ...due.slice(0, SHOWN).map(({ on, atom }) => [link(atom), until(on, briefing.day)]),
    ...turned.slice(0, SHOWN).map(({ atom, replaced: [old] }) => [old.change ? link(atom, changeOf({ change: old.change })) : html`<s dir="auto">${shorten(old.content, 60)}</s> → ${link(atom)}`, day(old.replaced_on ?? atom.observed_at)]),
    ...answerable.slice(0, 1).map(({ question, atom }) => [html`<q class="quiet" dir="auto">${shorten(question, 60)}</q> ${link(atom)}`, "you asked"]),
    ...before.slice(0, 1).map(({ years, atom }) => [link(atom), years === 1 ? "a year ago" : `${years} years ago`]),
    idea && [html`${link(idea.atom)} <span class="quiet">because: ${idea.because.map((atom, at) => html`${at ? " · " : ""}${link(atom)}`)}</span>`, "an idea"],
  ].filter(Boolean);
  if (!lines.length) return nothing;
  return html`<section class="strip" aria-label="Today">
    <ul>${lines.map(([words, when]) => html`<li><span class="quiet">${when}</span><span>${words}</span></li>`)}</ul>
  </section>`;
}

const until = (on, today) => NEAR.format(Math.round((Date.parse(on) - Date.parse(today)) / 86_400_000), "day");
