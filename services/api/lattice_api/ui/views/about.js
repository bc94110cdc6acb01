// <lattice-about>: all about one person, animal, place or thing: what is so now, how it changed, whom and what it goes with, where
// it was said; and a search within it.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";
import { addressOf, go } from "/ui/router.js";
import { count } from "/ui/words.js";
import { change, rows } from "/ui/views/rows.js";
import { View } from "/ui/views/view.js";

const NOW = 30;
const BEFORE = 20;

class About extends View {
  async load() {
    const about = encodeURIComponent(this.view.which);
    const [now, before, beside] = await Promise.all([
      get(`/api/atoms?about=${about}&standing=current&limit=${NOW}`),
      get(`/api/atoms?about=${about}&standing=replaced&limit=${BEFORE}`),
      get(`/api/names/beside?name=${about}`),
    ]);
    const successors = await Promise.all(before.atoms.map(({ superseded_by: id }) => (id ? get(`/api/atoms/${id}`).catch(() => null) : null)));
    const changes = before.atoms.map((old, at) => ({ old, now: successors[at] }));
    return { now, changes, beside: beside.names, sources: sourcesOf([...now.atoms, ...before.atoms]) };
  }

  render() {
    return html`<div class="view-head"><h2 tabindex="-1" dir="auto">${this.view.which}</h2></div>
      ${this.trouble()} ${this.shown ? this.all(this.shown) : this.problem ? nothing : html`<p class="quiet waiting">Looking …</p>`}`;
  }

  all({ now, changes, beside, sources }) {
    const name = this.view.which;
    if (!now.total && !changes.length) return html`<p class="quiet nothing">Nothing is remembered about ${name}.</p>`;
    return html`
      <search class="list-search"><form @submit=${this.search}>
        <input type="search" name="q" placeholder="Search within this" aria-label="Search what is remembered about ${name}" />
      </form></search>
      <section class="todos"><h3>So now</h3>
        ${now.atoms.length ? rows(now.atoms) : html`<p class="quiet">Nothing that is still so.</p>`}
        ${now.total > now.atoms.length ? html`<p><a class="link" href=${addressOf.list({ about: name })}>all ${now.total}</a></p>` : nothing}
      </section>
      ${changes.length ? html`<section class="todos"><h3>How it changed</h3>${changes.map(({ old, now: next }) => change(old, next, next?.observed_at))}</section>` : nothing}
      ${beside.length
        ? html`<section class="todos"><h3>Goes with</h3><ul class="chips">${beside.map((each) => html`<li><a class="chip" href=${addressOf.about(each.name)}>${each.name} <span class="quiet">${each.count}</span></a></li>`)}</ul></section>`
        : nothing}
      ${sources.length
        ? html`<section class="todos"><h3>Where it was said</h3><ul class="plain-list">${sources.map(([id, words, many]) => html`<li><a href=${addressOf.source(id)}>${words}</a> <span class="quiet">${count(many, "memory", "memories")}</span></li>`)}</ul></section>`
        : nothing}
      <p class="source-actions"><a class="link" href=${addressOf.list({ about: name })}>list all</a> <a class="link" href="/graph?about=${encodeURIComponent(name)}">map</a></p>
    `;
  }

  search(event) {
    event.preventDefault();
    const q = new FormData(event.target).get("q").trim();
    if (q) go(addressOf.list({ about: this.view.which, q }));
  }
}

/** [[id, name, how many], …] of named sources. */
function sourcesOf(atoms) {
  const found = new Map();
  for (const { source_id: id, metadata } of atoms) if (id) found.set(id, [id, metadata?.title || id, (found.get(id)?.[2] ?? 0) + 1]);
  return [...found.values()].sort((a, b) => b[2] - a[2]).slice(0, 12);
}

customElements.define("lattice-about", About);
