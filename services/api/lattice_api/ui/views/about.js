// <lattice-about>: all about one person, animal, place or thing: what is so now, how it changed, whom and what it goes with, where
// it was said; and a box that asks and searches within it.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { fromPage, get, quoted } from "/ui/api.js";
import { fields } from "/ui/element.js";
import { addressOf, go } from "/ui/router.js";
import { day, inMemories } from "/ui/words.js";
import { change, rows } from "/ui/views/rows.js";
import { View, heading, none, part } from "/ui/views/view.js";

const NOW = 30;
const BEFORE = 20;

class About extends View {
  static properties = fields("answer somebody");

  async load() {
    if (this.asked !== this.view.path) [this.asked, this.answer, this.somebody] = [this.view.path, null, null];
    const about = quoted(this.view.which);
    void this.identify(this.view.which);
    const [now, before, beside] = await Promise.all([
      get(`/api/atoms?about=${about}&standing=current&concluded=false&limit=${NOW}`),
      get(`/api/atoms?about=${about}&standing=replaced&limit=${BEFORE}`),
      get(`/api/names/beside?name=${about}`),
    ]);
    const named = wordsOf(this.view.which);
    const others = beside.names.filter(({ name }) => !named.every((word) => wordsOf(name).includes(word))); // “sister Nora” is Nora
    return { now, changes: before.atoms, beside: others, sources: sourcesOf([...now.atoms, ...before.atoms]) };
  }

  /** Who it is takes long to say where very many names are one; all else is shown meanwhile. */
  async identify(name) {
    try {
      const { entities } = await get(`/api/entities?named=${quoted(name.slice(0, 200))}&limit=100`);
      if (name === this.view.which) this.somebody = entities.find(({ names }) => names.some((each) => same(each, name)));
    } catch (problem) {
      this.problem = problem;
    }
  }

  render() {
    return html`${heading(this.view.which)} ${this.body()}`;
  }

  all({ now, changes, beside, sources }) {
    const [name, who] = [this.view.which, this.somebody];
    if (!now.total && !changes.length && !who) return none(`Nothing is remembered about ${name}.`);
    return html`
      ${who ? this.who(who) : nothing}
      <search class="list-search"><form @submit=${this.search}>
        <input type="search" name="q" placeholder="Ask or search within this" aria-label="Ask or search what is remembered about ${name}" dir="auto" />
        <button class="link">ask</button> <button class="link" name="does" value="search">search</button>
      </form></search>
      <div class="within" aria-live="polite">${this.answer ? this.answered(this.answer) : nothing}</div>
      ${part("So now", html`${now.atoms.length ? rows(now.atoms) : html`<p class="quiet">Nothing that is still so.</p>`}
        ${now.total > now.atoms.length ? html`<p><a class="link" href=${addressOf.list({ about: name })}>all ${now.total}</a></p>` : nothing}`)}
      ${changes.length ? part("How it changed", html`${changes.map((old) => change(old, old.successor, old.successor?.on))} ${changes.length === BEFORE ? html`<p><a class="link" href=${addressOf.list({ about: name, standing: "replaced" })}>all that was replaced</a></p>` : nothing}`) : nothing}
      ${beside.length
        ? part("Goes with", html`<ul class="chips">${beside.map((each) => html`<li><a class="chip" dir="auto" href=${addressOf.about(each.name)}>${each.name} <span class="quiet">${each.count}</span></a></li>`)}</ul>`)
        : nothing}
      ${sources.length
        ? part("Where it was said", html`<ul class="plain-list">${sources.map(([id, words, many]) => html`<li><a href=${addressOf.source(id)} dir="auto">${words}</a> <span class="quiet">${inMemories(many)}</span></li>`)}</ul>`)
        : nothing}
      <p class="actions"><a class="link" href=${addressOf.list({ about: name })}>list all</a> <a class="link" href="/graph?about=${quoted(name)}">map</a> <a class="link" href="/when?about=${quoted(name)}">over time</a></p>
      ${this.merging(name)}
    `;
  }

  /** What it is, what it is to its owner, and what else it is called. */
  who({ kind, roles, names }) {
    const others = names.filter((name) => !same(name, this.view.which));
    const held = roles.map((role) => toOwner(role.until ? `${role.phrase} until ${day(role.until)}` : role.phrase));
    return html`<p class="quiet">${[kind === "unknown" ? "" : kind, ...held].filter(Boolean).join(" · ")}</p>
      ${others.length
        ? html`<ul class="plain-list">${others.map((name) => html`<li>also called ${name} ${this.button("that is another", () => this.correct("split", name), `${name} is somebody or something else`)}</li>`)}</ul>`
        : nothing}`;
  }

  merging(name) {
    return html`<details class="joining"><summary>the same as another name?</summary><form class="inline" @submit=${this.merge}>
      <label>${name} is the same as <input name="other" required maxlength="200" autocomplete="off" placeholder="another name" /></label>
      <button class="link" ?disabled=${this.busy}>join</button>
    </form></details>`;
  }

  async merge(event) {
    event.preventDefault();
    const form = event.target;
    await this.correct("merge", new FormData(form).get("other").trim());
    if (!this.problem) form.reset();
  }

  correct(how, other) {
    const name = this.view.which;
    const words = how === "merge" ? `${name} and ${other} are one` : `${name} and ${other} are two`;
    return this.act(words, "", () => fromPage(`/api/entities/${how}`, { name, other }));
  }

  answered({ answer, citations, atoms = [], model, within, sources, written }) {
    if (!within) return html`<p class="answer">I don’t know. Nothing you have told me about ${this.view.which} answers this.</p>`;
    return html`<div class="answer written" dir="auto">${written(answer, citations, [], Boolean(model))}</div>${sources(citations, atoms, answer)}`;
  }

  /** An answer that rests on what is remembered about this name, or a list of what fits. “Her” and “it” are whom the page is about. */
  async search(event) {
    event.preventDefault();
    const q = new FormData(event.target).get("q").trim();
    if (!q) return;
    if (event.submitter?.value === "search") return go(addressOf.list({ about: this.view.which, q }));
    await this.attempt(async () => {
      const name = this.view.which;
      const answer = await fromPage("/api/answer", { query: q, history: [{ question: `Who is ${name}?`, answer: `${name}.` }] });
      const ids = answer.citations.map(({ atom_id: id }) => `&ids=${quoted(id)}`).join("");
      const { total } = ids && answer.answered ? await get(`/api/atoms?about=${quoted(name)}&limit=1${ids}`) : { total: 0 };
      const { sources, written } = (await import("/ui/talk.js")).default;
      if (name === this.view.which) this.answer = { ...answer, within: total > 0, sources, written };
    });
  }
}

const same = (one, other) => one.toLowerCase() === other.toLowerCase();

const wordsOf = (name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

const toOwner = (phrase) => phrase.replace(/^my\b/i, "your");

/** [[id, name, how many], …] of named sources; what has a title of its own is a part of its source. */
function sourcesOf(atoms) {
  const found = new Map();
  for (const { source_id: source, capture_id: part, metadata } of atoms) {
    const id = metadata?.title ? part : source;
    if (id) found.set(id, [id, metadata?.title || source, (found.get(id)?.[2] ?? 0) + 1]);
  }
  return [...found.values()].sort((a, b) => b[2] - a[2]).slice(0, 12);
}

customElements.define("lattice-about", About);
