// What views have in common: they fetch what they show again when their address changes (`load`, which may reject) and say what
// went wrong where it happened; `act` carries a change out and offers its undo.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get, kept } from "/ui/api.js";
import { PageElement, button, fields } from "/ui/element.js";
import { trouble } from "/ui/trouble.js";
import { clock, day } from "/ui/words.js";

const AT_ONCE = 200;

/** The first `most` of what a route lists as `name`, and what else it says; `onward` is the query for what comes after some. */
export async function listed(route, name, most, onward = (found) => `start=${found.length}`) {
  const found = [];
  for (let part, limit; ; ) {
    limit = Math.min(most - found.length, AT_ONCE);
    part = await get(`/api/${route}limit=${limit}${part ? `&${onward(found, part)}` : ""}`);
    found.push(...part[name]);
    if (part[name].length < limit || part.cursor === null || found.length >= most) return { ...part, [name]: found };
  }
}

/** The heading of a view. */
export const heading = (words, more = nothing) => html`<div class="view-head"><h2 tabindex="-1" dir="auto">${words}</h2>${more}</div>`;

/** In place of what is not there. */
export const none = (words) => html`<p class="quiet nothing">${words}</p>`;

/** A part of a view below a heading of its own. */
export const part = (words, content) => html`<section class="todos"><h3>${words}</h3>${content}</section>`;

export class View extends PageElement {
  static properties = fields("view shown problem busy since"); // since: when that was given, while there is no answer of now

  button = (words, does, label) => button(words, does, false, label);

  willUpdate(changed) {
    if (changed.has("view") && changed.get("view")?.path !== this.view.path) void this.refresh();
  }

  /** Fetch anew; what is shown stays until then. */
  async refresh() {
    const { path } = this.view;
    this.problem = kept.since = null;
    try {
      const shown = await this.load();
      if (path === this.view.path) [this.shown, this.since] = [shown, kept.since];
    } catch (problem) {
      if (path === this.view.path) this.problem = problem;
    }
  }

  trouble() {
    return this.problem ? trouble(this.problem, () => this.refresh()) : nothing;
  }

  /** What went wrong, and below it what `all` makes of what was fetched. */
  body(all = (shown) => this.all(shown)) {
    return html`${this.trouble()} ${this.since && !this.problem ? this.wasSeen() : nothing} ${this.shown ? all(this.shown) : this.problem ? nothing : html`<p class="quiet waiting">Looking …</p>`}`;
  }

  /** That what is shown is of an earlier time. */
  wasSeen() {
    return html`<p class="quiet note-line" role="status">Lattice does not answer. This is what was seen here last, ${day(this.since)} at ${clock(this.since)}. ${this.button("try again", () => this.refresh())}</p>`;
  }

  /** Carry out `change`, which resolves to what the API answers (or nothing; `change_id` may be several); `words` say what was done, and are offered with an undo.
   * One at a time. */
  async act(words, content, change, does) {
    if (this.busy) return;
    this.busy = true;
    const it = document.activeElement;
    const line = it.closest("li");
    this.did = { it, line, words: line?.textContent, at: [...this.querySelectorAll("li")].indexOf(line) };
    const went = await this.attempt(async () => {
      const { change_id: id } = (await change()) ?? {};
      if (id) document.querySelector("lattice-did").show({ words, content, changeIds: [id].flat(), does });
      this.tell("acted");
    });
    if (!went) this.did = null;
    this.busy = false;
  }

  /** What was done took its own line away: the one in its place has the focus, not its button, which a key held down would press too. */
  updated() {
    const { it, line, words, at } = this.did ?? {};
    if (!line || (it.isConnected && line.textContent === words)) return;
    this.did = null;
    if (![document.body, it].includes(document.activeElement)) return;
    const next = this.querySelectorAll("li")[at] ?? this.$("h2");
    next.tabIndex = -1;
    next.focus();
  }
}
