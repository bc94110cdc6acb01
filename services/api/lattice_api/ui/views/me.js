// <lattice-me>: what Lattice knows about its owner, lasting and of these weeks, each line leading to where it comes from.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get, request } from "/ui/api.js";
import { addressOf } from "/ui/router.js";
import { count } from "/ui/words.js";
import { row } from "/ui/views/rows.js";
import { View } from "/ui/views/view.js";

const CATEGORIES = { fact: "What is so", preference: "What you like, and what you don’t", instruction: "What you asked for", context: "What is going on" };

class Me extends View {
  static properties = { edited: { state: true } };

  load() {
    return get("/api/profile?limit=12");
  }

  render() {
    return html`<div class="view-head"><h2 tabindex="-1">You</h2></div>
      <p class="quiet">What you said of yourself, as far as it is still so.</p>
      ${this.body()}`;
  }

  all({ lasting, recent, left_out: more }) {
    if (!lasting.length && !recent.length) return html`<p class="quiet nothing">You have not told anything about yourself yet.</p>`;
    return html`${lasting.map((group) => this.group(group))} ${recent.map((group) => this.group(group, "Of these weeks: "))}
      ${more ? html`<p class="quiet">${count(more, "line more has", "lines more have")} no room here. <a class="link" href=${addressOf.list({ standing: "current" })}>all memories</a></p>` : nothing}`;
  }

  group({ category, lines }, before = "") {
    const heading = CATEGORIES[category] ?? category;
    return html`<section class="todos"><h3>${before}${before ? heading.toLowerCase() : heading}</h3><ul class="rows with-year">${lines.map((line, at) => (this.edited === line.atom_id ? this.editor(line) : row(asAtom(line), { before: at ? asAtom(lines[at - 1]) : undefined, more: html`<button class="link" aria-label="Edit: ${line.content}" @click=${() => this.edit(line)}>edit</button>` })))}</ul></section>`;
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
    this.querySelector(".righting input").focus();
  }

  async save(event, id, before) {
    event.preventDefault();
    const content = event.target.querySelector("input").value.trim();
    if (content && content !== before) {
      await this.act("Changed", content, async () => (await (await request("PATCH", `/api/atoms/${id}`, { body: { content, channel: "page" }, headers: { "if-match": "*" } })).json()).change_id);
    }
    if (!this.problem) this.edited = null;
  }
}

/** A line of the profile as a row shows a memory. */
const asAtom = ({ since, source, spoken, ...line }) => ({ ...line, content: spoken, observed_at: since, source_id: source.source_id, metadata: { title: source.title, channel: source.channel } });

customElements.define("lattice-me", Me);
