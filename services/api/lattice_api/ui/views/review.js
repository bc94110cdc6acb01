// <lattice-review>: what needs its owner, one line and one action each: what could not be read, what disagrees, what may not be so
// any more, what was called wrong, and what was set aside.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { amend, get, post, send, settle } from "/ui/api.js";
import { fields, whatIsRight } from "/ui/element.js";
import { openOriginal } from "/ui/files.js";
import { addressOf } from "/ui/router.js";
import { why } from "/ui/reasons.js";
import { count, day, number, shorten } from "/ui/words.js";
import { View, heading, listed, none, part } from "/ui/views/view.js";

const FILES = {
  unreadable: ["could not be opened", "Give Lattice the permission to read them; they are taken in by themselves then."],
  strange: ["no regular files", "Put copies of them into the inbox, in place of links or pipes."],
  failed: ["could not be taken in", "“lattice doctor” says which, and why."],
};
const FIRST = 100; // of each kind; twice as many with each step

class Review extends View {
  static properties = fields("asking");

  most = FIRST;

  async load() {
    const { most } = this;
    const [review, conflicts, dead, wrong, aside, unread, status] = await Promise.all([
      listed("review?", "review", most),
      listed("conflicts?", "conflicts", most),
      listed("captures?state=dead&", "captures", most, (_, { cursor }) => `cursor=${cursor}`),
      listed("feedback?", "to_correct", most),
      listed("rejected?", "rejected", most),
      get("/api/unread"),
      get("/api/status").catch(() => ({})), // the rest is shown without it while Lattice is away
    ]);
    const lists = [conflicts.conflicts, dead.captures, wrong.to_correct, aside.rejected];
    return {
      pairs: review.review,
      more: review.count - review.review.length,
      isCut: lists.some(({ length }) => length === most),
      conflicts: conflicts.conflicts,
      dead: dead.captures,
      wrong: wrong.to_correct,
      aside: aside.rejected.filter((candidate) => !candidate.kept),
      unread: unread.unread,
      waiting: status.inbox?.waiting,
      files: Object.entries(FILES).filter(([name]) => status.inbox?.[name]).map(([name, words]) => [status.inbox[name], ...words]),
    };
  }

  render() {
    return html`${heading("Needs you")} ${this.body()}`;
  }

  /** Leads on to what is not shown yet. */
  further(words) {
    return html`<p>${this.button(words, () => ((this.most *= 2), this.refresh()))}</p>`;
  }

  all({ pairs, more, isCut, conflicts, dead, wrong, aside, unread, files, waiting }) {
    const nothingToDo = !pairs.length && !conflicts.length && !dead.length && !wrong.length && !unread.length && !files.length;
    return html`
      ${nothingToDo ? none("Nothing needs you. What Lattice cannot settle by itself is listed here.") : nothing}
      ${section("Is this still so?", pairs.map((pair) => this.pair(pair)), html`${pairs.length > 1 ? html`<p>${this.button(`all ${number(pairs.length)} are still so`, () => this.still(pairs))}</p>` : nothing}${more > 0 ? this.further(`show more, of ${number(more)} others`) : nothing}`)}
      ${section("Only one can be true", conflicts.map((each) => this.conflict(each)))}
      ${section("Called wrong", wrong.map((each) => this.wrong(each)))}
      ${section("Could not be read", [...unread.map((file) => this.unread(file)), ...dead.map((capture) => this.dead(capture)), ...files.map(([many, what, next]) => html`<li class="todo"><p>${many} of the inbox: ${what}</p><p class="quiet">${next}</p></li>`)])}
      ${waiting ? part("Waiting", html`<p class="quiet">${count(waiting, "file")} of the inbox, taken in one after the other.</p>`) : nothing}
      ${section("Set aside", aside.map((candidate) => this.setAside(candidate)), "", "Said, but not backed by your words as they stand.")}
      ${isCut ? this.further("show more") : nothing}
    `;
  }

  pair({ newer, older }) {
    return html`<li class="todo">
      <p>${memory(older)}</p>
      <p class="quiet"><span>Since then: </span>${memory(newer)}</p>
      <div class="actions">${this.button("yes, both hold", () => this.both(newer, older))} ${this.button("no, it was replaced", () => this.act("Replaced", older.content, () => settle(newer, older)))}</div>
    </li>`;
  }

  both(newer, older) {
    return this.act("Both hold", older.content, () => settle(newer, older, "both"));
  }

  /** All that are shown, one after the other; together they are one thing to take back. */
  still(pairs) {
    const done = [];
    const each = async () => {
      for (const { newer, older } of pairs) done.push((await settle(newer, older, "both")).change_id);
    };
    return this.act(`${count(pairs.length, "memory is", "memories are")} still so`, "", async () => {
      await each().catch((problem) => {
        if (!done.length) throw problem; // those that are left are listed
      });
      return { change_id: done };
    });
  }

  conflict({ atom, disagrees_with: other }) {
    const keep = (kept, over) => () => this.act("Kept", kept.content, () => settle(kept, over));
    return html`<li class="todo choice">
      ${[[atom, other], [other, atom]].map(([one, two]) => html`<div><p>${memory(one)}</p>${this.button("keep this", keep(one, two))}</div>`)}
      ${this.button("both hold", () => this.both(atom, other))}
    </li>`;
  }

  wrong({ atom }) {
    const id = atom.atom_id;
    const right = (words) => (this.ask(null), words && this.act("Put right", words, () => amend(id, { content: words })));
    return html`<li class="todo"><p>${memory(atom)}</p><div class="actions">${this.button("put it right", () => this.ask(id))}</div>${this.asking === id ? whatIsRight(right) : nothing}</li>`;
  }

  dead({ capture_id: id, reason, received_at: at }) {
    const retry = () => this.act("Being read again", "", async () => void (await post(`/api/captures/${id}/retry`)));
    return html`<li class="todo">
      <p><a href=${addressOf.source(id)}>What was told ${at ? day(at) : ""}</a></p>
      <p class="quiet">${reason ?? "No reason was noted."}</p>
      <div class="actions">${this.button("try again", retry)}</div>
    </li>`;
  }

  unread({ capture_id: id, name, reason, at }) {
    const turn = async (how) => (await send(how, `/api/unread/${id}/dismiss`), { change_id: how === "POST" ? "DELETE" : "POST" });
    return html`<li class="todo">
      <p dir="auto">${name} <span class="where">${day(at)}</span></p>
      <p class="quiet">${reason}</p>
      <div class="actions">${this.button("open the file", () => this.attempt(() => openOriginal(id, name)), `Open ${name}`)} ${this.button("dismiss", () => this.act("Dismissed", name, () => turn("POST"), turn), `Dismiss ${name}`)}</div>
    </li>`;
  }

  setAside(candidate) {
    const keep = () => this.act("Kept, as your own words", candidate.content, () => post(`/api/rejected/${candidate.rejected_id}/keep`));
    return html`<li class="todo">
      <p dir="auto">${candidate.content}</p>
      <p class="quiet">${why(candidate)} · <a href=${addressOf.source(candidate.capture_id)}>where it was said</a>, ${day(candidate.at)}</p>
      <div class="actions">${this.button("keep anyway", keep)}</div>
    </li>`;
  }
}

const memory = (atom) => html`<a class="content" dir="auto" href=${addressOf.memory(atom.atom_id)}>${shorten(atom.content, 300)}</a> <span class="where">${day(atom.observed_at)}</span>`;

const section = (words, items, more = "", about = "") =>
  items.length
    ? part(words, html`${about ? html`<p class="quiet note-line">${about}</p>` : nothing}<ul>${items}</ul>${more}`)
    : nothing;

customElements.define("lattice-review", Review);
