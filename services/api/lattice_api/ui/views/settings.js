// <lattice-settings>: light or dark, this browser and others, what goes out (backup, export, models elsewhere) and what comes in
// (files, exports of other programs), the archive, the trash with restore, and how Lattice is.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { fromPage, get, post, quoted, request, send, undo } from "/ui/api.js";
import { facts, fields, toClipboard } from "/ui/element.js";
import { isDark, switchTheme } from "/ui/appearance.js";
import { withoutIt } from "/ui/bar.js";
import { forget } from "/ui/offline.js";
import { addressOf } from "/ui/router.js";
import { take, upload } from "/ui/files.js";
import { clock, count, day, inMemories, number, shorten } from "/ui/words.js";
import { View, heading, listed } from "/ui/views/view.js";

const FIRST = 20; // of the trash, the archive and what was brought in; twice as many with each step

// Those that Lattice names itself.
const WHO = { first: "The token of the first start", cli: "The command line on this machine" };

const SCOPES = { read: "ask", capture: "tell", calendar: "show what is due, as a calendar" };

// What a language model is asked for.
const PURPOSES = { extract: "reading", repair: "reading again", supersede: "comparing", synthesize: "answering", rewrite: "understanding a question", intent: "telling questions from news", consolidate: "summing up", connect: "concluding", reflect: "concluding" };

class Settings extends View {
  static properties = fields("madeToken copied warned found brought sent");

  most = FIRST;

  async load() {
    const { most } = this;
    const [trash, archived, candidates, tokens, status, runs, imports] = await Promise.all([
      listed("trash?", "trash", most),
      listed("archive?", "atoms", most, (found) => `before=${found.at(-1).atom_id}`),
      get(`/api/archive/candidates?limit=${Math.min(most, 200)}`),
      get("/api/tokens").catch((problem) => ({ problem })), // needs another scope than the rest
      get("/api/status"),
      get("/api/ops"),
      listed("imports?", "imports", most),
    ]);
    return { trash: trash.trash, archived, candidates: candidates.candidates.map(({ atom }) => atom), tokens: tokens.tokens, status, runs, imports: imports.imports };
  }

  render() {
    return html`${heading("Settings")} ${this.appearance()}
      ${this.body((shown) => [this.devices(shown.tokens), this.data(shown.runs), this.bring(shown.imports), this.model(shown), this.finding(shown.status), this.others(), this.archive(shown), this.trash(shown.trash), this.health(shown.status)])}`;
  }

  /** Leads on to what is not shown yet, where as much is listed as was asked for. */
  further({ length }) {
    return length === this.most ? html`<p>${this.button("show more", () => ((this.most *= 2), this.refresh()))}</p>` : nothing;
  }

  appearance() {
    const other = isDark() ? "light" : "dark";
    return section("look", "Appearance", html`<p>${isDark() ? "Dark" : "Light"}. ${this.button(`switch to ${other}`, () => (switchTheme(), this.requestUpdate()))}</p>`);
  }

  devices(tokens) {
    return section("devices", "Devices and tokens", html`
      <p>This browser is signed in. ${this.button("sign out", this.signOut)}</p>
      ${tokens
        ? html`<ul class="plain-list">
              ${tokens.map(
                (token) => html`<li><span>${WHO[token.name] ?? token.name}</span> <span class="quiet">${mayWhat(token)}</span>
                  ${this.surely("revoke", `Revoke ${token.name}`, `This is for good: ${WHO[token.name] ?? token.name} opens nothing any more, and every browser has to sign in again, this one too.`, "revoke it for good", () => this.revoke(token.name))}</li>`,
              )}
            </ul>
            ${this.madeToken ? html`<p class="note">The token of ${this.madeToken.name}, shown this once: <code>${this.madeToken.token}</code> ${this.button(this.copied === this.madeToken ? "copied" : "copy", async () => (await toClipboard(this.madeToken.token), (this.copied = this.madeToken)))}</p>` : nothing}
            <form class="inline" @submit=${this.addToken}>
              <label>A token for <input name="name" required maxlength="100" pattern="[\\w.@ \\-]+" placeholder="phone" autocomplete="off" /></label>
              <label>that may <select name="scope"><option value="capture">tell</option><option value="read">ask</option><option value="read capture">tell and ask</option><option value="admin">ask, tell, change and forget</option></select></label>
              <button class="link" ?disabled=${this.busy}>make it</button>
            </form>`
        : nothing}`);
  }

  async signOut() {
    const went = await this.attempt(async () => {
      await post("/api/logout");
      await forget();
    });
    if (went) location.assign("/login"); // nothing is looked at anew, which would go there by another address
  }

  /** What is for good is asked about first: a button of this label, and then what it means, with two. */
  surely(words, label, meaning, yes, does) {
    if (this.warned !== label) return this.button(words, () => this.warn(label), label);
    return html`<p class="note warn" role="status">${meaning} ${this.button(yes, does)} ${this.button("keep it", () => this.warn(null))}</p>`;
  }

  /** Of what the button of a label means, or no longer; a second Enter does nothing for good. */
  async warn(label) {
    const before = this.warned;
    this.warned = label;
    await this.updateComplete;
    (label ? this.$(".note.warn button:last-child") : this.named(before)).focus();
  }

  revoke(name) {
    return this.act("", "", async () => void (await request("DELETE", `/api/tokens/${quoted(name)}`)));
  }

  addToken(event) {
    event.preventDefault();
    const form = event.target;
    const { name, scope } = Object.fromEntries(new FormData(form));
    return this.act("", "", async () => {
      this.madeToken = await post("/api/tokens", { name: name.trim(), scopes: scope.split(" ") });
      form.reset();
    });
  }

  data({ backup }) {
    return section("data", "Your data", html`
      <p>Every memory is a markdown file in the data folder. ${this.button("export all as JSON", () => this.take("GET", "/api/export", "lattice-export.ndjson"))}</p>
      <p>${backup ? `The last backup is of ${day(backup)}.` : "There is no backup yet."} ${this.button("make a backup", () => this.take("POST", "/api/backup"))}</p>
      <p class="quiet">“lattice restore” brings a backup back. With LATTICE_BACKUP_EVERY=day one is made each day.</p>`);
  }

  take(...what) {
    return this.act("", "", () => take(...what));
  }

  /** Files, and what another program exported: that is counted first, and brought in by a second click. */
  bring(imports) {
    const { found, brought } = this;
    return html`${section("bring", "Bring in", html`
      <p>Notes, conversations and documents: ${this.button("take in files", () => document.querySelector("lattice-box").pick())}</p>
      <p>What ChatGPT, Claude, WhatsApp, Notion and others exported: ${this.button("look into an export", () => this.$("[type=file]").click())}</p>
      <input type="file" hidden aria-label="An export" @change=${this.lookInto} />
      ${this.sent ? html`<p class="waiting">Sending … ${this.sent}</p>` : nothing}
      ${found ? html`<p class="note" role="status">${found.file.name}: ${account(found)}. ${found.found - found.skipped ? this.button("bring it in", this.bringIn) : nothing} ${this.button("leave it", () => (this.found = null))}</p>` : nothing}
      ${brought ? html`<p class="note" role="status">Brought in from ${brought.source_id}: ${inMemories(brought.atoms_new)}. ${brought.waiting ? `${brought.waiting} are still being read.` : ""}</p>` : nothing}
      ${imports.length ? html`<details><summary>What was brought in</summary><ul class="plain-list">${imports.map((each) => html`<li><span dir="auto">${each.source_id}</span> <span class="quiet">${inMemories(each.memories)}, ${day(each.last)}</span> ${this.button("take back", () => this.takeBack(each.source_id), `Take back ${each.source_id}`)}</li>`)}</ul>${this.further(imports)}</details>` : nothing}`)}
      ${section("demo", "Demo", imports.some((each) => each.source_id === "demo") ? html`<p>An invented life is in here, to try things on. ${this.button("take it out", () => this.takeBack("demo"))}</p>` : html`<p class="quiet">“lattice demo load” puts an invented life into an empty memory, to try things on.</p>`)}`;
  }

  lookInto({ target }) {
    const [file] = target.files;
    target.value = "";
    this.brought = null;
    return file && this.act("", "", async () => void (this.found = { file, ...(await this.send("/api/imports?dry_run=true", file)) }));
  }

  bringIn() {
    return this.act("", "", async () => {
      this.brought = await this.send("/api/imports", this.found.file);
      this.found = null;
    });
  }

  /** What a route says of an export; how much of it went is shown until then. */
  send(path, file) {
    return upload(path, file, { source: "user" }, (sent) => (this.sent = sent)).finally(() => (this.sent = null));
  }

  takeBack(name) {
    return this.act("Taken back", name, () => send("DELETE", `/api/sources/${quoted(name)}`));
  }

  /** Which model there is, what goes to it, and the ledger of what went. */
  model({ status, runs: { left, model: spent } }) {
    const model = status.language_model ?? {};
    return section("model", "Language model", html`
      <p>${!model.available ? "None is asked: nothing leaves this machine." : model.local ? `${model.synthesis_model}, on this machine.` : `${model.synthesis_model} at ${model.host}: what an answer needs is sent there, without what Lattice redacts.`}</p>
      ${spent.length ? html`<p class="quiet">Today: ${spent.map((each) => `${PURPOSES[each.purpose] ?? each.purpose} ${each.calls}× (${each.prompt + each.completion} tokens${each.cost ? `, ${each.cost.toFixed(2)}` : ""})`).join(", ")}.</p>` : nothing}
      ${left.length ? html`<details><summary>What left this machine, the last ${left.length}</summary><ul class="plain-list">${left.map((each) => html`<li><span class="quiet">${day(each.ts)} ${clock(each.ts)}</span> ${PURPOSES[each.purpose] ?? each.purpose}, to ${each.host} <span class="quiet">${each.bytes ? `a recording of ${count(each.bytes, "byte")}` : count(each.characters, "character")}${redacted(each.tags)}</span></li>`)}</ul></details>` : html`<p class="quiet">Nothing was ever sent elsewhere.</p>`}`);
  }

  finding({ model }) {
    return section("finding", "Search by meaning", html`
      <p>${model ? `${model.split("@")[0]}, on this machine, finds what is said in other words.` : "What you ask is found by its words only."}</p>
      <p class="quiet">LATTICE_EMBED_MODEL in .env names the model. After a change all is read anew in the background.</p>`);
  }

  others() {
    return section("others", "Telegram and assistants", html`
      <p>Telegram: with LATTICE_TELEGRAM_TOKEN in .env your own bot tells and asks.</p>
      <p>Claude, ChatGPT, editors: “lattice mcp-config” prints what to put where.</p>`);
  }

  /** What is out of recall, and what may go there. */
  archive({ archived, candidates }) {
    const lines = (atoms, words, does) => html`<ul class="plain-list">${atoms.map((atom) => html`<li><a class="content" href=${addressOf.memory(atom.atom_id)} dir="auto">${shorten(atom.content, 90)}</a> ${this.button(words, () => does(atom))}</li>`)}</ul>`;
    return section("archive", "Archive", html`
      <p class="quiet">${archived.count ? `${inMemories(archived.count)} set aside: questions pass over them.` : "Nothing is archived."}</p>
      ${lines(archived.atoms, "bring back", (atom) => this.move("Brought back", atom, "/restore"))} ${this.further(archived.atoms)}
      ${candidates.length ? html`<details><summary>Memories that nobody asked for in a long time</summary>${lines(candidates, "archive", (atom) => this.move("Archived", atom, ""))}${candidates.length < 200 ? this.further(candidates) : nothing}</details>` : nothing}`);
  }

  move(words, atom, where) {
    return this.act(words, atom.content, () => fromPage(`/api/archive${where}`, { atom_ids: [atom.atom_id] }));
  }

  trash(trash) {
    return section("trash", "Trash", html`
      ${trash.length ? nothing : html`<p class="quiet">It is empty. What you forget lies here first, and can be brought back.</p>`}
      ${trash.map(
        (each) => html`<div class="deletion">
          <p class="line"><span class="quiet">${inMemories(each.count)}, deleted ${day(each.deleted_at)}, forgotten for good ${day(each.until)}</span>
            <span class="more">${this.button("restore", () => this.restore(each))}</span></p>
          <p>${this.surely("forget for good", `Forget for good: ${shorten(each.atoms[0]?.content ?? "", 60)}`, `Forget ${inMemories(each.count)} for good? Nothing brings ${each.count === 1 ? "it" : "them"} back, out of backups neither.`, "forget for good", () => this.forgetNow(each))}</p>
          <ul class="gone">${each.atoms.map((atom) => html`<li dir="auto">${atom.content}</li>`)}</ul>
          ${each.count > each.atoms.length ? this.button(`and ${number(each.count - each.atoms.length)} more`, () => this.unfold(each)) : nothing}
        </div>`,
      )} ${this.further(trash)}`);
  }

  /** More of what a deletion took. */
  unfold(each) {
    return this.attempt(async () => {
      const { atoms } = await get(`/api/trash/${each.change_id}?start=${each.atoms.length}`);
      each.atoms.push(...atoms);
      if (!atoms.length) each.count = each.atoms.length; // the rest was restored or forgotten meanwhile
      this.requestUpdate();
    });
  }

  /** All that a deletion took, at once and out of everything. */
  forgetNow({ change_id: id, atoms, count: many }) {
    return this.act("", "", async () => {
      const all = [...atoms];
      for (let more = all; more.length && all.length < many; all.push(...more)) ({ atoms: more } = await get(`/api/trash/${id}?start=${all.length}&limit=200`));
      const what = { atom_ids: all.map((atom) => atom.atom_id), now: true };
      const { confirm } = await fromPage("/api/forget", what);
      await fromPage("/api/forget", { ...what, confirm });
      this.warned = null;
    });
  }

  restore(each) {
    return this.act("Restored", each.atoms[0]?.content ?? "", () => undo(each.change_id));
  }

  health(status) {
    return section("health", "How Lattice is", html`
      <dl class="facts">${facts([
        ["Memories", number(status.atoms)],
        ["For now", (status.degraded ?? []).map(withoutIt).join("; ")],
        ["Version", status.versions?.lattice],
      ])}</dl>
      <p><a class="link" href="/ops">how it runs</a></p>`);
  }
}

/** A part of the settings below its heading. */
const section = (id, words, content) => html`<section class="setting" id=${id} aria-labelledby="s-${id}"><h3 id="s-${id}">${words}</h3>${content}</section>`;

/** What a token opens, into which source, and until when. */
const mayWhat = ({ scopes, source_id: source, expires_at: end }) =>
  [`may ${scopes.includes("admin") ? "ask, tell, change and forget" : scopes.map((scope) => SCOPES[scope]).join(" and ")}${source ? ` into ${source}` : ""}`, end && `until ${day(end)}`].filter(Boolean).join(" · ");

/** What an export holds, counted. */
const account = ({ found, duplicate, skipped, first, last }) =>
  [`${count(found, "thing")}${first ? ` from ${day(first)} to ${day(last)}` : ""}`, duplicate && `${duplicate} known already`, skipped && `${skipped} left out`].filter(Boolean).join(", ");

const redacted = (tags) => Object.entries(tags).map(([kind, n]) => `, ${n} ${kind.toLowerCase()} redacted`).join("");

customElements.define("lattice-settings", Settings);
