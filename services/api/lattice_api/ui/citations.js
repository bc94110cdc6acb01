// Answers with their citations: small numbers that show the quote on hover or focus, and open the source on a click.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { became } from "/ui/memories.js";
import { hideQuote, showQuote } from "/ui/quote.js";
import { addressOf } from "/ui/router.js";
import { cut, day, place, shorten } from "/ui/words.js";

const LONGEST_KEPT = 24; // characters of a word that stay together with its number
const LINK_LAST = /https?:\/\/\S*$/;
const NUMBERS = /[ \t]*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

/** The answer as texts, each followed by the citations that stand after it. Numbers that cite nothing stay the text they are
 * (somebody may have written "[24]"). */
function parts(answer, cited) {
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

/** The answer's text with its citation numbers; while it streams, numbers have no quote yet. `styled` gives the words between them in pieces. */
function withNumbers(answer, citations, styled = (text) => [text]) {
  const cited = new Map(citations.map((citation) => [citation.n, citation]));
  const runs = parts(answer, cited);
  const shown = [];
  for (let at = 0; at < runs.length; at++) {
    if (typeof runs[at] !== "string") continue;
    const numbers = [];
    while (typeof runs[at + 1] === "object") numbers.push(runs[++at]);
    if (!numbers.length) {
      shown.push(styled(runs[at]));
      continue;
    }
    // the last word, its numbers and the full stop after them stay on one line
    const text = runs[at - numbers.length];
    const word = LINK_LAST.test(text) ? "" : /\S*$/.exec(text)[0].slice(-LONGEST_KEPT);
    const stop = /^[.,;:!?)”’"]*/.exec(runs[at + 1] ?? "")[0];
    runs[at + 1] = (runs[at + 1] ?? "").slice(stop.length);
    shown.push(styled(text.slice(0, text.length - word.length)), html`<span class="kept">${word}${numbers.map(number)}${stop}</span>`);
  }
  return shown;
}

const DOUBTS = { uncited: "without a source in your memory" };

/** An answer: its lists, and in what a language model wrote its headings, tables, bold words and code. It is never HTML: each
 * piece is text, and an address in it opens nothing before it is clicked. `[start, end)` of a doubt is counted in characters. */
export function written(answer, citations, doubts, byModel) {
  const styled = byModel ? emphasised : undefined;
  const inline = ({ text, at }) => withDoubts(text, citations, within(doubts, at, at + Array.from(text).length), styled);
  return blocks(answer, byModel).map(({ kind, rows }) => {
    if (kind === "list") return html`<ul class="points">${rows.map((row) => html`<li>${inline(row)}</li>`)}</ul>`;
    if (kind === "steps") return html`<ol class="points">${rows.map((row) => html`<li>${inline(row)}</li>`)}</ol>`;
    if (kind === "heading") return html`<p class="heading">${inline(rows[0])}</p>`;
    if (kind === "table") return table(rows, inline);
    return html`<p>${rows.map((row, n) => (n ? ["\n", inline(row)] : inline(row)))}</p>`;
  });
}

const KINDS = [
  ["list", /^\s*[-*•]\s+(?=\S)/, false],
  ["steps", /^\s*\d{1,2}[.)]\s+(?=\S)/, true],
  ["heading", /^#{1,4}\s+(?=\S)/, true],
  ["table", /^(?=\s*\|.*\|\s*$)/, true],
]; // kind, what a line of it begins with, whether a model alone writes it

/** The lines of an answer as paragraphs, lists and tables; `at` is where the words of a line begin, in characters. */
function blocks(answer, byModel) {
  const found = [];
  let at = 0;
  for (const line of answer.split("\n")) {
    const [kind, mark] = KINDS.find(([, mark, models]) => (byModel || !models) && mark.test(line)) ?? ["text", /^/];
    const lead = mark.exec(line)[0];
    const row = { text: line.slice(lead.length), at: at + Array.from(lead).length };
    const last = found.at(-1);
    if (!line.trim()) found.push({ kind: "gap", rows: [] });
    else if (last?.kind === kind && kind !== "heading") last.rows.push(row);
    else found.push({ kind, rows: [row] });
    at += Array.from(line).length + 1;
  }
  return found.filter(({ kind }) => kind !== "gap");
}

function table(rows, inline) {
  const cells = rows.filter(({ text }) => !/^[\s|:-]+$/.test(text)).map(({ text, at }) => cellsOf(text, at));
  const [head, ...body] = cells;
  return html`<div class="table"><table>
    <thead><tr>${(head ?? []).map((cell) => html`<th>${inline(cell)}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function cellsOf(line, start) {
  const cells = [];
  let at = start;
  for (const part of line.split("|")) {
    const lead = part.length - part.trimStart().length;
    cells.push({ text: part.trim(), at: at + lead });
    at += Array.from(part).length + 1;
  }
  return cells.slice(1, -1); // a row begins and ends with a bar
}

/** Those parts of doubts that lie in `[start, end)`, counted from `start`. */
const within = (doubts, start, end) =>
  doubts.filter((doubt) => doubt.start < end && doubt.end > start).map((doubt) => ({ ...doubt, start: Math.max(doubt.start, start) - start, end: Math.min(doubt.end, end) - start }));

const MARKUP = /(\*\*[^*\n]+\*\*|`[^`\n]+`|(?<!!)\[[^\]\n]+\]\(https?:\/\/[^\s()]+\)|https?:\/\/[^\s<>"'()[\]]*[^\s<>"'()[\].,;:!?])/;

/** `**bold**`, `code` and links of a model's markdown. */
function emphasised(text) {
  return text.split(MARKUP).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part.startsWith("**")) return html`<b>${part.slice(2, -2)}</b>`;
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    const [, words, address] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return outside(address ?? part, words);
  });
}

/** An address that a model wrote: nothing is fetched, and there is nothing to follow by mistake. A click shows where it leads. */
function outside(address, words) {
  const url = URL.parse(address);
  if (!url) return words ?? address;
  return html`<details class="outside" data-address=${url.href} @toggle=${revealed}><summary>${words ? html`${words} <span class="where">${url.host}</span>` : address}</summary></details>`;
}

function revealed({ currentTarget: link }) {
  if (link.querySelector("a")) return;
  const leads = document.createElement("a");
  leads.href = leads.textContent = link.dataset.address;
  [leads.target, leads.rel] = ["_blank", "noopener noreferrer nofollow"];
  link.append(leads);
}

/** The answer with its citation numbers, and its sentences marked that memory does not bear out. */
function withDoubts(answer, citations, doubts, styled) {
  const shown = [];
  let rest = answer;
  for (const { start, end, reason, words } of [...doubts].sort((a, b) => b.start - a.start)) {
    const [before, sentence, after] = cut(rest, start, end);
    const why = words ? `Not in your memory: ${words}` : "Not in your memory";
    shown.unshift(
      html`<span class="doubt" title=${why}>${withNumbers(sentence, citations, styled)}<small> ${DOUBTS[reason] ?? "not in your memory"}</small></span>`,
      withNumbers(after, citations, styled),
    );
    rest = before;
  }
  return [withNumbers(rest, citations, styled), ...shown];
}

/** An answer as it is read aloud: without its numbers. */
export const spoken = (answer) => answer.replace(NUMBERS, "");

const number = (citation) => html`<a
  class="cite ${citation.supported === false ? "unsure" : ""}"
  href=${addressOf.memory(citation.atom_id)}
  aria-label=${named(citation)}
  @pointerenter=${(event) => event.pointerType === "mouse" && showQuote(event.currentTarget, citation)}
  @pointerleave=${hideQuote}
  @focus=${(event) => event.currentTarget.matches(":focus-visible") && showQuote(event.currentTarget, citation)}
  @blur=${hideQuote}
>${citation.n}</a>`;

const named = ({ n, quote }) => `Source ${n}: “${shorten(quote, 200)}”`;

/** The list below an answer: each quote with where and when it was said. One that only repeats the answer is its number alone,
 * in a line with the others that were said there and then. */
export function sources(citations, atoms, answer) {
  if (!citations.length) return nothing;
  const byId = new Map((atoms ?? []).map((atom) => [atom.atom_id, atom]));
  const where = (citation) => [place(byId.get(citation.atom_id) ?? {}), day(citation.observed_at)].filter(Boolean).join(", ");
  const said = wordsOf(answer);
  const folded = citations.filter((citation) => !citation.now && !byId.get(citation.atom_id)?.successor && citation.supported !== false && [...wordsOf(citation.quote)].every((word) => said.has(word)));
  const quoted = citations.filter((citation) => !folded.includes(citation));
  const groups = Map.groupBy(folded, where);
  return html`<ol class="sources">
    ${quoted.map((citation, at) => {
      const here = where(citation);
      const again = at > 0 && here === where(quoted[at - 1]); // said once
      return html`<li>
        <a class="source" href=${addressOf.memory(citation.atom_id)}>
          <span class="n" aria-hidden="true">${citation.n}</span>
          <span dir="auto">${citation.now
            ? html`<s>${shorten(citation.quote, 160)}</s> → <q>${shorten(citation.now, 160)}</q>`
            : html`<q>${shorten(citation.quote, 160)}</q> ${became(byId.get(citation.atom_id) ?? {})}`}
            ${citation.supported === false ? html`<span class="unsure-words">not fully backed by this</span>` : nothing}</span>
          <span class="where ${again ? "sr" : ""}">${here}</span>
        </a>
      </li>`;
    })}
    ${groups.size ? html`<li class="folded">${[...groups].map(([here, those]) => html`<span class="kept">${those.map((each, at) => folding(each, here, at + 1 < those.length))}</span> `)}</li>` : nothing}
  </ol>`;
}

/** The number of a source that only repeats the answer, and behind the last of those that were said there and then, where that was. */
const folding = (citation, here, isFollowed) => html`<a class="source" href=${addressOf.memory(citation.atom_id)} aria-label="${named(citation)}, ${here}" title=${citation.quote}><span class="n">${citation.n}</span>${isFollowed ? nothing : here}</a>`;

const PERSONS = new Set("i you my your me mine yours am are was were we our us".split(" ")); // an answer speaks to its owner

const wordsOf = (text) => new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !PERSONS.has(word)));
