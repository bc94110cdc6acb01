// <lattice-when>: what was true on a day, chosen with a slider over the years; what changed since then; and the timeline.
// `?at=2026-03-01` is the day.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";
import { addressOf, go } from "/ui/router.js";
import { day } from "/ui/words.js";
import { change, dayStart, monthName, offset, rows } from "/ui/views/rows.js";
import { View } from "/ui/views/view.js";

const SHOWN = 60;
const CHANGES = 30;
const PAUSE = 120; // ms that the slider rests before it is asked

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

class When extends View {
  static properties = { sliding: { state: true } };

  get about() {
    return this.view.query.get("about") ?? "";
  }

  /** The day that is shown, as 2026-03-01; null for now. */
  get at() {
    const at = this.view.query.get("at");
    return /^\d{4}-\d\d-\d\d$/.test(at) ? at : null;
  }

  async load() {
    const about = this.about ? `&about=${encodeURIComponent(this.about)}` : "";
    const end = this.at ? dayStart(this.at, 1) : new Date().toISOString();
    this.months ??= (await get(`/api/atoms?limit=1&offset=${offset()}`)).months.map(({ month }) => month).reverse();
    const [then, since, moments] = await Promise.all([
      get(`/api/atoms?as_of=${encodeURIComponent(end)}&limit=${SHOWN}${about}`),
      this.at ? get(`/api/difference?start=${encodeURIComponent(end)}&end=${encodeURIComponent(new Date().toISOString())}&limit=${CHANGES}`) : null,
      this.at ? get(`/api/timeline?before=${encodeURIComponent(end)}&limit=${CHANGES}${this.about ? `&subject=${encodeURIComponent(this.about)}` : ""}`) : null,
    ]);
    return { then, since, moments: moments?.timeline.reverse() ?? [] };
  }

  /** Each month since the first memory, and now at the end. */
  get stops() {
    const [first] = this.months ?? [];
    if (!first) return [null];
    const stops = [];
    const now = new Date();
    let [year, month] = first.split("-").map(Number);
    while (year < now.getFullYear() || (year === now.getFullYear() && month <= now.getMonth())) {
      const last = new Date(year, month, 0).getDate();
      stops.push(`${year}-${String(month).padStart(2, "0")}-${String(last).padStart(2, "0")}`);
      [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
    }
    return [...stops, null];
  }

  render() {
    const { stops } = this;
    const place = this.sliding ?? (this.at ? Math.max(0, stops.findIndex((stop) => stop === null || stop >= this.at)) : stops.length - 1);
    const words = this.sliding === undefined || this.sliding === null ? (this.at ? DAY.format(new Date(dayStart(this.at))) : "now") : stops[place] ? monthName(stops[place].slice(0, 7)) : "now";
    return html`<div class="view-head"><h2 tabindex="-1">${this.at || this.sliding !== undefined ? `As of ${words}` : "As of now"}</h2>
        ${this.about ? html`<a class="chip" href=${this.at ? `/when?at=${this.at}` : "/when"} aria-label="Remove: about ${this.about}">about ${this.about} ×</a>` : nothing}</div>
      ${stops.length > 1 ? this.slider(stops, place, words) : nothing} ${this.body()}`;
  }

  slider(stops, place, words) {
    return html`<div class="slider">
      <input type="range" min="0" max=${stops.length - 1} .value=${String(place)} aria-label="As of when" aria-valuetext=${words} @input=${this.slid} />
      <div class="ends" aria-hidden="true"><span>${monthName(stops[0].slice(0, 7))}</span><span>now</span></div>
      <label class="quiet">or a day <input type="date" .value=${this.at ?? ""} @change=${(event) => this.to(event.target.value || null)} /></label>
    </div>`;
  }

  slid(event) {
    this.sliding = Number(event.target.value);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.to(this.stops[this.sliding]), PAUSE);
  }

  to(at) {
    this.sliding = null;
    const query = new URLSearchParams([...(at ? [["at", at]] : []), ...(this.about ? [["about", this.about]] : [])]);
    go(query.size ? `/when?${query}` : "/when", { replace: true });
  }

  all({ then, since, moments }) {
    return html`
      ${since ? this.changed(since) : nothing}
      <section class="todos"><h3>${this.at ? "What was so" : "What is so"} <span class="quiet">· ${then.total}</span></h3>
        ${then.atoms.length ? rows(then.atoms, { struck: false }) : html`<p class="quiet nothing">Nothing is remembered from then.</p>`}
        ${then.total > then.atoms.length ? html`<p class="quiet">The ${then.atoms.length} that were said last. <a class="link" href=${addressOf.list({ about: this.about, until: this.at?.slice(0, 7) })}>all memories</a></p>` : nothing}
      </section>
      ${moments.length
        ? html`<section class="todos"><h3>What happened before then</h3>
            <ol class="timeline">${moments.map(({ at, atom }) => html`<li><time datetime=${at}>${day(at)}</time> <a href=${addressOf.memory(atom.atom_id)}>${atom.content}</a></li>`)}</ol></section>`
        : nothing}
    `;
  }

  changed({ learned, learned_count: news, replaced, replaced_count: gone }) {
    if (!news && !gone) return html`<p class="quiet">Nothing has changed since.</p>`;
    return html`<section class="todos since"><h3>Changed since then <span class="quiet">· ${gone}</span></h3>
        ${replaced.length ? replaced.map((each) => change(each.old, each.new, each.at)) : html`<p class="quiet">Nothing was replaced.</p>`}
      </section>
      ${news ? html`<details class="todos"><summary>New since then <span class="quiet">· ${news}</span></summary>${rows(learned)}</details>` : nothing}`;
  }
}

customElements.define("lattice-when", When);
