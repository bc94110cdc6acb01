// <lattice-when>: what was true on a day, chosen with a slider over the years; what changed from then to now or to another day; and
// what happened. `?at=2026-03-01` is the day, `until` the other one, `show=happened` the timeline.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { get, quoted } from "/ui/api.js";
import { fields } from "/ui/element.js";
import { became } from "/ui/memories.js";
import { addressOf, go } from "/ui/router.js";
import { dated, number } from "/ui/words.js";
import { change, dayStart, isoDay, monthName, monthOf, rows } from "/ui/views/rows.js";
import { View, heading, none } from "/ui/views/view.js";

const SHOWN = 60;
const CHANGES = 60;
const PAUSE = 120; // ms that the slider rests before it is asked
const MONTHLY = 60; // years, with a stop for each month
const YEARS = 8; // at most, below the slider

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const dayName = (date) => DAY.format(new Date(dayStart(date)));

const dayAfter = (date) => isoDay(new Date(dayStart(date, 1)));

class When extends View {
  static properties = fields("sliding");

  get about() {
    return this.view.query.get("about") ?? "";
  }

  get timeline() {
    return this.view.query.get("show") === "happened";
  }

  /** The day that is shown, as 2026-03-01; null for now. */
  get at() {
    return this.date("at");
  }

  /** The day up to which changes are shown; null for now. */
  get until() {
    const until = this.date("until");
    return this.at && until > this.at ? until : null;
  }

  date(name) {
    const date = this.view.query.get(name);
    return /^\d{4}-\d\d-\d\d$/.test(date) ? date : null;
  }

  async load() {
    const about = this.about ? `&about=${quoted(this.about)}` : "";
    const now = new Date().toISOString();
    const end = this.at ? dayStart(this.at, 1) : now;
    const until = this.until ? dayStart(this.until, 1) : now;
    this.earliest ??= (await get("/api/atoms?limit=1")).earliest;
    const [then, since, moments] = await Promise.all([
      get(`/api/atoms?as_of=${quoted(end)}&concluded=false&limit=${SHOWN}${about}`),
      this.at && end < until ? get(`/api/difference?start=${quoted(end)}&end=${quoted(until)}&limit=${CHANGES}${about}`) : null,
      this.timeline ? get(`/api/timeline?kind=event&limit=${SHOWN}${this.at ? `&before=${quoted(end)}` : ""}${this.about ? `&subject=${quoted(this.about)}` : ""}`) : null,
    ]);
    return { then, since, moments: moments?.timeline.reverse(), now };
  }

  /** The end of each month since the first day that something is known of, and now at the end; of each January over a long life. */
  get stops() {
    if (!this.earliest) return [null];
    const stops = [];
    const [year, month] = monthOf(this.earliest).split("-").map(Number);
    const now = monthOf(Date.now());
    const long = now.slice(0, 4) - year > MONTHLY;
    for (let stop, n = long ? 1 : month; (stop = isoDay(new Date(year, n, 0))) < now; n += long ? 12 : 1) stops.push(stop);
    return [...stops, null];
  }

  render() {
    const { stops } = this;
    const sliding = this.sliding !== undefined && this.sliding !== null;
    const place = sliding ? this.sliding : this.at ? Math.max(0, stops.findIndex((stop) => stop === null || stop >= this.at)) : stops.length - 1;
    const words = sliding ? (stops[place] ? dayName(stops[place]) : "now") : this.at ? dayName(this.at) : "now";
    return html`${heading(`As of ${words}`, this.about ? html`<a class="chip" href=${this.address({ about: "" })} aria-label="Remove: about ${this.about}">about ${this.about} ×</a>` : nothing)}
      <div class="slider">${stops.length > 1 ? this.slider(stops, place, words) : nothing}
        <label class="quiet">or a day <input type="date" .value=${this.at ?? ""} @change=${(event) => this.to({ at: event.target.value, until: "" })} /></label>
        ${this.at ? html`<label class="quiet">compared with <input type="date" min=${this.at} .value=${this.until ?? ""} @change=${(event) => this.to({ until: event.target.value })} /></label>` : nothing}
      </div> ${this.body()}`;
  }

  slider(stops, place, words) {
    const years = stops.flatMap((stop, at) => (stop?.endsWith("-01-31") ? [[stop.slice(0, 4), at / (stops.length - 1)]] : []));
    const every = Math.ceil(years.length / YEARS);
    return html`<input type="range" min="0" max=${stops.length - 1} .value=${String(place)} aria-label="As of when" aria-valuetext=${words} @input=${this.slid} />
      <div class="ends" aria-hidden="true">
        <span>${monthName(stops[0].slice(0, 7))}</span>
        ${years.filter(([, at], n) => n % every === 0 && at > 0.2 && at < 0.9).map(([year, at]) => html`<span class="year" .style=${`--at: ${at}`}>${year}</span>`)}
        <span>now</span>
      </div>`;
  }

  slid(event) {
    this.sliding = Number(event.target.value);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.to({ at: this.stops[this.sliding] ?? "" }), PAUSE);
  }

  /** The address of this view with some of what is chosen changed. */
  address(changed) {
    const chosen = { at: this.at, until: this.until, about: this.about, show: this.timeline ? "happened" : "", ...changed };
    const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
    return query.size ? `/when?${query}` : "/when";
  }

  to(changed) {
    this.sliding = null;
    go(this.address(changed), { replace: true });
  }

  all({ then, since, moments, now }) {
    const tab = (show, words) => html`<a href=${this.address({ show })} aria-current=${this.timeline === (show !== "") ? "true" : nothing}>${words}</a>`;
    return html`
      ${since ? this.changed(since) : nothing}
      <section class="todos">
        <nav class="tabs" aria-label="What is shown">${tab("", html`${this.at ? "What was so" : "What is so"} <span class="quiet">· ${number(then.total)}</span>`)} ${tab("happened", "What happened")}</nav>
        ${this.timeline && moments ? this.happened(moments, now) : this.so(then)}
      </section>
    `;
  }

  so(then) {
    return html`${then.atoms.length ? rows(then.atoms, () => ({ struck: false, own: true })) : none(this.at ? "Nothing is remembered from then." : "Nothing is remembered yet.")}
      ${then.total > then.atoms.length ? html`<p class="quiet">The ${then.atoms.length} that were said last. <a class="link" href=${addressOf.list({ about: this.about, until: this.at?.slice(0, 7) })}>all memories</a></p>` : nothing}`;
  }

  /** Newest first; what lies ahead by itself, the next first. */
  happened(moments, now) {
    const ahead = moments.filter(({ at }) => at > now).reverse();
    const past = moments.filter(({ at }) => at <= now);
    const list = (shown) => html`<ol class="timeline">${shown.map(({ at, atom }) => html`<li class=${atom.is_superseded ? "replaced" : ""}><time datetime=${at}>${dated(at, atom.date_phrase)}</time> <span><a class="content" href=${addressOf.memory(atom.atom_id)} dir="auto">${atom.content}</a> ${became(atom)}</span></li>`)}</ol>`;
    if (!moments.length) return none(`Nothing is remembered that happened${this.at ? " before then" : ""}.`);
    return html`${ahead.length ? html`<h3>Ahead</h3>${list(ahead)}${past.length ? html`<h3>Before now</h3>` : nothing}` : nothing} ${list(past)}`;
  }

  changed({ learned, learned_count: news, replaced, replaced_count: gone }) {
    const until = this.until ? `by ${dayName(this.until)}` : "since then";
    if (!news && !gone) return html`<p class="quiet">Nothing changed ${until}.</p>`;
    const further = (shown, all, words, filters) => (all > shown.length ? html`<p><a class="link" href=${addressOf.list({ about: this.about, ...filters })}>${words}</a></p>` : nothing);
    return html`<section class="todos since"><h3>Changed ${until} <span class="quiet">· ${number(gone)}</span></h3>
        ${replaced.length ? replaced.map((each) => change(each.old, each.new, each.at)) : html`<p class="quiet">Nothing was replaced.</p>`} ${further(replaced, gone, "all that was ever replaced", { standing: "replaced" })}
      </section>
      ${news ? html`<details class="todos"><summary>New ${until} <span class="quiet">· ${number(news)}</span></summary>${rows(learned)} ${further(learned, news, "all of them", { standing: "current", after: dayAfter(this.at), before: this.until })}</details>` : nothing}`;
  }
}

customElements.define("lattice-when", When);
