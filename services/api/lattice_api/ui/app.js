// <lattice-page>: the whole page. It holds the entries, the panel's place and the status; everything below is given values.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { repeat } from "/ui/vendor/lit/html/directives/repeat.js";
import { PageElement } from "/ui/element.js";
import { get, post, randomName } from "/ui/api.js";
import { whenSystemSwitches } from "/ui/appearance.js";
import { bar, keysDialog } from "/ui/bar.js";
import { hideQuote, spoken } from "/ui/citations.js";
import * as conversation from "/ui/conversation.js";
import { memories } from "/ui/memories.js";
import { trouble } from "/ui/trouble.js";
import { welcome } from "/ui/welcome.js";
import { count } from "/ui/words.js";
import "/ui/box.js";
import "/ui/entry.js";
import "/ui/panel.js";
import "/ui/search.js";

const RECENT = 12;
const NARROW = matchMedia("(max-width: 71.99rem)"); // as in panel.css
const FILES_AT_ONCE = 3; // sent and followed at the same time; the others wait with a line of their own
const LOOK_AGAIN = 15_000; // ms between looks at the status, while the page is seen
const LOOK_SOON = 1_500; // while Lattice does not answer, or reads what it was told

const reading = (status) => (status?.captures?.waiting ?? 0) + (status?.captures?.working ?? 0) > 0;

class Page extends PageElement {
  static properties = Object.fromEntries(
    ["entries", "recent", "recentProblem", "recentFolded", "status", "trail", "searching", "dropping", "announced"].map((name) => [name, { state: true }]),
  );

  constructor() {
    super();
    this.entries = [];
    this.trail = []; // the ids of the memories opened one after the other; the last is shown
    this.tried = new Set();
    this.gone = new Set(); // ids of the memories that were taken back or put into the trash here
    this.status = undefined; // not known yet
    this.announced = "";
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
    on(this, "open-atom", (event) => this.open(event.detail.atomId));
    on(this, "panel-back", () => (this.trail = this.trail.slice(0, -1)));
    on(this, "close-panel", this.close);
    on(this, "close-search", () => this.search(false));
    on(this, "keys", () => this.querySelector("dialog").showModal());
    on(this, "changed", (event) => this.changed(event.detail));
    on(document, "keydown", this.pressed);
    on(document, "paste", this.pasted);
    on(document, "scroll", hideQuote);
    for (const type of ["dragenter", "dragover", "dragleave", "drop"]) on(document, type, this.dragged);
    whenSystemSwitches(() => this.requestUpdate());
    NARROW.addEventListener("change", () => this.requestUpdate());
    void this.look();
    void this.loadRecent();
    on(document, "visibilitychange", () => !document.hidden && this.look());
    on(window, "online", this.look);
  }

  firstUpdated() {
    const shared = new URL(location.href).searchParams;
    const words = ["title", "text", "url"].map((name) => shared.get(name)?.trim()).filter(Boolean);
    const atomId = shared.get("atom"); // where an assistant's citation leads
    if (!words.length && !atomId) return;
    if (words.length) this.box.fill([...new Set(words)].join("\n"));
    history.replaceState(null, "", location.pathname);
    void this.open(atomId);
  }

  get box() {
    return this.querySelector("lattice-box");
  }

  get atomId() {
    return this.trail.at(-1) ?? null;
  }

  render() {
    const covered = Boolean(this.atomId) && NARROW.matches; // by the sheet: what is below it can't be reached
    return html`
      ${bar(this.status, {
        search: () => this.search(!this.searching),
        theme: () => this.requestUpdate(),
        keys: () => this.querySelector("dialog").showModal(),
      }, covered)}
      <div class="stage">
        <main class="column" ?inert=${covered}>
          ${this.searching ? html`<lattice-search></lattice-search>` : this.feed()}
        </main>
        ${this.atomId
          ? html`<div class="backdrop" @click=${this.close}></div>
              <lattice-panel .atomId=${this.atomId} ?gone=${this.gone.has(this.atomId)} ?canGoBack=${this.trail.length > 1}></lattice-panel>`
          : nothing}
      </div>
      <section class="dock" aria-label="Say something" ?inert=${covered}><div class="column"><lattice-box></lattice-box></div></section>
      ${keysDialog()}
      ${this.dropping ? html`<div class="drop" aria-hidden="true"><p>Drop to remember</p></div>` : nothing}
      <p class="sr" aria-live="polite" id="announced">${this.announced}</p>
    `;
  }

  feed() {
    const empty = this.recent?.length === 0;
    const trying = this.tried.size > 0; // the examples stay until the page is opened again: one leads to the other
    return html`
      ${this.recentProblem ? trouble(this.recentProblem, () => this.loadRecent()) : nothing}
      ${empty || (this.recent && trying) ? welcome(this.tried, (example) => this.try(example), empty) : this.lately()}
      ${repeat(this.entries, (entry) => entry.key, (entry) => html`<lattice-entry .entry=${entry}></lattice-entry>`)}
    `;
  }

  lately() {
    if (!this.recent) return nothing;
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
    const kind = intent === "auto" ? (guessed ?? "tell") : intent; // until the server says what it is
    await this.run({ kind, text, intent, idempotencyKey: randomName() }, conversation.submit);
  }

  try(example) {
    this.tried.add(example.text);
    void this.say(example);
  }

  async run(fields, send) {
    this.searching = false;
    const entry = conversation.newEntry(fields);
    this.entries = [...this.entries, entry];
    await this.updateComplete;
    scrollTo({ top: document.documentElement.scrollHeight });
    await send(entry, (patch) => this.put(entry.key, patch));
    void this.look();
  }

  async takeFiles(files) {
    const named = (file) => conversation.newEntry({ kind: "file", title: file.name || "pasted", file, idempotencyKey: randomName() });
    const waiting = [...files].map(named); // each has its line at once
    this.searching = false;
    this.entries = [...this.entries, ...waiting];
    await this.updateComplete;
    scrollTo({ top: document.documentElement.scrollHeight });
    const next = async () => {
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
        await conversation.submitFile(entry, (patch) => this.put(entry.key, patch));
        void this.look();
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, next));
  }

  put(key, patch) {
    const bottom = innerHeight + scrollY >= document.documentElement.scrollHeight - 48;
    this.entries = this.entries.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry));
    if (patch.phase) this.announce(this.entries.find((entry) => entry.key === key));
    if (bottom) void this.updateComplete.then(() => scrollTo({ top: document.documentElement.scrollHeight }));
  }

  announce(entry) {
    const words = {
      answered: () => spoken(entry.answer),
      unknown: () => "I don’t know.",
      remembered: () => `Remembered ${count(entry.remembered.length, "thing")}.`,
      known: () => "Already known.",
      updated: () => `${count(entry.receipt.atoms_updated, "memory", "memories")} brought up to date.`,
      unreadable: () => `${entry.title} could not be read.`,
      done: () => entry.order.message,
      confirm: () => entry.order.message,
      unclear: () => entry.order.message,
      aside: () => (entry.setAside.length ? "Set aside." : "Nothing in it to remember."),
    }[entry.phase];
    if (words) this.announced = words();
    if (["remembered", "updated", "known", "aside", "unreadable", "dead"].includes(entry.phase)) void this.look();
    if (["remembered", "updated"].includes(entry.phase)) void this.loadRecent();
  }

  // Doing something with what is there

  act({ entry, action, candidate, intent, kept, over }) {
    const put = (patch) => this.put(entry.key, patch);
    switch (action) {
      case "again":
        if (entry.captureId) return conversation.follow({ capture_id: entry.captureId }, put); // it was kept: only look again
        return entry.file ? conversation.submitFile(entry, put) : conversation.submit(entry, put);
      case "confirm":
        return conversation.confirm(entry, put).then(() => this.forgotten(entry)).then(() => this.refresh());
      case "as":
        return conversation.submit({ ...entry, kind: intent, intent, idempotencyKey: randomName() }, put);
      case "undo":
        return conversation.undo(entry, put).then(() => this.undone(entry)).then(() => this.refresh());
      case "prefer":
        return this.prefer(entry, kept, over);
      case "more":
        return conversation.showMore(entry, put);
      case "keep-words":
        return conversation.keepWords(entry, put).then(() => this.refresh());
      case "keep":
        return conversation.keep(entry, candidate, put).then(() => this.refresh());
      case "retry":
        return conversation.retry(entry, put);
      case "look":
        return conversation.follow({ capture_id: entry.captureId }, put);
      case "show":
        return this.open(entry.receipt.atom_ids[0]);
    }
    throw new Error(`unknown action ${action}`);
  }

  async prefer(entry, kept, over) {
    try {
      const { change_id: changeId } = await post(`/api/atoms/${kept.atom_id}/prefer`, { over: over.atom_id });
      this.changed({ words: "Kept", content: kept.content, changeId });
    } catch (problem) {
      this.put(entry.key, { problem });
    }
  }

  changed({ words, content, changeId, gone }) {
    if (gone) {
      this.gone.add(gone);
      void this.close();
    }
    this.entries = [...this.entries, conversation.newEntry({ kind: "change", text: words, title: content, changeId, trashed: gone ? [gone] : [] })];
    this.announced = `${words}.`;
    void this.refresh();
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
  async refresh() {
    void this.look();
    await this.updateComplete; // a panel that was closed is gone
    await Promise.all([this.querySelector("lattice-panel")?.load(), this.recent ? this.loadRecent() : null, this.renew()]);
  }

  async renew() {
    const patches = await conversation.renewed(this.entries, this.gone);
    this.entries = this.entries.map((entry) => {
      const told = Object.entries(patches.get(entry.key) ?? {}).filter(([, value]) => value !== undefined);
      return told.length ? { ...entry, ...Object.fromEntries(told) } : entry;
    });
  }

  async open(atomId) {
    if (!atomId || atomId === this.atomId) return;
    if (!this.atomId) this.cameFrom = document.activeElement;
    this.trail = [...this.trail, atomId];
    await this.updateComplete;
    this.querySelector("lattice-panel").focus();
  }

  async close() {
    this.trail = [];
    await this.updateComplete;
    this.cameFrom?.focus?.({ preventScroll: true });
  }

  async search(on) {
    this.searching = on;
    await this.updateComplete;
    (on ? this.querySelector("lattice-search") : this.box).focus();
  }

  // Knowing

  async look() {
    clearTimeout(this.nextLook);
    const away = this.status === null;
    this.status = document.hidden ? this.status : await get("/api/status").catch(() => null);
    clearTimeout(this.nextLook); // of another look that ended meanwhile
    this.nextLook = setTimeout(() => this.look(), this.status === null || reading(this.status) ? LOOK_SOON : LOOK_AGAIN);
    if (away && this.status && this.recentProblem) void this.loadRecent(); // what failed while it was away
  }

  async loadRecent() {
    try {
      this.recent = (await get(`/api/atoms/recent?limit=${RECENT}`)).atoms;
      this.recentProblem = null;
    } catch (problem) {
      this.recentProblem = problem;
    }
  }

  // Keys and files

  pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.querySelector("dialog").open) return;
    if (event.key === "Escape") {
      if (hideQuote()) return;
      if (this.atomId) void this.close();
      else if (this.searching) void this.search(false);
      return;
    }
    if (event.target.closest?.("input, textarea, select")) return;
    if (event.key === "?") {
      event.preventDefault();
      this.querySelector("dialog").showModal();
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
