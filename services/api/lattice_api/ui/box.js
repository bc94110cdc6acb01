// <lattice-box>: the one box that tells, asks or has something done. Fires `send` {text, intent: "auto" | "tell" | "ask", guessed},
// `files` {files} and `keys`.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, fields } from "/ui/element.js";
import * as draft from "/ui/draft.js";
import { Dictation } from "/ui/dictation.js";
import { Intents } from "/ui/intent.js";
import * as icons from "/ui/icons.js";

const WORDS = { ask: "ask", tell: "remember", do: "do it" };
const OTHER = { ask: "tell", tell: "ask", do: "tell" };
const SEND = { ask: "Ask", tell: "Remember", do: "Do it" };

class Box extends PageElement {
  static properties = fields("text chosen leaving");

  constructor() {
    super();
    this.chosen = null; // what the person chose with Tab; null while the server may decide
    this.leaving = false; // after Esc, Tab moves on as everywhere else
    this.said = [];
    this.place = 0;
    this.text = draft.kept();
    this.intents = new Intents(() => this.requestUpdate());
    this.intents.ask(this.text.trim());
    this.dictation = new Dictation((words) => this.heard(words), () => this.requestUpdate());
  }

  heard(words) {
    this.fill([this.text.trimEnd(), words].filter(Boolean).join(" "));
    draft.keep(this.text);
  }

  get area() {
    return this.$("textarea");
  }

  focus() {
    this.area?.focus();
  }

  /** Put words in (a shared text, an example), ready to be sent. */
  fill(text) {
    this.text = text;
    this.chosen = null;
    this.intents.ask(text.trim());
    void this.updateComplete.then(() => {
      this.focus();
      this.area.setSelectionRange(text.length, text.length);
    });
  }

  updated() {
    const area = this.area;
    if (area.value !== this.text) area.value = this.text;
    area.style.height = "auto";
    // More than a line has the whole width, below it the buttons; it stays so until it is sent, for nothing should jump back.
    this.wide = this.text !== "" && (this.wide || area.scrollHeight > 1.5 * parseFloat(getComputedStyle(area).lineHeight) + 10);
    area.form.classList.toggle("wide", this.wide);
    area.style.height = `${area.scrollHeight}px`;
  }

  render() {
    const words = this.text.trim();
    const intent = this.chosen ?? this.intents.reading(words); // null: nobody knows, and the server decides
    return html`<form class="box ${words ? "has-text" : ""}" @submit=${this.send}>
      <textarea
        id="box"
        rows="1"
        placeholder="Tell or ask …"
        aria-label="Tell or ask"
        enterkeyhint="send"
        autocomplete="off"
        dir="auto"
        autofocus
        @input=${this.typed}
        @keydown=${this.pressed}
        @paste=${this.pasted}
      ></textarea>
      ${words && intent
        ? html`<button
            type="button"
            class="intent ${this.chosen ? "chosen" : ""}"
            title="Tab switches"
            aria-label="Will ${WORDS[intent]}. Switch to ${WORDS[OTHER[intent]]} (Tab)"
            @click=${() => this.switch(intent)}
          >
            ${WORDS[intent]}<kbd aria-hidden="true">Tab</kbd>
          </button>`
        : nothing}
      ${this.dictation.there
        ? html`<button type="button" class="plain" aria-label="Dictate" title="Dictate" aria-pressed=${this.dictation.listening} @click=${() => this.dictation.toggle()}>${icons.mic}</button>`
        : nothing}
      ${this.dictation.problem ? html`<p class="note-line quiet" role="alert">${this.dictation.problem}</p>` : nothing}
      <input type="file" multiple hidden @change=${this.picked} />
      <button type="button" class="plain" aria-label="Add files" title="Add files" @click=${this.pick}>${icons.attach}</button>
      <button class="send" ?disabled=${!words} aria-label=${SEND[intent] ?? "Send"}>${icons.send}</button>
    </form>`;
  }

  typed(event) {
    this.text = event.target.value;
    draft.keep(this.text);
    this.leaving = false;
    if (!this.text.trim()) this.chosen = null;
    this.intents.ask(this.text.trim());
  }

  switch(intent) {
    this.chosen = OTHER[intent] ?? "tell";
    this.focus();
  }

  pressed(event) {
    if (event.isComposing) return;
    const words = this.text.trim();
    if (!this.text && (event.key === "?" || event.key === "/") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault(); // the keys of the page, which the empty box would swallow
      if (event.key === "?") this.tell("keys");
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.send(event);
    } else if (event.key === "Tab" && !event.shiftKey && words && !this.leaving) {
      event.preventDefault();
      this.switch(this.chosen ?? this.intents.reading(words));
    } else if (event.key === "Escape") {
      this.leaving = true;
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.recall(event);
    }
  }

  /** ↑ brings back what was said before, where the caret is on the first line; ↓ goes forth again. */
  recall(event) {
    const up = event.key === "ArrowUp";
    const inside = up ? this.text.lastIndexOf("\n", event.target.selectionStart - 1) >= 0 : this.place === this.said.length;
    const next = this.place + (up ? -1 : 1);
    const browsing = !this.text || this.text === this.said[this.place];
    if (inside || !browsing || next < 0 || next > this.said.length) return;
    event.preventDefault();
    this.place = next;
    this.fill(this.said[next] ?? "");
  }

  send(event) {
    event.preventDefault();
    const text = this.text.trim();
    if (!text) return;
    const intent = this.chosen ?? "auto";
    const guessed = this.chosen ?? this.intents.reading(text);
    this.said = [...this.said, text];
    this.place = this.said.length;
    this.text = "";
    this.chosen = null;
    draft.keep("");
    this.intents.ask("");
    this.tell("send", { text, intent, guessed });
  }

  pick() {
    this.$("input[type=file]").click();
  }

  picked(event) {
    this.tell("files", { files: [...event.target.files] });
    event.target.value = "";
  }

  pasted(event) {
    const files = [...event.clipboardData.files];
    if (!files.length) return;
    event.preventDefault();
    this.tell("files", { files });
  }
}

customElements.define("lattice-box", Box);
