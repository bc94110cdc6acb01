// <lattice-panel>: one memory with where it comes from, beside the text on wide screens and as a sheet on phones.
// Fires `close-panel`, `changed` {words, content, changeId, gone}, `judged`,
// `panel-back`.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, button, facts, fields, thumb, whatIsRight, wrong } from "/ui/element.js";
import { amend, feedback, get, quoted, request, send, settle } from "/ui/api.js";
import { openOriginal } from "/ui/files.js";
import * as icons from "/ui/icons.js";
import { became, changeOf } from "/ui/memories.js";
import { addressOf } from "/ui/router.js";
import { trouble } from "/ui/trouble.js";
import { cut, dated, day, isConcluded, meant, place, shorten } from "/ui/words.js";

const CONTEXT = 600; // characters of the source shown on either side of the quote

const SHEET = matchMedia("(max-width: 71.99rem)"); // as in panel.css
const SWIPE = 80; // px that a finger draws the sheet down to close it

const unsaved = new Map(); // atom id -> words that were edited and not saved; they wait when their memory is closed

/** Who says so, where it is not the person's own words. */
function origin(atom) {
  if (atom.metadata?.learned) return "learned from a document";
  return isConcluded(atom) ? (atom.extractor?.startsWith("extractive") ? "put together from what you said" : "concluded by the language model") : "";
}

/** Whether its owner said which of two to keep, which is a reason of its own. */
const choice = ({ superseded_reason: reason }) => Boolean(reason) && !reason.startsWith("replaced by");

class Panel extends PageElement {
  static properties = fields("atomId canGoBack gone atom problem draft missing heldBack verdict asking"); // heldBack: Esc was pressed over words that are not saved

  willUpdate(changed) {
    if (this.atomId && (changed.has("atomId") || changed.has("gone"))) void this.load();
  }

  /** `quietly`: because something changed somewhere, it may be gone. */
  async load({ quietly = false } = {}) {
    const atomId = this.atomId;
    if (quietly && this.atom && this.atom.kind !== "passage") {
      const found = await get(`/api/atoms?ids=${quoted(atomId)}`).catch(() => null); // the bar says that Lattice is away
      if (!found || atomId !== this.atomId || this.isEdited) return; // what is being edited stays as it is
      if (!found.atoms.length) return void ([this.atom, this.missing] = [null, true]);
    }
    if (this.atom?.atom_id !== atomId) this.verdict = this.asking = null;
    this.problem = null;
    this.heldBack = this.missing = false;
    this.draft = unsaved.get(atomId) ?? null;
    if (this.gone) return void (this.atom = null);
    try {
      const response = await request("GET", `/api/atoms/${atomId}`);
      const atom = { ...(await response.json()), etag: response.headers.get("etag") };
      atom.successor = atom.replaced_by ?? null;
      if (atom.superseded_by && !atom.successor) {
        atom.successor = await get(`/api/atoms/${atom.superseded_by}`).catch(() => null); // it may be in the trash
      }
      if (atomId === this.atomId) this.atom = atom;
    } catch (problem) {
      if (atomId !== this.atomId) return;
      this.atom = null;
      if (problem.status === 404) this.missing = true; // nothing is wrong: it was forgotten elsewhere
      else this.problem = problem;
    }
    await this.updateComplete;
    this.$(".source-text mark")?.scrollIntoView({ block: "nearest" });
  }

  get isEdited() {
    return this.draft !== null && this.draft !== undefined;
  }

  focus() {
    this.$(".panel")?.focus();
  }

  render() {
    return html`<aside class="panel" tabindex="-1" aria-label="Memory and its source">
      <div class="panel-bar" @pointerdown=${this.grabbed}>
        ${this.canGoBack
          ? html`<button class="plain" aria-label="Back" @click=${() => this.tell("panel-back")}>${icons.back}</button>`
          : nothing}
        <h2>Memory</h2>
        <button class="plain" aria-label="Close" title="Close (Esc)" @click=${() => this.tell("close-panel")}>${icons.close}</button>
      </div>
      <div class="panel-body">
        ${this.problem ? trouble(this.problem, () => this.load()) : nothing}
        ${this.atom ? this.memory(this.atom) : this.problem ? nothing : this.without()}
      </div>
    </aside>`;
  }

  /** A sheet follows the finger down, and is closed by letting go of it far enough. */
  grabbed(event) {
    if (event.pointerType !== "touch" || !SHEET.matches || event.target.closest("button")) return;
    const [handle, sheet, from] = [event.currentTarget, this.$(".panel"), event.clientY];
    const left = new AbortController();
    const drawn = (other) => Math.max(0, other.clientY - from);
    const end = (other) => {
      left.abort();
      sheet.style.translate = "";
      if (other.type === "pointerup" && drawn(other) > SWIPE) this.tell("close-panel");
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", (other) => (sheet.style.translate = `0 ${drawn(other)}px`), { signal: left.signal });
    for (const type of ["pointerup", "pointercancel"]) handle.addEventListener(type, end, { signal: left.signal });
  }

  without() {
    return this.gone || this.missing
      ? html`<p class="quiet">This memory is not there any more: it was taken back, or lies in the trash.</p>`
      : html`<p class="quiet waiting">Looking …</p>`;
  }

  memory(atom) {
    return html`
      ${!this.isEdited ? html`<p class="statement" dir="auto">${atom.content}</p>` : this.editor()} ${this.asking ? whatIsRight(this.right) : nothing}
      ${this.replacedBy(atom)} ${this.disagrees(atom)} ${this.facts(atom)} ${this.edited(atom)} ${this.source(atom)} ${this.replaced(atom)} ${this.related(atom)}
      ${!this.isEdited ? this.actions(atom) : nothing} ${this.details(atom)}
    `;
  }

  replacedBy(atom) {
    if (!atom.is_superseded) return nothing;
    return html`<section class="note warn">
      <h3>Replaced${atom.replaced_on ? ` · ${day(atom.replaced_on)}` : ""}</h3>
      ${atom.change ? html`<p>${changeOf({ change: atom.change })}</p>` : nothing}
      ${atom.successor ? this.link(atom.successor) : nothing}
      ${atom.successor && !choice(atom) ? nothing : html`<p class="because">${atom.superseded_reason}</p>`}
    </section>`;
  }

  /** Of two that can't both be true, the person says which; until then both stay. */
  disagrees(atom) {
    return (atom.disagrees ?? []).map(
      (other) => html`<section class="note warn">
        <h3>Disagrees with</h3>
        ${this.link(other)}
        <div class="actions">
          ${button("keep this", () => this.prefer(atom, other))}
          ${button("keep that", () => this.prefer(other, atom))}
          ${button("both hold", () => this.prefer(atom, other, "both"))}
        </div>
      </section>`,
    );
  }

  async prefer(kept, over, outcome) {
    await this.change(outcome ? "Both hold" : "Kept", kept.content, () => settle(kept, over, outcome));
  }

  facts(atom) {
    return html`<dl class="facts">${facts([
      isConcluded(atom) ? ["Concluded", day(atom.ingested_at)] : ["Said", [day(atom.observed_at), place(atom)].filter(Boolean).join(" · ")],
      ["About", atom.subject && html`<a dir="auto" href=${addressOf.about(atom.subject)}>${atom.subject}</a> · <a href="/graph?memory=${atom.atom_id}">map</a>`],
      ["How", origin(atom)],
      ["Meant", meant(atom)],
      ["True from", atom.valid_from && dated(atom.valid_from, atom.date_phrase)],
      ["Until", atom.valid_until && day(atom.valid_until)],
    ])}</dl>`;
  }

  source(atom) {
    if (isConcluded(atom)) return nothing; // each of the memories that it rests on has its own
    const { source } = atom;
    if (!source) return html`<section><h3>Source</h3><p class="because">Its words are not kept any more.</p></section>`;
    const [before, quote, after] = cut(source.text, source.start, source.end);
    return html`<section>
      <h3>${atom.edits?.length ? "Source, as it was said" : "Source"}${source.original ? html`<span class="where"> ${[source.original, source.place].filter(Boolean).join(", ")}</span>` : nothing}</h3>
      <blockquote class="source-text" dir="auto">${before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before}<mark>${quote}</mark>${after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after}</blockquote>
      ${source.original ? html`<p class="because">${button("open the original", () => this.attempt(() => openOriginal(source.capture_id, source.original)))}</p>` : nothing}
    </section>`;
  }

  replaced(atom) {
    const former = atom.history ?? [];
    if (!former.length) return nothing;
    return html`<section>
      <h3>What it replaced</h3>
      <ol class="history">
        ${former.map((old) => html`<li>
          ${this.link(old)}
          ${old.change ? html`<p class="because">${changeOf(old)}</p>` : choice(old) ? html`<p class="because">${old.superseded_reason}</p>` : nothing}
        </li>`)}
      </ol>
    </section>`;
  }

  edited(atom) {
    const edits = atom.edits ?? [];
    if (!edits.length) return nothing;
    const next = [atom.content, ...edits.map((edit) => edit.content)]; // each became the one before it in this list
    return html`<section>
      <h3>What it said before</h3>
      <ol class="history">
        ${edits.map((edit, at) => html`<li>
          <p class="change" dir="auto"><s>${shorten(edit.content, 200)}</s> → ${shorten(next[at], 200)} <span class="where">· ${day(edit.until)}</span></p>
        </li>`)}
      </ol>
    </section>`;
  }

  related(atom) {
    const related = (atom.related ?? []).filter((other) => other.content);
    const under = (heading, others) =>
      others.length
        ? html`<section><h3>${heading}</h3><ul class="history">${others.map((other) => html`<li>${this.link(other)}</li>`)}</ul></section>`
        : nothing;
    return [
      under("Rests on", related.filter((other) => other.type === "derives")),
      under("Goes with", related.filter((other) => other.type !== "derives").slice(0, 5)),
    ];
  }

  link(atom) {
    return html`<a class="source" href=${addressOf.memory(atom.atom_id)}>
      <span class=${atom.successor ? "replaced" : ""}><span class="content" dir="auto">${shorten(atom.content, 200)}</span> <span class="where">${day(atom.observed_at)}</span> ${became(atom)}</span>
    </a>`;
  }

  actions(atom) {
    const whole = atom.source ? html`<a class="link" href=${addressOf.source(atom.capture_id, atom.atom_id)}>whole text</a>` : nothing;
    if (atom.kind === "passage") return html`<div class="actions">${whole}</div>`; // what a document says is not edited here
    return html`<div class="actions">
      <button class="link" data-does="edit" @click=${() => this.edit(atom.content)}>edit</button>
      ${thumb("up", "This is right", this.verdict, this.judge)} ${thumb("down", "This is of no use", this.verdict, this.judge)}
      ${wrong(this.verdict, this.judge, () => this.ask("right"))} ${button("forget", this.forget)}
      ${whole}
    </div>`;
  }

  editor() {
    return html`<form class="editor" @submit=${this.save}>
      <textarea rows="4" dir="auto" aria-label="What should it say?" .value=${this.draft} @input=${this.typed} @keydown=${this.pressed}></textarea>
      ${this.heldBack ? html`<p class="because" role="status">Not saved yet. Ctrl Enter saves it, “cancel” drops your words.</p>` : nothing}
      <div class="actions">
        <button class="primary" ?disabled=${!this.draft.trim() || this.draft.trim() === this.atom.content}>Save</button>
        ${button("cancel", this.cancel)}
      </div>
    </form>`;
  }

  async edit(content) {
    this.draft = content;
    await this.updateComplete;
    const area = this.$(".editor textarea");
    area.focus();
    area.setSelectionRange(content.length, content.length);
  }

  typed(event) {
    this.draft = event.target.value;
    this.heldBack = false;
    if (this.draft === this.atom.content) unsaved.delete(this.atomId);
    else unsaved.set(this.atomId, this.draft);
  }

  /** Esc leaves the editor, unless that would lose words; Ctrl Enter saves. */
  pressed(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault(); // the panel stays
      if (this.draft.trim() === this.atom.content) void this.cancel();
      else this.heldBack = true;
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  }

  async cancel() {
    unsaved.delete(this.atomId);
    [this.draft, this.heldBack] = [null, false];
    await this.updateComplete;
    this.$("[data-does=edit]")?.focus();
  }

  async save(event) {
    event.preventDefault();
    const content = this.draft.trim();
    if (!content || content === this.atom.content) return;
    await this.correct("Changed", content);
  }

  correct = (words, content) => this.change(words, content, () => amend(this.atomId, { content }, this.atom.etag ?? undefined));

  async forget() {
    await this.change("In the trash", this.atom.content, () => send("DELETE", `/api/atoms/${this.atomId}`), this.atomId);
  }

  /** A verdict; the same again takes it back. */
  judge = (verdict) =>
    this.attempt(async () => {
      Object.assign(this, await feedback({ atom_ids: [this.atomId] }, verdict, this));
      this.tell("judged");
    });

  /** What it should say; where nobody says it yet, it is listed until somebody does. */
  right = (words) => {
    void this.ask(null);
    if (words) void this.correct("Put right", words);
    else if (words !== null) void this.judge("wrong");
  };

  /** `gone` is the id of the memory that is in the trash then. */
  async change(words, content, does, gone = null) {
    await this.attempt(async () => {
      const { change_id: changeId } = await does();
      unsaved.delete(this.atomId);
      this.tell("changed", { words, content, changeId, gone });
    });
  }

  details(atom) {
    return html`<details class="details">
      <summary>Details</summary>
      <dl>${facts([["id", atom.atom_id], ["from", atom.capture_id], ["found by", atom.extractor], ["confidence", atom.confidence]])}</dl>
    </details>`;
  }
}

customElements.define("lattice-panel", Panel);
