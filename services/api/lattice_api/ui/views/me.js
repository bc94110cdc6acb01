// <lattice-me>: what Lattice knows about its owner, lasting and of these weeks, each line leading to where it comes from.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { amend, get } from "/ui/api.js";
import { button, fields, oneLine } from "/ui/element.js";
import { addressOf } from "/ui/router.js";
import { row } from "/ui/views/rows.js";
import { View, heading, none, part } from "/ui/views/view.js";

const CATEGORIES = { fact: "What is so", preference: "What you like, and what you don’t", instruction: "What you asked for", context: "What is going on" };

const LINES = 12; // of each category, and all that the API gives
const MOST = 100;

class Me extends View {
  static properties = fields("asking");

  most = LINES;

  load() {
    return get(`/api/profile?limit=${this.most}`);
  }

  render() {
    return html`${heading("You")}
      <p class="quiet">What you said of yourself, as far as it is still so.</p>
      ${this.body()}`;
  }

  all({ lasting, recent }) {
    if (!lasting.length && !recent.length) return none("You have not told anything about yourself yet.");
    const isCut = [...lasting, ...recent].some(({ lines }) => lines.length === this.most);
    return html`${[["Lasting", lasting], ["Of these weeks", recent]].map(([words, groups]) => (groups.length ? part(words, groups.map((group) => this.group(group))) : nothing))}
      ${!isCut ? nothing : this.most < MOST ? html`<p>${button("show all", () => ((this.most = MOST), this.refresh()))}</p>` : html`<p class="quiet">More than this: <a class="link" href=${addressOf.list({ standing: "current" })}>all memories</a></p>`}`;
  }

  group({ category, lines }) {
    return html`<h4 class="quiet">${CATEGORIES[category] ?? category}</h4><ul class="rows with-year">${lines.map((line, at) => (this.asking === line.atom_id ? html`<li>${oneLine("What should it say?", "save", (words) => this.save(line, words), line.content)}</li>` : row(asAtom(line), { before: at ? asAtom(lines[at - 1]) : undefined, more: button("edit", () => this.ask(line.atom_id), false, `Edit: ${line.content}`) })))}</ul>`;
  }

  async save({ atom_id: id, content: before }, content) {
    if (content === null) this.problem = null;
    else if (content && content !== before) await this.act("Changed", content, () => amend(id, { content }));
    if (!this.problem) void this.ask(null);
  }
}

/** A line of the profile as a row shows a memory. */
const asAtom = ({ since, source, spoken, ...line }) => ({ ...line, content: spoken, observed_at: since, source_id: source.source_id, metadata: { title: source.title, channel: source.channel } });

customElements.define("lattice-me", Me);
