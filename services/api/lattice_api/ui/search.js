// <lattice-search>: finds what was said while one types; no answer is made. Fires `open-atom` (through the list) and `close-search`.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement } from "/ui/element.js";
import { post } from "/ui/api.js";
import { memories } from "/ui/memories.js";
import { trouble } from "/ui/trouble.js";

const PAUSE = 120; // ms without a key before it searches
const FOUND_AT_MOST = 12;

class Search extends PageElement {
  static properties = { atoms: { state: true }, problem: { state: true } };

  focus() {
    this.querySelector("input").focus();
  }

  render() {
    return html`<search class="search">
      <input
        type="search"
        placeholder="Search what was said"
        aria-label="Search what was said"
        @input=${this.typed}
        @keydown=${(event) => event.key === "Escape" && this.tell("close-search")}
      />
      ${this.problem ? trouble(this.problem) : nothing}
      <div aria-live="polite">
        ${!this.atoms ? nothing : this.atoms.length ? memories(this.atoms) : html`<p class="quiet">Nothing like it was said.</p>`}
      </div>
    </search>`;
  }

  typed(event) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(event.target.value.trim()), PAUSE);
  }

  async find(query) {
    this.latest = query;
    this.problem = null;
    if (!query) {
      this.atoms = null;
      return;
    }
    try {
      const { atoms } = await post("/api/select", { query, limit: FOUND_AT_MOST, include_superseded: true });
      if (query === this.latest) this.atoms = atoms;
    } catch (problem) {
      if (query === this.latest) this.problem = problem;
    }
  }
}

customElements.define("lattice-search", Search);
