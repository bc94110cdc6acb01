// <lattice-settings>: light or dark, this browser and others, what is exported, the trash with restore, and how Lattice is.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { request, get, post } from "/ui/api.js";
import { isDark, switchTheme } from "/ui/appearance.js";
import { forget } from "/ui/offline.js";
import { addressOf } from "/ui/router.js";
import { count, day, shorten } from "/ui/words.js";
import { View } from "/ui/views/view.js";

const SCOPES = { read: "ask", capture: "tell", admin: "everything" };

class Settings extends View {
  static properties = { madeToken: { state: true } };

  async load() {
    const [trash, archived, candidates, tokens, status] = await Promise.all([
      get("/api/trash"),
      get("/api/archive?limit=20"),
      get("/api/archive/candidates?limit=20"),
      get("/api/tokens").catch((problem) => ({ problem })), // needs another scope than the rest
      get("/api/status"),
    ]);
    return { trash: trash.trash, archived, candidates: candidates.candidates.map(({ atom }) => atom), tokens: tokens.tokens, status };
  }

  render() {
    return html`<div class="view-head"><h2 tabindex="-1">Settings</h2></div>
      ${this.trouble()} ${this.appearance()}
      ${this.shown ? html`${this.devices(this.shown.tokens)} ${this.data()} ${this.archive(this.shown)} ${this.trash(this.shown.trash)} ${this.health(this.shown.status)}` : this.problem ? nothing : html`<p class="quiet waiting">Looking …</p>`}`;
  }

  appearance() {
    const other = isDark() ? "light" : "dark";
    return html`<section class="setting" aria-labelledby="s-look">
      <h3 id="s-look">Appearance</h3>
      <p>${isDark() ? "Dark" : "Light"}. <button class="link" @click=${() => (switchTheme(), this.requestUpdate())}>switch to ${other}</button></p>
    </section>`;
  }

  devices(tokens) {
    return html`<section class="setting" aria-labelledby="s-devices">
      <h3 id="s-devices">Devices and tokens</h3>
      <p>This browser is signed in. <button class="link" @click=${this.signOut}>sign out</button></p>
      ${tokens
        ? html`<ul class="plain-list">
              ${tokens.map(
                (token) => html`<li><span>${token.name}</span> <span class="quiet">may ${token.scopes.map((scope) => SCOPES[scope]).join(", ")}</span>
                  <button class="link" ?disabled=${this.busy} aria-label="Revoke ${token.name}" @click=${() => this.revoke(token.name)}>revoke</button></li>`,
              )}
            </ul>
            ${this.madeToken ? html`<p class="note">The token of ${this.madeToken.name}, shown this once: <code>${this.madeToken.token}</code></p>` : nothing}
            <form class="inline" @submit=${this.addToken}>
              <label>A token for <input name="name" required maxlength="100" pattern="[\\w.@ \\-]+" placeholder="phone" autocomplete="off" /></label>
              <label>that may <select name="scope"><option value="capture">tell</option><option value="read">ask</option><option value="read capture">tell and ask</option><option value="admin">do everything</option></select></label>
              <button class="link" ?disabled=${this.busy}>make it</button>
            </form>`
        : nothing}
    </section>`;
  }

  async signOut() {
    await this.act("", "", async () => {
      await post("/api/logout");
      await forget();
    });
    if (!this.problem) location.assign("/login");
  }

  revoke(name) {
    return this.act("", "", async () => void (await request("DELETE", `/api/tokens/${encodeURIComponent(name)}`)));
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

  data() {
    return html`<section class="setting" aria-labelledby="s-data">
      <h3 id="s-data">Your data</h3>
      <p>Every memory is a markdown file in the data folder. <button class="link" ?disabled=${this.busy} @click=${this.export}>export all as JSON</button></p>
      <p>Notes, conversations and documents: <button class="link" @click=${() => document.querySelector("lattice-box").pick()}>take in files</button></p>
      <p class="quiet">“lattice backup” writes a whole backup, and “lattice restore” brings it back.</p>
    </section>`;
  }

  export() {
    return this.act("", "", async () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await (await request("GET", "/api/export")).blob());
      link.download = "lattice-export.ndjson";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
  }

  /** What is out of recall, and what may go there. */
  archive({ archived, candidates }) {
    const lines = (atoms, words, does) => html`<ul class="plain-list">${atoms.map((atom) => html`<li><a class="content" href=${addressOf.memory(atom.atom_id)} dir="auto">${shorten(atom.content, 90)}</a> <button class="link" ?disabled=${this.busy} @click=${() => does(atom)}>${words}</button></li>`)}</ul>`;
    return html`<section class="setting" aria-labelledby="s-archive">
      <h3 id="s-archive">Archive</h3>
      <p class="quiet">${archived.count ? `${count(archived.count, "memory", "memories")} set aside: questions pass over them.` : "Nothing is archived."}</p>
      ${lines(archived.atoms, "bring back", (atom) => this.move("Brought back", atom, "/restore"))}
      ${candidates.length ? html`<details><summary>${count(candidates.length, "memory", "memories")} that nobody asked for in a long time</summary>${lines(candidates, "archive", (atom) => this.move("Archived", atom, ""))}</details>` : nothing}
    </section>`;
  }

  move(words, atom, where) {
    return this.act(words, atom.content, async () => (await post(`/api/archive${where}`, { atom_ids: [atom.atom_id], channel: "page" })).change_id);
  }

  trash(trash) {
    return html`<section class="setting" id="trash" aria-labelledby="s-trash">
      <h3 id="s-trash">Trash</h3>
      ${trash.length ? nothing : html`<p class="quiet">It is empty. What you forget lies here first, and can be brought back.</p>`}
      ${trash.map(
        (each) => html`<div class="deletion">
          <p class="line"><span class="quiet">${count(each.count, "memory", "memories")}, deleted ${day(each.deleted_at)}, forgotten for good ${day(each.until)}</span>
            <span class="more"><button class="link" ?disabled=${this.busy} @click=${() => this.restore(each)}>restore</button></span></p>
          <ul class="gone">${each.atoms.map((atom) => html`<li>${atom.content}</li>`)}</ul>
          ${each.count > each.atoms.length ? html`<p class="quiet">and ${each.count - each.atoms.length} more</p>` : nothing}
        </div>`,
      )}
    </section>`;
  }

  restore(each) {
    return this.act("Restored", each.atoms[0]?.content ?? "", async () => (await post(`/api/undo/${each.change_id}`)).change_id);
  }

  health(status) {
    const model = status.language_model ?? {};
    const lines = [
      ["Memories", String(status.atoms)],
      ["Writer", status.writer],
      ["Search", [status.engines?.lexical, status.engines?.dense].filter(Boolean).join(", ")],
      ["Embedding model", status.model ?? "none: searching by words"],
      ["Language model", model.available ? `${model.synthesis_model}, ${model.local ? "on this machine" : `at ${model.host}: what an answer needs is sent there`}` : "none: nothing leaves this machine"],
      ["Going without", (status.degraded ?? []).join("; ")],
      ["Version", status.versions?.lattice],
    ];
    return html`<section class="setting" aria-labelledby="s-health">
      <h3 id="s-health">How Lattice is</h3>
      <dl class="facts">${lines.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    </section>`;
  }
}

customElements.define("lattice-settings", Settings);
