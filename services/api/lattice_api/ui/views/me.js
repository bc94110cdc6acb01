// <lattice-me>: what Lattice knows about its owner, by kind, each line leading to where it comes from.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";
import { addressOf } from "/ui/router.js";
import { rows } from "/ui/views/rows.js";
import { View } from "/ui/views/view.js";

const KINDS = {
  fact: "What is so",
  preference: "What you like, and what you don’t",
  habit: "What you do",
  goal: "What you want",
  belief: "What you believe",
  decision: "What you decided",
  instruction: "What you asked for",
};

class Me extends View {
  load() {
    return get("/api/profile?limit=12");
  }

  render() {
    return html`<div class="view-head"><h2 tabindex="-1">You</h2></div>
      <p class="quiet">In your own words, and as far as it is still so.</p>
      ${this.trouble()} ${this.shown ? this.all(this.shown) : this.problem ? nothing : html`<p class="quiet waiting">Looking …</p>`}`;
  }

  all({ groups }) {
    if (!groups?.length) return html`<p class="quiet nothing">You have not told anything about yourself yet.</p>`;
    return groups.map(
      ({ kind, atoms }) => html`<section class="todos">
        <h3>${KINDS[kind] ?? kind}</h3>
        ${rows(atoms)}
        <p><a class="link" href=${addressOf.list({ kind, standing: "current" })}>all of this kind</a></p>
      </section>`,
    );
  }
}

customElements.define("lattice-me", Me);
