// <lattice-source>: a whole document or conversation. Sentences that something was remembered from are marked, and lead to the
// memory; pages can be jumped to; long texts come in stretches.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get, quoted, toTrash } from "/ui/api.js";
import { openOriginal } from "/ui/files.js";
import { became } from "/ui/memories.js";
import { addressOf, go } from "/ui/router.js";
import { count, day, inMemories, placeOf } from "/ui/words.js";
import { View, heading, none } from "/ui/views/view.js";

const STRETCH = 20_000; // characters fetched at once

class Source extends View {
  async load() {
    const id = this.view.which;
    if (!isCapture(id)) {
      const source = await get(`/api/sources/${quoted(id)}`).catch((problem) => {
        if (problem.status !== 404) throw problem;
      });
      if (!source) return {}; // all of it was forgotten
      if (source.captures.length > 1) return { source };
      return this.stretch(source.captures[0].capture_id, 0);
    }
    return this.stretch(id, Number(this.view.query.get("from")) || 0);
  }

  async stretch(captureId, start) {
    const found = await get(`/api/captures/${quoted(captureId)}/text?start=${start}&limit=${STRETCH}`);
    const at = this.view.query.get("at"); // a memory whose sentence is looked for
    const inside = found.remembered.some((each) => each.atom_id === at);
    if (!at || inside || this.view.query.has("from") || found.total <= STRETCH) return { text: found };
    const { source_span: span } = await get(`/api/atoms/${quoted(at)}`).catch(() => ({}));
    return span && span.start >= STRETCH ? { text: await get(`/api/captures/${captureId}/text?start=${Math.max(0, span.start - 2000)}&limit=${STRETCH}`) } : { text: found };
  }

  updated(changed) {
    super.updated();
    const at = this.view.query.get("at");
    if (!changed.has("shown") || !at || this.seen === this.view.path) return;
    const mark = [...this.querySelectorAll("[data-atom]")].find((each) => each.dataset.atom === at);
    if (!mark) return;
    this.seen = this.view.path;
    mark.scrollIntoView({ block: "center" });
    mark.focus({ preventScroll: true });
  }

  render() {
    return this.body(({ text, source }) => (text ? this.whole(text) : source ? this.several(source) : none("Nothing of it is left.")));
  }

  several({ source_id: id, captures, memories }) {
    return html`${heading(id, html`<span class="more">${this.forgetAll(id, memories)}</span>`)}
      <p class="quiet">${inMemories(memories)} in ${count(captures.length, "part")}. <a href=${addressOf.list({ source: id })}>list them</a></p>
      <ul class="rows with-year">
        ${captures.map(
          (each) => html`<li class="row"><a class="memory" href=${addressOf.source(each.capture_id)}>
            <time datetime=${each.observed_at}>${day(each.observed_at)}</time>
            <span class="content" dir="auto">${each.title || each.opening || "What was told"}</span><span class="where">${inMemories(each.memories)}</span></a></li>`,
        )}
      </ul>`;
  }

  whole(text) {
    const { title, observed_at: at, memories, original, capture_id: id, channel, places } = text;
    return html`
      ${heading(title || "What was told")}
      <p class="quiet">${[day(at), channel && placeOf(channel), inMemories(memories)].filter(Boolean).join(" · ")}</p>
      <p class="actions">
        ${memories ? html`<a class="link" href=${addressOf.list({ source: id })}>list what was remembered</a>` : nothing}
        ${original ? html`${this.button("open the original", () => this.act("", "", () => openOriginal(id, original)))}` : nothing}
        ${this.forgetAll(id, memories)}
      </p>
      ${places.length > 1 ? this.pages(places, text) : nothing}
      ${text.start > 0 ? html`<p>${this.step("↑ what comes before", Math.max(0, text.start - STRETCH))}</p>` : nothing}
      ${text.total ? html`<div class="document" dir="auto">${this.marked(text)}</div>` : none("Nothing of it could be read yet.")}
      ${this.end(text) < text.total ? html`<p>${this.step("↓ what comes after", this.end(text))}</p>` : nothing}
    `;
  }

  end = (text) => text.start + Array.from(text.text).length;

  step = (words, from) => html`<a class="link" href=${`${this.view.path.split("?")[0]}?from=${from}`}>${words}</a>`;

  pages(places, text) {
    const here = places.findLast((place) => place.start <= text.start) ?? places[0];
    return html`<select class="scrubber" aria-label="Go to a page" @change=${(event) => this.toPlace(Number(event.target.value), text)}>
      ${places.map((place) => html`<option value=${place.start} ?selected=${place === here}>${place.label}</option>`)}
    </select>`;
  }

  toPlace(start, text) {
    const mark = this.$(`[data-place="${start}"]`);
    if (mark && start >= text.start) mark.scrollIntoView({ block: "start" });
    else go(`${this.view.path.split("?")[0]}?from=${start}`);
  }

  /** The text in pieces: names of who speaks and of pages where they begin, and links where something was remembered. */
  marked(text) {
    const characters = Array.from(text.text); // the server counts code points
    const end = text.start + characters.length;
    const cut = (from, to) => characters.slice(from - text.start, to - text.start).join("");
    const labels = new Map(text.places.filter((place) => place.start >= text.start && place.start < end).map((place) => [place.start, place.label]));
    const edges = new Set([text.start, end, ...labels.keys()]);
    for (const each of [...text.remembered, ...text.turns]) {
      for (const at of [each.start, each.end]) if (at > text.start && at < end) edges.add(at);
    }
    const order = [...edges].sort((a, b) => a - b);
    return order.slice(0, -1).map((from, n) => {
      const words = cut(from, order[n + 1]);
      const label = labels.get(from);
      const memory = text.remembered.find((each) => each.start <= from && each.end > from);
      return html`${label ? html`<span class="page-label" data-place=${from}>${label}</span>` : nothing}${memory
        ? html`<a class="said-here ${memory.is_superseded ? "replaced" : ""}" data-atom=${memory.atom_id} href=${addressOf.memory(memory.atom_id)} title=${memory.content}><mark>${words}</mark></a>${memory.end === order[n + 1] ? became(memory) : nothing}`
        : words}`;
    });
  }

  forgetAll(source, memories) {
    return memories ? this.button("forget all from this", () => this.forget(source, memories)) : nothing;
  }

  forget(source, memories) {
    return this.act(`${inMemories(memories)} in the trash`, this.shown.text?.title ?? source, () => toTrash({ source }));
  }
}

const isCapture = (id) => /^[0-9a-hjkmnp-tv-z]{26}$/.test(id);

customElements.define("lattice-source", Source);
