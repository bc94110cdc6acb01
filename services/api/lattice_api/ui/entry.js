// <lattice-entry>: one thing said on the page and what came of it. Fires `act` {entry, action, …}.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, button, fields, thumb, toClipboard, whatIsRight, wrong } from "/ui/element.js";
import * as icons from "/ui/icons.js";
import { sources, spoken, written } from "/ui/citations.js";
import { memories, replacing } from "/ui/memories.js";
import { why } from "/ui/reasons.js";
import { addressOf } from "/ui/router.js";
import { trouble } from "/ui/trouble.js";
import { clock, count, inMemories, place, placeOf, shorten } from "/ui/words.js";

const STAGES = { read: "being opened", segment: "being read", extract: "being read", ground: "being checked", reconcile: "being compared", commit: "being kept", index: "being kept" };

const NOTHING = "nothing to remember"; // the reason that the line says already
const GOING = 12; // memories that a request is about, shown at first

class Entry extends PageElement {
  static properties = fields("entry asking copied unfolded");

  render() {
    const { entry } = this;
    if (entry.kind === "ask") return this.question(entry);
    if (entry.kind === "do") return this.done(entry);
    if (entry.kind === "change") return this.changed(entry);
    return this.capture(entry);
  }

  act(action, more) {
    this.tell("act", { entry: this.entry, action, ...more });
  }

  doing = (words, action, more) => button(words, () => this.act(action, more));

  /** What went wrong; only what failed altogether can be tried again as it is. */
  wrong = ({ problem, phase }) => (problem ? trouble(problem, phase === "failed" ? () => this.act("again") : null) : nothing);

  undo = ({ undone }) => this.doing(undone ? "put back" : "undo", "undo");

  // Asked

  question(entry) {
    return html`<article class="entry asked" aria-label="Question">
      <h2 class="said"><span dir="auto">${entry.text}</span><time>${[entry.channel && entry.channel !== "page" && placeOf(entry.channel), clock(entry.at)].filter(Boolean).join(" · ")}</time></h2>
      ${entry.askedAs ? html`<p class="quiet note-line">asked as: <span dir="auto">${entry.askedAs}</span></p>` : nothing}
      ${this.answer(entry)} ${this.wrong(entry)}
    </article>`;
  }

  answer(entry) {
    const stop = button("stop", entry.stop);
    if (entry.phase === "looking") return html`<p class="quiet"><span class="waiting">Looking …</span> ${stop}</p>`;
    if (entry.phase === "unknown") return html`${this.unknown(entry)} ${this.tools(entry)}`;
    const citations = entry.citations ?? [];
    // One template from the first word on: a line that came stays where it is, and what is selected in it.
    return html`<div class="answer written ${entry.phase}" dir="auto">${written(entry.answer ?? "", citations, entry.doubts ?? [], Boolean(entry.writtenBy ?? entry.turn))}</div>
      ${entry.phase === "answered"
        ? html`${this.disagreements(entry)} ${sources(citations, entry.atoms, entry.answer ?? "")} ${this.origin(entry)} ${this.tools(entry)}`
        : entry.problem ? nothing : entry.phase === "stopped" ? html`<p class="quiet note-line">stopped</p>${this.tools(entry)}` : stop}`;
  }

  /** What one can do with an answer: say what it is worth, put it right, copy it, ask again. */
  tools(entry) {
    const judge = (verdict) => this.act("judge", { verdict });
    return html`<div class="tools">
        ${this.judged(entry) ? html`${thumb("up", "Good answer", entry.verdict, judge)} ${thumb("down", "Bad answer", entry.verdict, judge)}` : nothing}
        ${entry.phase !== "stopped" ? wrong(entry.verdict, judge, () => this.ask("right")) : nothing}
        ${entry.answer && entry.phase !== "unknown" ? button(this.copied ? "copied" : "copy", this.copy) : nothing}
        ${this.doing("ask again", "ask-again")}
      </div>
      ${this.asking ? whatIsRight(this.right) : nothing}`;
  }

  /** Whether a verdict is on something: who does not know rests on nothing. */
  judged = ({ phase, citations }) => phase === "answered" && citations?.length > 0;

  right = (words) => {
    void this.ask(null);
    const verdict = this.judged(this.entry) && "wrong";
    if (words) this.act("right", { words, verdict });
    else if (words !== null && verdict) this.act("judge", { verdict });
  };

  async copy() {
    await toClipboard(spoken(this.entry.answer));
    this.copied = true;
    setTimeout(() => (this.copied = false), 2000);
  }

  /** What else is remembered that can't be true beside it: said here, where it is settled. */
  disagreements({ disagreements = [] }) {
    return disagreements.filter((pair) => !pair.settled).map(({ atom, disagrees_with: other }) => {
      const [owns, otherwise] = [atom, other].map((each) => each.trust === "user");
      const keep = (kept, over, words) => this.doing(words, "prefer", { kept, over });
      return html`<div class="note warn otherwise">
        <p><b>${place(other) || "Something else"}</b> says otherwise: <q dir="auto">${shorten(other.content, 160)}</q></p>
        <p class="actions">
          ${keep(atom, other, owns ? "keep what you said" : "keep the answer")}
          ${keep(other, atom, otherwise ? "keep what you said" : "keep this instead")}
          ${this.doing("both hold", "prefer", { kept: atom, over: other, outcome: "both" })}
        </p>
      </div>`;
    });
  }

  /** Who wrote it, or why nobody did, and what was not searched yet; the rest of the warnings is said by marks in the answer, and by the bar. */
  origin({ writtenBy, warnings = [] }) {
    const said = warnings.filter((warning) => warning.startsWith("Searched without all of memory: search:") || (!writtenBy && warning.startsWith("The language model")));
    if (writtenBy) said.unshift(`written by ${writtenBy}`);
    return said.map((words) => html`<p class="quiet note-line">${words}</p>`);
  }

  unknown(entry) {
    return html`<div class="answer">I don’t know. Nothing you have told me answers this.</div>
      ${this.origin(entry)}
      ${entry.nearest.length
        ? html`<section class="nearest">
            <h3>The nearest I know</h3>
            ${memories(entry.nearest)}
          </section>`
        : nothing}`;
  }

  // Done on request

  done(entry) {
    const { order } = entry;
    return html`<article class="entry done-entry" aria-label="Request">
      <h2 class="said"><span dir="auto">${entry.text}</span><time>${clock(entry.at)}</time></h2>
      ${this.wrong(entry)}
      ${entry.phase === "doing" ? html`<p class="quiet waiting">One moment …</p>` : nothing}
      ${order && !["doing", "failed"].includes(entry.phase)
        ? html`<p class="answer">${entry.undone ? "Brought back." : order.message}</p>
            ${this.going(order, entry.phase === "done" && !entry.undone)} ${this.choices(entry)}`
        : nothing}
    </article>`;
  }

  /** What would go or went: all of it can be seen before, and there is no list of the rest after. */
  going({ atoms, found }, went) {
    const shown = this.unfolded ? atoms : atoms.slice(0, GOING);
    const all = shown.length === atoms.length; // that are told; of one capture, where it is more
    const more = `and ${found - shown.length} more`;
    return html`${shown.length ? memories(shown) : nothing}
      ${found > shown.length && !(all && went) ? html`<p class="because">${all ? html`<a class="link" href=${addressOf.list({ source: atoms[0].capture_id })}>${more}</a>` : button(more, () => (this.unfolded = true))}</p>` : nothing}`;
  }

  choices(entry) {
    const { order } = entry;
    const kept = [this.doing("remember it instead", "as", { intent: "tell" }), this.doing("ask it instead", "as", { intent: "ask" })];
    if (entry.phase === "confirm") return html`<div class="actions">${this.doing("do it", "confirm")} ${kept}</div>`;
    if (entry.phase === "unclear") return html`<div class="actions">${kept}</div>`;
    return html`<div class="actions">
      ${order.href ? this.doing("download", "download") : nothing}
      ${entry.changeId ? this.doing(entry.undone ? "do it again" : "undo", "undo") : nothing}
    </div>`;
  }

  // Told

  capture(entry) {
    const saying = entry.title
      ? html`<p class="told file" dir="auto">${entry.title}</p>`
      : html`<p class="told" dir="auto">${shorten(entry.text, 400)}</p>`;
    const finished = ["remembered", "updated", "known", "aside", "gone", "nothing-new"].includes(entry.phase);
    return html`<article class="entry told-entry" aria-label="Told">
      ${finished ? nothing : saying} ${this.state(entry)}
      ${this.wrong(entry)}
    </article>`;
  }

  state(entry) {
    switch (entry.phase) {
      case undefined:
        return line(icons.dot, "Waiting …", "waiting");
      case "sending":
        return line(icons.dot, `Sending … ${entry.sent ?? ""}`, "waiting");
      case "unreadable":
        return html`${line(icons.aside, "Not read", "warn")}<p class="because">${entry.receipt.reason}</p>`;
      case "reading":
        return line(icons.dot, this.stage(entry), "waiting");
      case "remembered":
        return this.remembered(entry);
      case "updated":
        return this.broughtUpToDate(entry);
      case "known":
        return html`${line(icons.check, "Already known", "", entry.remembered.length ? nothing : this.quoted(entry), entry.at)} ${memories(entry.remembered)}`;
      case "aside":
        return html`${line(icons.aside, entry.setAside.length ? "Set aside" : "Nothing in it to remember", "", this.quoted(entry), entry.at)}
          ${entry.setAside.length ? this.asides(entry) : this.keepable(entry) ? this.keepWords() : entry.receipt.reason && entry.receipt.reason !== NOTHING ? html`<p class="because">${entry.receipt.reason}</p>` : nothing}`;
      case "dead":
        return html`${line(icons.warning, "Kept, but it could not be read", "bad", this.doing("try again", "retry"))}
          <p class="because">${entry.receipt.reason ?? ""}</p>`;
      case "outbox":
        return line(icons.dot, "Kept here, sent when Lattice is back", "warn");
      case "gone":
        return line(icons.undo, "What was remembered of it is gone", "undone", this.quoted(entry), entry.at);
      case "nothing-new":
        return line(icons.check, "Nothing new in it", "", this.quoted(entry), entry.at);
      case "lost":
        return line(icons.dot, "Kept, and still waiting to be read", "", this.doing("look again", "look"));
      default:
        return nothing;
    }
  }

  /** Whether it may have been meant to be remembered: it was chosen, or it is more than "Thanks!". */
  keepable = ({ text, intent }) => Boolean(text) && (intent === "tell" || text.split(/\s+/).length > 3);

  keepWords() {
    return html`<p class="because">No statement was found in it. ${this.doing("keep anyway", "keep-words")}</p>`;
  }

  broughtUpToDate(entry) {
    const updated = inMemories(entry.receipt.atoms_updated);
    return html`${doneLine(entry.undone, `${entry.receipt.duplicates_skipped ? "Already known, and " : ""}${updated} brought up to date`, this.undo(entry), entry.at)}
      <p class="because" dir="auto">“${shorten(entry.title || entry.text, 160)}”</p>`;
  }

  stage({ progress }) {
    if (!progress) return "Received";
    const words = `Received, ${STAGES[progress.stage] ?? "being read"}`;
    return progress.total > 1 ? `${words} (${progress.done} of ${progress.total} ${progress.stage === "read" ? "pages" : "parts"})` : words;
  }

  remembered(entry) {
    const { receipt, undone } = entry;
    const from = entry.title ? ` from ${entry.title}` : "";
    const things = entry.remembered.length + entry.more; // not what was replaced: `atoms_updated` counts that too
    const buttons = html`${this.undo(entry)} ${undone ? nothing : this.doing("show", "show")}`;
    return html`${doneLine(undone, `Remembered ${count(things, "thing")}${from}`, buttons, entry.at)}
      <div class=${undone ? "undone" : ""}>${undone && !entry.remembered.length ? this.quoted(entry) : memories(entry.remembered, replacing)}</div>
      ${entry.more > 0 ? html`<p class="because">${this.doing(`and ${entry.more} more`, "more")}</p>` : nothing}
      ${receipt.duplicates_skipped ? html`<p class="because">${count(receipt.duplicates_skipped, "thing in it was", "things in it were")} already known.</p>` : nothing}
      ${entry.setAside.length ? this.asides(entry) : nothing}`;
  }

  asides(entry) {
    return html`<ul class="asides">
      ${entry.setAside.map(
        (candidate) => html`<li>
          <span class="candidate" dir="auto">${candidate.content}</span>
          <span class="because"
            >${candidate.keptBy ? "kept, as your own words" : `set aside: ${why(candidate)}`}
            ${this.doing(candidate.keptBy ? "undo" : "keep anyway", "keep", { candidate })}</span
          >
        </li>`,
      )}
    </ul>`;
  }

  quoted = (entry) => html`<span class="because" dir="auto">“${shorten(entry.title || entry.text, 60)}”</span>`;

  // Changed in the panel

  changed(entry) {
    return html`<article class="entry" aria-label="Change">
      ${doneLine(entry.undone, entry.text, this.undo(entry))}
      <p class="because" dir="auto">“${shorten(entry.title, 160)}”</p>
      ${this.wrong(entry)}
    </article>`;
  }
}

const line = (icon, words, tone = "", more = nothing, at = null) =>
  html`<p class="line ${tone}">${icon}<span class="words">${words}</span><span class="more">${more}${at ? html`<time>${clock(at)}</time>` : nothing}</span></p>`;

/** What was done, and whether it was taken back. */
const doneLine = (undone, words, more, at) => (undone ? line(icons.undo, "Taken back", "undone", more, at) : line(icons.check, words, "good", more, at));

customElements.define("lattice-entry", Entry);
