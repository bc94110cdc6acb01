// <lattice-memories>: all that is remembered, grouped by month, with filters, search as one types, and several at once to forget,
// to archive or to give another subject. What is filtered stands in the address.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, button, fields } from "/ui/element.js";
import { amend, fromPage, get, post, toTrash } from "/ui/api.js";
import { addressOf, go } from "/ui/router.js";
import { trouble } from "/ui/trouble.js";
import { count, inMemories, number } from "/ui/words.js";
import "/ui/views/block.js";
import { dayStart, isoDay, monthOnly, offset, rows } from "/ui/views/rows.js";

const PAGE = 200;
const STRETCH = 40; // rows that are drawn at once: all of a page would hold up a frame
const AGAIN_AT_MOST = 5; // pages read anew after a change; what stands below is as it was
const AHEAD = 2400; // px below what is seen that are fetched
const FOUND_AT_MOST = 60; // by a search, exact and nearest together
const NEAREST = 12;
const PAUSE = 150; // ms without a key before it searches
const KINDS = { "": "any", ...asThemselves("fact preference"), event: "something that happened", ...asThemselves("goal decision belief habit"), count: "number", question: "open question", recommendation: "advice", ...asThemselves("reminder"), instruction: "wish for how to answer", insight: "conclusion", synthesis: "summary" };
const STATUSES = { "": "any", asserted: "said as so", ...asThemselves("past planned wished supposed quoted joked"), rejected: "denied", uncertain: "not sure" };
function asThemselves(words) {
  return Object.fromEntries(words.split(" ").map((word) => [word, word]));
}

const STANDINGS = { "": "any", current: "still so", replaced: "replaced", disagreeing: "disagreeing" };
const FILTERS = ["about", "source", "kind", "status", "standing", "after", "before"];

const stretches = new WeakMap(); // of each page, always the same

/** [[atoms, the one before them], …] of all pages. */
const inStretches = (pages) =>
  pages.flatMap((atoms, at) => {
    if (!stretches.has(atoms)) stretches.set(atoms, Array.from({ length: Math.ceil(atoms.length / STRETCH) }, (_, n) => atoms.slice(n * STRETCH, (n + 1) * STRETCH)));
    return stretches.get(atoms).map((stretch, n) => [stretch, n ? atoms[n * STRETCH - 1] : pages[at - 1]?.at(-1)]);
  });

let last = null; // the list seen last, for when one comes back to it: {path, blocks, cursor, total, months, found}

let asked = ""; // what was looked for last, while the page is open

/** The address of the list, with what was looked for last. */
export const searched = () => addressOf.list({ q: asked });

class Memories extends PageElement {
  static properties = fields("view blocks total months cursor problem busy found choosing chosen unfolded subject names");

  constructor() {
    super();
    this.blocks = null;
    this.months = [];
    this.names = [];
    this.choosing = false;
    this.chosen = new Map();
    this.unfolded = false;
    this.addEventListener("keydown", this.moved);
  }

  get filters() {
    return Object.fromEntries(["q", ...FILTERS, "until"].map((name) => [name, this.view?.query.get(name) ?? ""]));
  }

  willUpdate(changed) {
    if (!changed.has("view") || changed.get("view")?.path === this.view.path) return;
    this.unfolded ||= FILTERS.some((name) => this.filters[name] && name !== "source");
    if (!this.filters.q) this.found = null;
    if (last?.path !== this.view.path) return void this.refresh();
    Object.assign(this, last);
    if (this.filters.q) void this.find();
  }

  firstUpdated() {
    this.observer = new IntersectionObserver(([end]) => end.isIntersecting && this.more(), { rootMargin: `${AHEAD}px` });
    this.observer.observe(this.$(".end"));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  /** What the API is asked for. */
  query(cursor) {
    const { about, source, kind, status, standing, after, before, until } = this.filters;
    const ends = [before && dayStart(before, 1), until && dayStart(nextMonth(until))].filter(Boolean).sort();
    const asked = { about, source, kind, status, after: after && dayStart(after), before: ends[0], cursor, limit: PAGE, offset: offset() };
    if (standing === "disagreeing") asked.disagreeing = true;
    else asked.standing = standing;
    return new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  }

  async refresh() {
    const { path } = this.view;
    const same = last?.path === path;
    this.problem = null;
    const hits = this.filters.q && this.find();
    try {
      let found = await get(`/api/atoms?${this.query()}`);
      const blocks = [found.atoms];
      const again = same ? Math.min(last.blocks.length, AGAIN_AT_MOST) : 1;
      while (blocks.length < again && found.cursor) {
        const { total, months } = found;
        found = { ...(await get(`/api/atoms?${this.query(found.cursor)}`)), total, months };
        blocks.push(found.atoms);
      }
      await hits; // so the list never comes first
      if (path !== this.view.path) return;
      if (same && last.blocks.length > AGAIN_AT_MOST && found.cursor) {
        const known = new Set(blocks.flat().map((atom) => atom.atom_id));
        blocks.push(...last.blocks.slice(AGAIN_AT_MOST).map((block) => (block.some((atom) => known.has(atom.atom_id)) ? block.filter((atom) => !known.has(atom.atom_id)) : block)));
        found = { ...found, cursor: last.cursor };
      }
      this.keep(blocks, found);
      if (this.filters.until) await this.countMonths();
    } catch (problem) {
      if (path === this.view.path) this.problem = problem;
    }
  }

  /** The months of all that is filtered, also where the list begins later. */
  async countMonths() {
    const query = this.query();
    query.delete("before");
    query.set("limit", 1);
    if (this.filters.before) query.set("before", dayStart(this.filters.before, 1));
    const { months, total } = await get(`/api/atoms?${query}`);
    Object.assign(this, { months, total });
    last = { ...last, months, total };
  }

  keep(blocks, { cursor, total, months }) {
    const counted = this.filters.until && this.months.length ? {} : { total, months };
    last = { path: this.view.path, total: this.total, months: this.months, found: this.found, ...counted, blocks, cursor };
    Object.assign(this, last);
  }

  get atoms() {
    return this.blocks?.flat();
  }

  async more() {
    if (this.busy || !this.cursor || this.found) return;
    this.busy = true;
    const { path } = this.view;
    try {
      const found = await get(`/api/atoms?${this.query(this.cursor)}`);
      if (path === this.view.path) {
        const known = new Set(this.blocks.at(-1).map((atom) => atom.atom_id));
        this.keep([...this.blocks, found.atoms.filter((atom) => !known.has(atom.atom_id))], { ...found, total: this.total, months: this.months });
      }
    } catch (problem) {
      this.problem = problem;
    }
    this.busy = false;
    await this.updateComplete;
    // The end may still be in sight, and is only told of when it comes into it.
    if (this.cursor && !this.problem && this.isConnected && this.$(".end").getBoundingClientRect().top < innerHeight + AHEAD) void this.more();
  }

  // Searching

  typed(event) {
    clearTimeout(this.timer);
    const query = (asked = event.target.value.trim());
    this.timer = setTimeout(() => this.filter({ q: query }, { replace: true }), PAUSE);
  }

  async find() {
    const { q: query, kind, source, after, before, status, standing, about } = this.filters;
    const filter = { kind: kind ? [kind] : [], source_id: source ? [source] : [], after: after ? dayStart(after) : null, before: before ? dayStart(before, 1) : null };
    try {
      const { atoms, degraded } = await post("/api/select", { query, limit: FOUND_AT_MOST, include_superseded: true, filter });
      const meant = standing === "disagreeing" && new Set((await get("/api/atoms?disagreeing=true&limit=200")).atoms.map((atom) => atom.atom_id));
      if (query !== this.filters.q) return;
      const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      const fits = atoms.filter(
        (atom) =>
          (!status || (atom.status ?? "asserted") === status) &&
          (meant ? meant.has(atom.atom_id) : !standing || atom.is_superseded === (standing === "replaced")) &&
          (!about || [atom.subject, ...(atom.entities ?? [])].some((name) => name.toLowerCase() === about.toLowerCase())),
      );
      const best = Math.max(...atoms.map(({ score }) => score));
      const far = Math.min(best, best / 3); // what fits a third as well as the best has little to do with it
      const says = (atom) => words.every((word) => atom.content.toLowerCase().includes(word));
      this.found = { words, exact: fits.filter(says), nearest: fits.filter((atom) => !says(atom) && atom.score >= far).slice(0, NEAREST), unread: degraded.filter((each) => each.startsWith("search:")) };
      this.problem = null;
    } catch (problem) {
      this.problem = problem;
    }
  }

  filter(changed, options) {
    go(addressOf.list({ ...this.filters, ...("q" in changed || "until" in changed ? {} : { until: "" }), ...changed }), options);
  }

  /** The chip is gone then; the focus goes to the next one, or to where another filter is chosen. */
  unfilter(changed) {
    this.unfiltered = true;
    if (changed) this.filter(changed);
    else go("/memories");
  }

  updated(changed) {
    if (!this.unfiltered || !changed.has("view")) return;
    this.unfiltered = false;
    (this.$(".chip") ?? this.$("[aria-controls]")).focus();
  }

  // What is shown

  render() {
    const { q } = this.filters;
    return html`
      <div class="view-head">
        <h2 tabindex="-1">Memories</h2>
        <p class="quiet">${this.total === undefined || q ? "" : this.active().length ? `${number(this.total)} of them` : number(this.total)}</p>
        <span class="more">
          <button class="link" aria-expanded=${this.unfolded} aria-controls="filters" @click=${() => (this.unfolded = !this.unfolded)}>filter</button>
          <button class="link" aria-pressed=${this.choosing} @click=${this.toggleChoosing}>${this.choosing ? "done" : "select"}</button>
        </span>
      </div>
      <search class="list-search">
        <input type="search" placeholder="Search memories" aria-label="Search what is remembered" .value=${q} @input=${this.typed} @keydown=${this.searchKey} />
        ${this.months.length > 1 && !q ? this.scrubber() : nothing}
      </search>
      ${this.unfolded ? this.filterForm() : nothing} ${this.chips()} ${this.choosing ? this.choices() : nothing}
      ${this.problem ? trouble(this.problem, () => this.refresh()) : nothing}
      <div aria-live="polite" class="sr">${this.found ? `${this.found.exact.length} found` : ""}</div>
      ${this.found && q ? this.hits() : this.list()}
      <div class="end" aria-hidden="true"></div>
    `;
  }

  list() {
    if (!this.blocks) return this.problem ? nothing : html`<p class="quiet waiting">Looking …</p>`;
    if (!this.blocks[0].length) {
      return html`<p class="quiet nothing">${this.active().length ? "Nothing is remembered that fits." : "Nothing is remembered yet. Tell something in the box below."}</p>`;
    }
    return html`${this.filters.until ? html`<p>${button("↑ to the newest", () => this.filter({ until: "" }))}</p>` : nothing}
    <div @choose=${({ detail }) => this.choose(detail.atom, detail.event)}>${inStretches(this.blocks).map(
      ([atoms, before]) => html`<lattice-block .atoms=${atoms} .before=${before} .counts=${this.counts} .chosen=${this.choosing ? this.chosen : null}></lattice-block>`,
    )}</div>
    ${this.cursor ? html`<p class="quiet waiting">More …</p>` : nothing}`;
  }

  hits() {
    const { exact, nearest, words, unread } = this.found;
    const shown = (atoms) => rows(atoms, (atom) => ({ ...this.choice(atom), marked: words }));
    return html`
      ${unread.map((each) => html`<p class="quiet">Not all is found yet: ${each.slice(8)}.</p>`)}
      ${exact.length ? html`<section class="month"><h3>${count(exact.length, "memory says", "memories say")} that</h3>${shown(exact)}</section>` : html`<p class="quiet nothing">No memory says just that.</p>`}
      ${nearest.length ? html`<section class="month nearest-hits"><h3>Nearest</h3>${shown(nearest)}</section>` : nothing}
    `;
  }

  choice(atom) {
    return this.choosing ? { chosen: this.chosen.has(atom.atom_id), onChoose: (...chosen) => this.choose(...chosen) } : {};
  }

  get counts() {
    if (this.counted !== this.months) [this.counted, this.byMonth] = [this.months, new Map(this.months.map(({ month, count: many }) => [month, number(many)]))];
    return this.byMonth;
  }

  scrubber() {
    const years = new Map();
    for (const each of this.months) years.set(each.month.slice(0, 4), [...(years.get(each.month.slice(0, 4)) ?? []), each]);
    return html`<select class="scrubber" aria-label="Go to a month" @change=${(event) => this.filter({ until: event.target.value })}>
      <option value="" ?selected=${!this.filters.until}>newest</option>
      ${[...years].map(
        ([year, months]) => html`<optgroup label=${year}>
          ${months.map(({ month, count: many }) => html`<option value=${month} ?selected=${month === this.filters.until}>${monthOnly(month)} ${year} (${number(many)})</option>`)}
        </optgroup>`,
      )}
    </select>`;
  }

  filterForm() {
    const set = (name) => (event) => this.filter({ [name]: event.target.value.trim() });
    const { about, source, kind, status, standing, after, before } = this.filters;
    const options = (values, chosen) => Object.entries(values).map(([value, words]) => html`<option value=${value} ?selected=${value === chosen}>${words}</option>`);
    return html`<form id="filters" class="filters" @submit=${(event) => event.preventDefault()}>
      <label>About <input list="names" autocomplete="off" .value=${about} @focus=${this.loadNames} @change=${set("about")} /></label>
      <datalist id="names">${this.names.map(({ name }) => html`<option value=${name}></option>`)}</datalist>
      <label>From the source <input autocomplete="off" .value=${source} @change=${set("source")} /></label>
      <label>Kind <select @change=${set("kind")}>${options(KINDS, kind)}</select></label>
      <label>Meant as <select @change=${set("status")}>${options(STATUSES, status)}</select></label>
      <label>Is it so <select @change=${set("standing")}>${options(STANDINGS, standing)}</select></label>
      <label>Said from <input type="date" .value=${after} @change=${set("after")} /></label>
      <label>to <input type="date" .value=${before} @change=${set("before")} /></label>
    </form>`;
  }

  async loadNames() {
    if (!this.names.length) this.names = (await get("/api/names?limit=100").catch(() => ({ names: [] }))).names;
  }

  active() {
    return FILTERS.filter((name) => this.filters[name]).map((name) => [name, this.filters[name]]);
  }

  chips() {
    const words = { about: "about", source: "from", kind: "", status: "meant as", standing: "", after: "since", before: "until" };
    const values = { kind: KINDS, status: STATUSES, standing: STANDINGS };
    const active = this.active().map(([name, value]) => [name, `${words[name]} ${values[name]?.[value] ?? value}`.trim()]);
    if (!active.length) return nothing;
    return html`<ul class="chips" aria-label="Filters">
      ${active.map(
        ([name, said]) => html`<li><button class="chip" aria-label="Remove: ${said}" @click=${() => this.unfilter({ [name]: "" })}>${said} <span aria-hidden="true">×</span></button></li>`,
      )}
      <li>${button("all of them", () => this.unfilter())}</li>
    </ul>`;
  }

  searchKey(event) {
    if (event.key === "Escape" && event.target.value) {
      event.stopPropagation();
      event.target.value = "";
      this.filter({ q: "" }, { replace: true });
    } else if (event.key === "Enter") {
      clearTimeout(this.timer);
      this.$(".rows a")?.click();
    }
  }

  /** ↑ and ↓ go from the field through what is listed. */
  moved(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.matches?.("select, textarea, .filters input, .subject input")) return;
    const places = [...this.querySelectorAll("input[type=search], .rows a")];
    const at = places.indexOf(event.target);
    if (at < 0) return;
    event.preventDefault();
    places[Math.min(Math.max(at + step, 0), places.length - 1)].focus();
  }

  // Several at once

  toggleChoosing() {
    this.choosing = !this.choosing;
    this.chosen = new Map();
    this.subject = null;
  }

  /** With Shift, all from the one chosen before. */
  choose(atom, event) {
    const shown = this.found ? [...this.found.exact, ...this.found.nearest] : this.atoms;
    const chosen = new Map(this.chosen);
    const at = shown.indexOf(atom);
    const from = event.shiftKey && this.lastChosen ? shown.indexOf(this.lastChosen) : at;
    for (const each of from < 0 ? [atom] : shown.slice(Math.min(from, at), Math.max(from, at) + 1)) {
      if (event.target.checked) chosen.set(each.atom_id, each);
      else chosen.delete(each.atom_id);
    }
    this.lastChosen = atom;
    this.chosen = chosen;
  }

  choices() {
    const none = !this.chosen.size;
    const back = !none && [...this.chosen.values()].every((atom) => atom.archived);
    return html`<div class="choices" role="group" aria-label="What was selected">
      <p>${none ? "Select what you mean; Shift selects all in between." : inMemories(this.chosen.size)}</p>
      ${this.subject === null || this.subject === undefined
        ? [["forget", this.forget], [back ? "bring back" : "archive", () => this.archive(back)], ["change what it is about", () => this.about("")]].map(([words, does]) => button(words, does, none || this.busy))
        : html`<form class="subject" @submit=${this.correct}>
            <input aria-label="What it is about" placeholder="About …" .value=${this.subject} @input=${(event) => (this.subject = event.target.value)} />
            <button class="link" ?disabled=${!this.subject.trim() || this.busy}>set</button>
            ${button("cancel", () => this.about(null))}
          </form>`}
    </div>`;
  }

  async about(subject) {
    this.subject = subject;
    await this.updateComplete;
    this.$(".choices input, .choices button:last-child").focus();
  }

  async forget() {
    const atom_ids = [...this.chosen.keys()];
    await this.carryOut(async () => {
      const { change_id } = await toTrash({ atom_ids });
      return { words: `${inMemories(atom_ids.length)} in the trash`, changeIds: [change_id] };
    });
  }

  /** Out of recall, or back into it. */
  async archive(back) {
    const atom_ids = [...this.chosen.keys()];
    await this.carryOut(async () => {
      const { change_id } = await fromPage(`/api/archive${back ? "/restore" : ""}`, { atom_ids });
      return { words: `${inMemories(atom_ids.length)} ${back ? "brought back" : "archived"}`, changeIds: [change_id] };
    });
  }

  async correct(event) {
    event.preventDefault();
    const subject = this.subject.trim();
    const atoms = [...this.chosen.values()].filter((atom) => atom.subject !== subject);
    await this.carryOut(async () => {
      const changeIds = [];
      for (const { atom_id } of atoms) changeIds.push((await amend(atom_id, { subject })).change_id);
      return { words: `${count(atoms.length, "memory is", "memories are")} about ${subject} now`, changeIds };
    });
  }

  async carryOut(change) {
    this.busy = true;
    const went = await this.attempt(async () => {
      const did = await change();
      if (did.changeIds.length) document.querySelector("lattice-did").show(did);
      this.toggleChoosing();
      this.tell("acted");
    });
    this.busy = false;
    if (!went) return;
    await this.refresh();
    if (document.activeElement === document.body) this.$("[aria-pressed]").focus(); // what was pressed is gone
  }
}

/** The day after the last of a month, as 2026-06-01. */
function nextMonth(month) {
  const [year, of] = month.split("-");
  return isoDay(new Date(year, of, 1));
}

customElements.define("lattice-memories", Memories);
