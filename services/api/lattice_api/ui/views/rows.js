// Memories in rows, with their day in a narrow column, grouped by month; and a change as old → new. Rows are links to `/m/<id>`.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { became } from "/ui/memories.js";
import { addressOf } from "/ui/router.js";
import { dated, day, isConcluded, meant, place, placeOf, shorten } from "/ui/words.js";

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const MONTH_ONLY = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });
const DAY_IN_MONTH = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

const ISO_DAY = new Intl.DateTimeFormat("sv");

/** "2026-05-14" of a date, and "2026-05" of a moment, where the browser is. */
export const isoDay = (date) => ISO_DAY.format(date);
export const monthOf = (moment) => isoDay(new Date(moment)).slice(0, 7);

/** "May 2026" of "2026-05". */
export const monthName = (month) => MONTH.format(new Date(`${month}-01T00:00:00Z`));
export const monthOnly = (month) => MONTH_ONLY.format(new Date(`${month}-01T00:00:00Z`));

/** Minutes that the browser is ahead of UTC, as the API takes them. */
export const offset = () => -new Date().getTimezoneOffset();

/** The start of a day written as 2026-05-14, where the browser is; `plus` days later. */
export function dayStart(text, plus = 0) {
  const [year, month, date] = text.split("-").map(Number);
  return new Date(year, month - 1, date + plus).toISOString();
}

/** A text with the words of `marked` (lower case) marked. */
export function highlighted(text, marked) {
  if (!marked?.length) return text;
  const pattern = new RegExp(`(${marked.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "iu");
  return text.split(pattern).map((part, at) => (at % 2 ? html`<mark>${part}</mark>` : part));
}

/** One memory. `chosen` is null outside of choosing; `onChoose` is called with the memory and the event. `inMonth`: its month stands
 * above it, and the day alone says when it was said. `more` stands behind it; `struck`: it is not so any more; `own`: the day is that which it is about; where it was said is not said again after the row
 * `before`. */
export const row = (atom, { chosen = null, onChoose, marked, inMonth = false, more = nothing, before, own = false, struck = atom.is_superseded } = {}) => html`<li class="row ${struck ? "replaced" : ""}">
  ${chosen === null
    ? nothing
    : html`<label class="pick"><input type="checkbox" aria-label=${shorten(atom.content, 80)} .checked=${chosen} @click=${(event) => onChoose(atom, event)} /></label>`}
  <a class="memory" data-atom=${atom.atom_id} href=${addressOf.memory(atom.atom_id)}>
    <time datetime=${own && atom.valid_from ? atom.valid_from : atom.observed_at}>${own && atom.valid_from ? dated(atom.valid_from, atom.date_phrase) : inMonth ? DAY_IN_MONTH.format(new Date(atom.observed_at)) : day(atom.observed_at)}</time>
    <span class="content" dir="auto">${highlighted(atom.content, marked)}</span>${became(atom)}
    <span class="where">${whereAfter(atom, before)}</span>
  </a>${more}
</li>`;

/** Where it was said; nothing where that was here, as most is. */
const where = (atom) => (place(atom) === placeOf("page") ? "" : shorten(place(atom), 40));

const asWhat = (atom) => [meant(atom), isConcluded(atom) ? "concluded" : "", atom.archived ? "archived" : ""].filter(Boolean).join(" · ");

/** How it is meant and where it was said: that not again after the row `before`, so that it holds until another place is named. */
function whereAfter(atom, before) {
  const again = before && where(before) === where(atom);
  const here = where(atom) || (before && !again && !isConcluded(atom) ? placeOf("page") : "");
  return again ? html`${asWhat(atom)}<span class="sr"> ${here}</span>` : [asWhat(atom), here].filter(Boolean).join(" · ");
}

/** `options` gives those of one memory. */
export const rows = (atoms, options = () => ({})) => html`<ul class="rows with-year">${atoms.map((atom, at) => row(atom, { before: atoms[at - 1], ...options(atom) }))}</ul>`;

/** [["2026-05", atoms], …] in the order in which they come. */
export function byMonth(atoms) {
  const groups = [];
  for (const atom of atoms) {
    const month = monthOf(atom.observed_at);
    if (groups.at(-1)?.[0] !== month) groups.push([month, []]);
    groups.at(-1)[1].push(atom);
  }
  return groups;
}

/** What was true, and what is now, with the day on which that changed. */
export const change = (old, now, at) => html`<div class="turned">
  <a class="old" dir="auto" href=${addressOf.memory(old.atom_id)}><s>${old.content}</s></a>
  <span class="arrow" aria-label="was replaced by">→</span>
  ${now ? html`<a class="new" dir="auto" href=${addressOf.memory(now.atom_id)}>${now.content}</a>` : html`<span class="quiet">what replaced it is gone</span>`}
  ${at ? html`<time datetime=${at}>${day(at)}</time>` : nothing}
</div>`;
