// <lattice-search>: finds what was said while one types; no answer is made. Fires `open-atom` (through the list) and `close-search`.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement } from "/ui/element.js";
import { post } from "/ui/api.js";
import { memories } from "/ui/memories.js";
import { trouble } from "/ui/trouble.js";

const PAUSE = 120; // ms without a key before it searches
const FOUND_AT_MOST = 12;
const NEAREST = 3; // shown, and called so, where nothing says for sure what was looked for
const DAY = 86_400_000;
const WHEN = [["at any time", 0], ["in the last 7 days", 7], ["in the last 30 days", 30], ["in the last year", 365]];

const kept = { query: "", replaced: true, days: 0 }; // what was looked for last, while the page is open

class Search extends PageElement {
  static properties = { atoms: { state: true }, sure: { state: true }, problem: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    void this.find();
  }

  focus() {
    const field = this.querySelector("input");
    field.focus();
    field.select();
  }

  render() {
    return html`<search class="search" @keydown=${this.moved}>
      <input
        type="search"
        placeholder="Search what was said"
        aria-label="Search what was said"
        dir="auto"
        .value=${kept.query}
        @input=${this.typed}
        @keydown=${(event) => event.key === "Escape" && this.tell("close-search")}
      />
      <p class="filters">
        <select aria-label="When it was said" @change=${(event) => this.narrow({ days: Number(event.target.value) })}>
          ${WHEN.map(([words, days]) => html`<option value=${days} ?selected=${days === kept.days}>${words}</option>`)}
        </select>
        <label><input type="checkbox" .checked=${kept.replaced} @change=${(event) => this.narrow({ replaced: event.target.checked })} /> with what was replaced</label>
      </p>
      ${this.problem ? trouble(this.problem) : nothing}
      <div aria-live="polite">
        ${this.found()}
      </div>
    </search>`;
  }

  found() {
    if (!this.atoms) return nothing;
    if (!this.atoms.length) return html`<p class="quiet">Nothing like it was said.</p>`;
    if (this.sure) return memories(this.atoms, undefined, kept.query);
    return html`<p class="quiet">Nothing is about that for sure; these are the nearest.</p>${memories(this.atoms.slice(0, NEAREST), undefined, kept.query)}`;
  }

  typed(event) {
    kept.query = event.target.value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), PAUSE);
  }

  narrow(filter) {
    Object.assign(kept, filter);
    void this.find();
  }

  /** ↑ and ↓ go from the field through what was found, Enter opens the first. */
  moved(event) {
    const places = [this.querySelector("input"), ...this.querySelectorAll(".memory")];
    const at = places.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && at >= 0) {
      event.preventDefault();
      places[Math.min(Math.max(at + step, 0), places.length - 1)].focus();
    } else if (event.key === "Enter" && at === 0) {
      places[1]?.click();
    }
  }

  async find() {
    const query = kept.query.trim();
    const asked = (this.latest = Symbol()); // what is found for an earlier one is not shown
    this.problem = null;
    if (!query) {
      this.atoms = null;
      return;
    }
    const filter = kept.days ? { after: new Date(Date.now() - kept.days * DAY).toISOString() } : {};
    try {
      const { atoms, answerable } = await post("/api/select", { query, limit: FOUND_AT_MOST, include_superseded: kept.replaced, judged: true, filter });
      if (asked === this.latest) Object.assign(this, { atoms, sure: answerable || atoms.some((atom) => says(atom, query)) });
    } catch (problem) {
      if (asked === this.latest) this.problem = problem;
    }
  }
}

/** Whether a memory holds every word that was looked for: that is no guess, however little else it says. */
function says({ content }, query) {
  const said = content.toLowerCase();
  return query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).every((word) => said.includes(word));
}

customElements.define("lattice-search", Search);
