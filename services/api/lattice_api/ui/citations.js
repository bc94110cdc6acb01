// Answers with their citations: small numbers that show the quote on hover or focus, and open the source on a click.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { open as openMemory } from "/ui/memories.js";
import { cut, day, place, shorten } from "/ui/words.js";

const LONGEST_KEPT = 24; // characters of a word that stay together with its number
const NUMBERS = /[ \t]*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

/** The answer as texts, each followed by the citations that stand after it. Numbers that cite nothing stay the text they are
 * (somebody may have written "[24]"). */
export function parts(answer, cited) {
  const found = [];
  let at = 0;
  for (const match of answer.matchAll(NUMBERS)) {
    const numbers = match[1].split(",").map(Number);
    if (!numbers.every((n) => cited.has(n))) continue;
    if (match.index > at || !found.length) found.push(answer.slice(at, match.index));
    found.push(...numbers.map((n) => cited.get(n)));
    at = match.index + match[0].length;
  }
  return [...found, answer.slice(at)];
}

/** The answer's text with its citation numbers; while it streams, numbers have no quote yet. */
export function withNumbers(answer, citations) {
  const cited = new Map(citations.map((citation) => [citation.n, citation]));
  const runs = parts(answer, cited);
  const shown = [];
  for (let at = 0; at < runs.length; at++) {
    if (typeof runs[at] !== "string") continue;
    const numbers = [];
    while (typeof runs[at + 1] === "object") numbers.push(runs[++at]);
    if (!numbers.length) {
      shown.push(runs[at]);
      continue;
    }
    // the last word, its numbers and the full stop after them stay on one line
    const text = runs[at - numbers.length];
    const word = /\S*$/.exec(text)[0].slice(-LONGEST_KEPT);
    const stop = /^[.,;:!?)”’"]*/.exec(runs[at + 1] ?? "")[0];
    runs[at + 1] = (runs[at + 1] ?? "").slice(stop.length);
    shown.push(text.slice(0, text.length - word.length), html`<span class="kept">${word}${numbers.map(number)}${stop}</span>`);
  }
  return shown;
}

const DOUBTS = { uncited: "without a source in your memory" };

/** The answer with its citation numbers, and its sentences marked that memory does not bear out. */
export function withDoubts(answer, citations, doubts) {
  const shown = [];
  let rest = answer;
  for (const { start, end, reason, words } of [...doubts].sort((a, b) => b.start - a.start)) {
    const [before, sentence, after] = cut(rest, start, end);
    const why = words ? `Not in your memory: ${words}` : "Not in your memory";
    shown.unshift(
      html`<span class="doubt" title=${why}>${withNumbers(sentence, citations)}<small> ${DOUBTS[reason] ?? "not in your memory"}</small></span>`,
      withNumbers(after, citations),
    );
    rest = before;
  }
  return [withNumbers(rest, citations), ...shown];
}

/** An answer as it is read aloud: without its numbers. */
export const spoken = (answer) => answer.replace(NUMBERS, "");

const number = (citation) => html`<button
  class="cite ${citation.supported === false ? "unsure" : ""}"
  data-atom=${citation.atom_id}
  aria-label="Source ${citation.n}: “${shorten(citation.quote, 200)}”"
  @pointerenter=${(event) => event.pointerType === "mouse" && showQuote(event.currentTarget, citation)}
  @pointerleave=${hideQuote}
  @focus=${(event) => event.currentTarget.matches(":focus-visible") && showQuote(event.currentTarget, citation)}
  @blur=${hideQuote}
  @click=${open}
>${citation.n}</button>`;

/** The list below an answer: each quote with where and when it was said. */
export function sources(citations, atoms) {
  if (!citations.length) return nothing;
  const byId = new Map((atoms ?? []).map((atom) => [atom.atom_id, atom]));
  return html`<ol class="sources">
    ${citations.map((citation) => {
      const where = [place(byId.get(citation.atom_id) ?? {}), day(citation.observed_at)].filter(Boolean).join(", ");
      return html`<li>
        <div role="button" tabindex="0" class="source" data-atom=${citation.atom_id} @click=${open} @keydown=${open}>
          <span class="n" aria-hidden="true">${citation.n}</span>
          <span dir="auto">${citation.now
            ? html`<s>${shorten(citation.quote, 160)}</s> → <q>${shorten(citation.now, 160)}</q>`
            : html`<q>${shorten(citation.quote, 160)}</q>`} <span class="where">${where}</span>
            ${citation.supported === false ? html`<span class="unsure-words">not fully backed by this</span>` : nothing}</span>
        </div>
      </li>`;
    })}
  </ol>`;
}

function open(event) {
  hideQuote();
  openMemory(event);
}

let shown = null; // the one quote that is open

function showQuote(button, citation) {
  hideQuote();
  shown = document.createElement("div");
  shown.className = "quote-hint";
  shown.setAttribute("role", "tooltip");
  const quote = document.createElement("q");
  quote.textContent = shorten(citation.quote, 240);
  const when = document.createElement("span");
  when.className = "where";
  when.textContent = day(citation.observed_at);
  shown.append(quote, when);
  document.body.append(shown);
  const [near, own] = [button.getBoundingClientRect(), shown.getBoundingClientRect()];
  const left = Math.max(8, Math.min(near.left - 16, innerWidth - own.width - 8));
  const above = near.top - own.height - 8;
  shown.style.left = `${left}px`;
  shown.style.top = `${above >= 8 ? above : near.bottom + 8}px`;
}

/** Whether there was one. */
export function hideQuote() {
  const was = shown !== null;
  shown?.remove();
  shown = null;
  return was;
}
