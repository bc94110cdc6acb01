// <lattice-me>: what Lattice knows about its owner, lasting and of these weeks, each line leading to where it comes from.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get, send } from "/ui/api.js";
import { button, fields } from "/ui/element.js";
import { addressOf } from "/ui/router.js";
import { count } from "/ui/words.js";
import { row } from "/ui/views/rows.js";
import { View, heading, none } from "/ui/views/view.js";

const CATEGORIES = { fact: "What is so", preference: "What you like, and what you don’t", instruction: "What you asked for", context: "What is going on" };

class Me extends View {
  static properties = fields("edited");

  load() {
    return get("/api/profile?limit=12");
  }

  render() {
    return html`${heading("You")}
      <p class="quiet">What you said of yourself, as far as it is still so.</p>
      ${this.body()}`;
  }

  all({ lasting, recent, left_out: more }) {
    if (!lasting.length && !recent.length) return none("You have not told anything about yourself yet.");
    return html`${lasting.map((group) => this.group(group))} ${recent.map((group) => this.group(group, "Of these weeks: "))}
      ${more ? html`<p class="quiet">${count(more, "line more has", "lines more have")} no room here. <a class="link" href=${addressOf.list({ standing: "current" })}>all memories</a></p>` : nothing}`;
  }

  group({ category, lines }, before = "") {
    const words = CATEGORIES[category] ?? category;
    return html`<section class="todos"><h3>${before}${before ? words.toLowerCase() : words}</h3><ul class="rows with-year">${lines.map((line, at) => (this.edited === line.atom_id ? this.editor(line) : row(asAtom(line), { before: at ? asAtom(lines[at - 1]) : undefined, more: button("edit", () => this.edit(line), false, `Edit: ${line.content}`) })))}</ul></section>`;
  }

  editor({ atom_id: id, content }) {
    return html`<li><form class="righting" @submit=${(event) => this.save(event, id, content)}>
      <input aria-label="What should it say?" dir="auto" .value=${content} @keydown=${(event) => event.key === "Escape" && (event.preventDefault(), (this.edited = null))} />
      <button class="link" ?disabled=${this.busy}>save</button>
    </form></li>`;
  }

  async edit({ atom_id: id }) {
    this.edited = id;
    await this.updateComplete;
    this.$(".righting input").focus();
  }

  async save(event, id, before) {
    event.preventDefault();
    const content = event.target.querySelector("input").value.trim();
    if (content && content !== before) {
      await this.act("Changed", content, () => send("PATCH", `/api/atoms/${id}`, { content, channel: "page" }, { "if-match": "*" }));
    }
    if (!this.problem) this.edited = null;
  }
}

/** A line of the profile as a row shows a memory. */
const asAtom = ({ since, source, spoken, ...line }) => ({ ...line, content: spoken, observed_at: since, source_id: source.source_id, metadata: { title: source.title, channel: source.channel } });

customElements.define("lattice-me", Me);
