// <lattice-page>: the whole page. It holds the entries, the panel's place and the status; everything below is given values.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, button, fields } from "/ui/element.js";
import { get, randomName, settle } from "/ui/api.js";
import { whenSystemSwitches } from "/ui/appearance.js";
import { bar, keysDialog } from "/ui/bar.js";
import { follow } from "/ui/live.js";
import { memories } from "/ui/memories.js";
import * as offline from "/ui/offline.js";
import { hideQuote } from "/ui/quote.js";
import { addressOf, closeMemory, go, here, keptScroll, onRoute } from "/ui/router.js";
import { trouble } from "/ui/trouble.js";
import { Needs, fetched, nowhere, titleOf, viewOf } from "/ui/views.js";
import { count, day, inMemories, isConcluded } from "/ui/words.js";
import "/ui/box.js";
import "/ui/did.js";
import "/ui/files.js"; // for views as well as for what a conversation needs
import "/ui/reasons.js";

const RECENT = 12;
const TURNS = 20; // of the conversation, shown at first and with each step back
const TURNS_AT_MOST = 500;
const BY_HAND = 1_500; // ms in which a list that was pushed comes to rest
const NARROW = matchMedia("(max-width: 71.99rem)"); // as in panel.css
const PANEL = "/ui/panel.js"; // fetched with the page where a memory is open, and else once there is time
const TALK = "/ui/talk.js"; // in Today
const FILES_AT_ONCE = 3; // sent and followed at the same time; the others wait with a line of their own
const LATER = 1_000; // ms after the start
const LOOK_AGAIN = 15_000; // ms between looks at the status, while the page is seen
const LOOK_SOON = 1_500; // while Lattice does not answer, or reads what it was told

const reading = (status) => (status?.captures?.waiting ?? 0) + (status?.captures?.working ?? 0) > 0;

let talk = null; // what a conversation needs, once it is there

const root = document.documentElement;
const toEnd = () => scrollTo({ top: root.scrollHeight });

const nameOf = ({ ts, question }) => `${ts} ${question}`;

class Page extends PageElement {
  static properties = fields("entries conversed earlier briefing recent recentProblem recentFolded status place needs viewProblem dropping announced");

  constructor() {
    super();
    this.entries = [];
    this.elements = new Map(); // by the keys of the entries
    this.place = here(); // the view, and the memory that is open beside it
    this.needs = new Needs(() => this.requestUpdate());
    this.tried = new Set();
    this.gone = new Set(); // ids of the memories that were taken back or put into the trash here
    this.status = undefined; // not known yet
    this.announced = "";
    this.turns = TURNS; // how many of the log have been asked for
    this.known = new Set(); // those that are on the page
    this.earlier = false; // whether there are more
  }

  createRenderRoot() {
    this.replaceChildren(); // the static shell that was painted first
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    const on = (target, type, does) => target.addEventListener(type, does.bind(this));
    on(this, "send", (event) => this.say(event.detail));
    on(this, "files", (event) => this.takeFiles(event.detail.files));
    on(this, "act", (event) => this.act(event.detail));
    on(this, "panel-back", () => history.back());
    on(this, "close-panel", this.close);
    on(this, "keys", () => this.$("dialog.keys").showModal());
    on(this, "changed", (event) => this.changed(event.detail));
    on(this, "acted", this.refresh);
    on(this, "judged", () => this.needs.look());
    on(this, "view-problem", (event) => (this.viewProblem = event.detail));
    onRoute(() => this.routed());
    on(document, "keydown", this.pressed);
    on(document, "paste", this.pasted);
    on(document, "scroll", this.scrolled);
    for (const type of ["wheel", "touchmove", "keydown"]) addEventListener(type, ({ timeStamp }) => (this.moved = timeStamp), { passive: true });
    for (const type of ["dragenter", "dragover", "dragleave", "drop"]) on(document, type, this.dragged);
    whenSystemSwitches(() => this.requestUpdate());
    NARROW.addEventListener("change", () => this.requestUpdate());
    void this.look();
    void this.loadRecent();
    void this.brief();
    follow((what) => this.follow(what), () => this.look());
    offline.start();
    on(document, "visibilitychange", () => !document.hidden && this.seenAgain());
    on(window, "online", this.look);
    this.needs.start();
  }

  /** Another address: another view, or another memory beside the same one. */
  routed() {
    const before = this.place;
    this.place = here();
    hideQuote();
    if (!before.atomId && this.place.atomId) this.cameFrom = document.activeElement;
    if (before.view.path !== this.place.view.path) {
      this.viewProblem = null;
      void this.settle(before);
    } else if (before.atomId !== this.place.atomId) {
      void this.updateComplete.then(() => (this.atomId ? this.lookIn() : this.cameFrom?.focus?.({ preventScroll: true })));
    }
  }

  /** The memory that is open has the focus. */
  async lookIn() {
    await fetched(PANEL);
    this.$("lattice-panel")?.focus();
  }

  /** In another view: scrolled to where one was in it, and its heading read out. A view that only filters anew stays as it is. */
  async settle(before) {
    if (before.view.name === this.place.view.name && before.view.which === this.place.view.which) return;
    await this.updateComplete;
    await new Promise((go) => setTimeout(go)); // what the view holds has its height then
    scrollTo({ top: keptScroll() });
    this.announced = titleOf(this.place.view);
    if (this.place.view.name !== "today" && !this.contains(document.activeElement)) this.$("main").focus();
  }

  firstUpdated() {
    if (this.atomId) void fetched(PANEL);
    // What does not arrive is asked for again when it is needed.
    setTimeout(() => {
      import(TALK).then(() => this.talking(), () => {});
      import(PANEL).catch(() => {});
    }, LATER);
    const shared = new URL(location.href).searchParams;
    const words = ["title", "text", "url"].map((name) => shared.get(name)?.trim()).filter(Boolean);
    const atomId = shared.get("atom"); // where an assistant's citation leads
    if (shared.has("files")) void offline.sharedFiles().then((files) => this.takeFiles(files));
    if (!words.length && !atomId && !shared.has("files")) return;
    if (words.length) this.box.fill([...new Set(words)].join("\n"));
    go(atomId ? addressOf.memory(atomId) : "/", { replace: true });
  }

  get box() {
    return this.$("lattice-box");
  }

  get atomId() {
    return this.place.atomId;
  }

  updated() {
    const open = titleOf(this.place.view);
    document.title = open ? `${open} · Lattice` : "Lattice";
  }

  render() {
    const covered = Boolean(this.atomId) && NARROW.matches; // by the sheet: what is below it can't be reached
    return html`
      ${bar(this.status, {
        search: () => this.search(),
        theme: () => this.requestUpdate(),
        keys: () => this.$("dialog.keys").showModal(),
        palette: () => this.palette(),
        place: this.place.view,
        needs: this.needs.count,
      }, covered)}
      <div class="stage">
        <main class="column view-${this.place.view.name}" tabindex="-1" ?inert=${covered}>
          ${this.viewProblem ? trouble(this.viewProblem, () => location.reload()) : this.place.view.name === "today" ? this.feed() : this.place.view.name === "nowhere" ? nowhere : viewOf(this.place.view)}
        </main>
        ${this.atomId
          ? html`<div class="backdrop" @click=${this.close}></div>
              <lattice-panel .atomId=${this.atomId} .gone=${this.gone.has(this.atomId)} .canGoBack=${this.place.depth > 1}></lattice-panel>`
          : nothing}
      </div>
      <section class="dock" aria-label="Say something" ?inert=${covered}><div class="column"><lattice-did></lattice-did><lattice-box></lattice-box></div></section>
      ${keysDialog()}
      ${this.dropping ? html`<div class="drop" aria-hidden="true"><p>Drop to remember</p></div>` : nothing}
      <p class="sr" aria-live="polite" id="announced">${this.announced}</p>
    `;
  }

  feed() {
    if (!talk) {
      void this.talking();
      return nothing;
    }
    const { strip, welcome } = talk;
    const empty = this.recent?.length === 0;
    const trying = this.tried.size > 0; // the examples stay until the page is opened again: one leads to the other
    return html`
      ${this.recentProblem ? trouble(this.recentProblem, () => this.loadRecent()) : nothing}
      ${strip(this.briefing, this.needs.count)}
      ${empty || (this.recent && trying) ? welcome(this.tried, (example) => this.try(example), empty) : this.lately()}
      ${this.earlier ? html`<p>${button("↑ earlier", this.back)}</p>` : nothing}
      ${this.entries.map((entry, at) => [this.dayOf(at), this.elementOf(entry)])}
      ${this.entries.length ? html`<p class="subject-ends">${button("new subject", this.newSubject)}</p>` : nothing}
    `;
  }

  /** The element of an entry, always the same one: it keeps what is typed and unfolded in it, wherever in the day it comes to stand. */
  elementOf(entry) {
    const element = this.elements.get(entry.key) ?? document.createElement("lattice-entry");
    this.elements.set(entry.key, element);
    return Object.assign(element, { entry });
  }

  /** Above the first of a day that is not today. */
  dayOf(at) {
    const words = day(this.entries[at].at);
    return words === (at ? day(this.entries[at - 1].at) : "today") ? nothing : html`<h3 class="day">${words}</h3>`;
  }

  // The conversation, through all doors

  /** What a conversation needs; with it comes what was said today and what waits to be sent. */
  talking() {
    return (this.talk ??= fetched(TALK).then(async ({ default: found }) => {
      if (!found) return void (this.talk = null); // that it did not arrive was said
      talk = found;
      const files = await offline.waitingFiles();
      const entries = [
        ...offline.waiting().map(({ text, intent, key, at }) => ({ kind: "tell", text, intent, idempotencyKey: key, at: new Date(at) })),
        ...files.map(({ file, key, at }) => ({ kind: "file", title: file.name, file, idempotencyKey: key, at })),
      ];
      this.entries = entries.map((fields) => talk.newEntry({ phase: "outbox", ...fields }));
      void this.converse();
      if (this.status) void this.sendKept();
    }));
  }

  /** What was said today is here again after a reload; what is said elsewhere comes as it is said. */
  async converse() {
    const first = !this.known.size;
    try {
      const { turns } = await get(`/api/chat/recent?limit=${this.turns}`);
      this.earlier = (turns.length === this.turns && turns.length < TURNS_AT_MOST) || (this.turns === TURNS && turns.some((turn) => day(turn.ts) !== "today"));
      const shown = turns.filter((turn) => turn.question && (this.turns > TURNS || day(turn.ts) === "today"));
      const fresh = shown.filter((turn) => !this.known.has(nameOf(turn))).reverse();
      for (const turn of turns) this.known.add(nameOf(turn));
      this.known.add("read");
      const here = ({ question }) => this.entries.some(({ text, turn }) => text === question && !turn); // said while this was asked for
      const entries = await talk.ofTurns(fresh.filter((turn) => !talk.isOwn(turn) || (first && !here(turn))));
      this.conversed = true;
      if (!entries.length) return;
      this.entries = [...this.entries, ...entries].sort((a, b) => a.at - b.at);
      if (first && this.place.view.name === "today") {
        await this.updateComplete;
        await Promise.resolve();
        scrollTo({ top: keptScroll() || root.scrollHeight }); // where one was before a reload
      }
    } catch {
      // The bar says that Lattice does not answer; what was said is read again when something changes.
      this.conversed = true;
    }
  }

  /** Whoever scrolls up to the top goes on into earlier days. */
  scrolled({ timeStamp }) {
    hideQuote();
    if (scrollY <= 0 && timeStamp - this.moved < BY_HAND && this.earlier && this.place.view.name === "today" && !this.goingBack) void this.back();
  }

  async back() {
    this.goingBack = true;
    const turns = this.turns + TURNS;
    const { scrollHeight, scrollTop } = root;
    this.turns = Math.min(TURNS_AT_MOST, turns);
    for (const name of [...this.known]) if (!this.entries.some((entry) => entry.turn === name)) this.known.delete(name);
    this.known.add("read");
    await this.converse();
    await this.updateComplete;
    scrollTo({ top: root.scrollHeight - scrollHeight + scrollTop });
    this.goingBack = false;
  }

  async newSubject() {
    try {
      await talk.newSubject();
      this.announced = "A new subject.";
      this.box.focus();
    } catch (problem) {
      this.recentProblem = problem;
    }
  }

  async brief() {
    this.briefing = await get("/api/today").catch(() => this.briefing);
  }

  /** Something changed, here or elsewhere. */
  follow({ memories: remembered, conversation: said }) {
    if (remembered) void this.refresh({ quietly: true });
    if (said && talk) void this.converse();
  }

  lately() {
    if (!this.recent || !this.conversed) return nothing; // what was said today decides whether it is folded
    const folded = this.recentFolded ?? this.entries.length > 0;
    return html`<section class="lately" aria-labelledby="lately">
      <h2 id="lately">
        <button class="fold" aria-expanded=${!folded} @click=${() => (this.recentFolded = !folded)}>Lately remembered</button>
      </h2>
      ${folded ? nothing : memories(this.recent)}
    </section>`;
  }

  // Saying

  async say({ text, intent, guessed }) {
    const kind = intent === "auto" ? (guessed ?? (/[?？؟]\s*$/.test(text) ? "ask" : "tell")) : intent; // until the server says what it is
    await this.talking();
    if (talk) await this.run({ kind, text, intent, idempotencyKey: randomName() }, talk.submit);
    else this.box.fill(text);
  }

  try(example) {
    this.tried.add(example.text);
    void this.say(example);
  }

  async run(fields, send) {
    this.toToday();
    const entry = talk.newEntry(fields);
    this.entries = [...this.entries, entry];
    await this.updateComplete;
    toEnd();
    await send(entry, (patch) => this.put(entry.key, patch));
    void this.look();
  }

  /** What is said from any view is answered in the day's conversation. */
  toToday() {
    if (this.place.view.name !== "today") go("/");
  }

  async takeFiles(files) {
    await this.talking();
    if (!talk) return;
    const named = (file) => talk.newEntry({ kind: "file", title: file.name || "pasted", file, idempotencyKey: randomName() });
    const waiting = [...files].map(named); // each has its line at once
    this.toToday();
    this.entries = [...this.entries, ...waiting];
    await this.updateComplete;
    toEnd();
    const next = async () => {
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
        await talk.submitFile(entry, (patch) => this.put(entry.key, patch));
        void this.look();
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, next));
  }

  put(key, patch) {
    const bottom = innerHeight + scrollY >= root.scrollHeight - 48;
    this.entries = this.entries.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry));
    if (patch.phase) this.announce(this.entries.find((entry) => entry.key === key));
    if (bottom) void this.updateComplete.then(() => toEnd());
  }

  announce(entry) {
    const words = {
      answered: () => talk.spoken(entry.answer),
      unknown: () => "I don’t know.",
      remembered: () => `Remembered ${count(entry.remembered.length, "thing")}.`,
      known: () => "Already known.",
      updated: () => `${inMemories(entry.receipt.atoms_updated)} brought up to date.`,
      unreadable: () => `${entry.title} could not be read.`,
      done: () => entry.order.message,
      confirm: () => entry.order.message,
      unclear: () => entry.order.message,
      aside: () => (entry.setAside.length ? "Set aside." : "Nothing in it to remember."),
    }[entry.phase];
    if (words) this.announced = words();
    if (["remembered", "updated", "known", "aside", "unreadable", "dead"].includes(entry.phase)) void this.look();
    if (["unreadable", "dead"].includes(entry.phase)) this.needs.look();
    if (["remembered", "updated"].includes(entry.phase)) void this.loadRecent();
  }

  // Doing something with what is there

  act({ entry, action, candidate, intent, kept, over, outcome, verdict, words }) {
    const put = (patch) => this.put(entry.key, patch);
    switch (action) {
      case "again":
        if (entry.captureId) return talk.follow({ capture_id: entry.captureId }, put); // it was kept: only look again
        return entry.file ? talk.submitFile(entry, put) : talk.submit(entry, put);
      case "confirm":
        return talk.confirm(entry, put).then(() => this.forgotten(entry)).then(() => this.refresh());
      case "as":
        return talk.submit({ ...entry, kind: intent, intent, idempotencyKey: randomName() }, put);
      case "undo":
        return talk.undo(entry, put).then(() => this.undone(entry)).then(() => this.refresh());
      case "prefer":
        return this.prefer(entry, kept, over, outcome);
      case "more":
        return talk.showMore(entry, put);
      case "keep-words":
        return talk.keepWords(entry, put).then(() => this.refresh());
      case "keep":
        return talk.keep(entry, candidate, put).then(() => this.refresh());
      case "retry":
        return talk.retry(entry, put);
      case "download":
        return talk.download(entry, put);
      case "look":
        return talk.follow({ capture_id: entry.captureId }, put);
      case "judge":
        return this.judge(entry, verdict);
      case "right":
        return Promise.resolve(verdict && this.judge(entry, verdict)).then(() => this.say({ text: words, intent: "tell" }));
      case "ask-again":
        return this.say({ text: entry.text, intent: "ask" });
      case "show":
        return go(addressOf.memory(entry.receipt.atom_ids[0]));
    }
    throw new Error(`unknown action ${action}`);
  }

  async judge(entry, verdict) {
    await talk.judge(entry, verdict, (patch) => this.put(entry.key, patch));
    this.announced = "Noted.";
    void this.needs.look();
  }

  async prefer(entry, kept, over, outcome) {
    try {
      const { change_id: changeId } = await settle(kept, over, outcome);
      const by = this.changed({ words: outcome ? "Both hold" : "Kept", content: kept.content, changeId });
      this.put(entry.key, { problem: null, disagreements: entry.disagreements.map((pair) => ([pair.atom, pair.disagrees_with].every((each) => each === kept || each === over) ? { ...pair, by } : pair)) });
    } catch (problem) {
      this.put(entry.key, { problem });
    }
  }

  /** The key of the entry that says so, in Today. */
  changed({ words, content, changeId, gone }) {
    if (gone) {
      this.gone.add(gone);
      this.close();
    }
    if (this.place.view.name !== "today") {
      this.$("lattice-did").show({ words, content, changeIds: [changeId] });
      void this.refresh();
      return;
    }
    const entry = talk.newEntry({ kind: "change", text: words, title: content, changeId, trashed: gone ? [gone] : [] });
    this.entries = [...this.entries, entry];
    this.announced = `${words}.`;
    void this.refresh();
    return entry.key;
  }

  /** Which memories are there and which are not, after an entry was taken back or put back. */
  undone({ key }) {
    const { undone, receipt, trashed = [] } = this.entries.find((entry) => entry.key === key);
    for (const id of receipt?.atom_ids ?? []) undone ? this.gone.add(id) : this.gone.delete(id);
    for (const id of trashed) undone ? this.gone.delete(id) : this.gone.add(id);
    this.requestUpdate();
  }

  /** What a request that was shown first has put into the trash. */
  forgotten({ key, order: shown }) {
    const { order, phase } = this.entries.find((entry) => entry.key === key);
    if (order.action !== "forget" || phase !== "done") return;
    const trashed = shown.atoms.map((atom) => atom.atom_id);
    for (const id of trashed) this.gone.add(id);
    this.put(key, { trashed });
  }

  /** After a change: what is shown of it elsewhere. */
  async refresh({ quietly = false } = {}) {
    void this.look();
    void this.brief();
    await this.updateComplete; // a panel that was closed is gone
    this.needs.look();
    const view = this.$("main > [data-view]");
    const panel = this.$("lattice-panel");
    await Promise.all([quietly && panel?.isEdited ? null : panel?.load?.({ quietly }), view?.refresh?.(), this.recent || this.recentProblem ? this.loadRecent() : null, this.renew()]);
  }

  async renew() {
    if (!this.entries.length) return;
    const patches = await talk.renewed(this.entries, this.gone);
    this.entries = this.entries.map((entry) => {
      const told = Object.entries(patches.get(entry.key) ?? {}).filter(([, value]) => value !== undefined);
      return told.length ? { ...entry, ...Object.fromEntries(told) } : entry;
    });
  }

  /** The memory that is open is closed at once; the history follows. */
  close() {
    if (!this.atomId) return;
    this.place = { ...this.place, atomId: null, depth: 0 };
    closeMemory();
    void this.updateComplete.then(() => this.cameFrom?.focus?.({ preventScroll: true }));
  }

  async palette() {
    await import("/ui/palette.js");
    if (!this.$("lattice-palette")) this.append(document.createElement("lattice-palette"));
    this.$("lattice-palette").open();
  }

  /** The list of all memories, with what was looked for last. */
  async search() {
    const { searched } = await import("/ui/views/memories.js");
    go(searched());
    await this.updateComplete;
    const list = this.$("lattice-memories");
    await list.updateComplete;
    list.querySelector("input[type=search]").select();
  }

  // Knowing

  /** Looked at again, perhaps on another day: what is “today”, and what is due. */
  seenAgain() {
    void this.look();
    void this.brief();
    this.requestUpdate();
  }

  async look() {
    clearTimeout(this.nextLook);
    const status = document.hidden ? this.status : await get("/api/status").catch(() => null);
    const { since, problem } = this.$("main > [data-view]") ?? {};
    const away = this.status === null || (this.status === undefined && (since || problem?.away)); // by now: another look may have ended
    this.status = status;
    clearTimeout(this.nextLook); // of another look that ended meanwhile
    this.nextLook = setTimeout(() => this.look(), this.status === null || reading(this.status) ? LOOK_SOON : LOOK_AGAIN);
    if (away && this.status) void this.refresh({ quietly: true }); // what failed or was of an earlier time while it was away
    if (this.status) void this.sendKept();
    const { captures, inbox } = this.status ?? {};
    const unread = JSON.stringify([captures?.dead, inbox]);
    if (this.status && unread !== (this.unread ??= unread)) {
      this.unread = unread; // what needs its owner says so when the bar does
      void this.needs.look();
      void this.$("lattice-review")?.refresh?.();
    }
  }

  /** What was told and given while Lattice was away, in its order. */
  async sendKept() {
    if (this.sending) return;
    this.sending = true;
    for (const entry of this.entries.filter(({ phase }) => phase === "outbox")) {
      const put = (patch) => this.put(entry.key, patch);
      if ((await (entry.file ? talk.submitFile(entry, put) : talk.submit({ ...entry, kind: "tell" }, put))) === "away") break;
    }
    this.sending = false;
  }

  async loadRecent() {
    try {
      this.recent = (await get(`/api/atoms/recent?limit=${2 * RECENT}`)).atoms.filter((atom) => !isConcluded(atom)).slice(0, RECENT);
      this.recentProblem = null;
    } catch (problem) {
      this.recentProblem = problem;
    }
  }

  // Keys and files

  pressed(event) {
    if (event.defaultPrevented || event.altKey || this.$("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      void this.palette();
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (hideQuote()) return;
      if (this.atomId) this.close();
      return;
    }
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select")) return;
    if (event.key === "?") {
      event.preventDefault();
      this.$("dialog.keys").showModal();
    } else if (event.key === "/") {
      event.preventDefault();
      this.box.focus();
    } else if (event.key.length === 1 && event.key !== " ") {
      this.box.focus(); // the key itself lands in the box
    }
  }

  /** Files pasted outside the box; those pasted into it are the box's. */
  pasted(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (event.defaultPrevented || !files.length) return;
    event.preventDefault();
    void this.takeFiles(files);
  }

  dragged(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") {
      this.dropping = false;
      void this.takeFiles([...event.dataTransfer.files]);
    } else if (event.type === "dragleave") {
      this.dropping = event.relatedTarget !== null;
    } else {
      this.dropping = true;
    }
  }
}

customElements.define("lattice-page", Page);
