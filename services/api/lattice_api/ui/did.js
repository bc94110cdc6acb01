// <lattice-did>: the last change made outside of Today, with its undo, above the box. `show({words, content, changeIds,
// gone})`; `gone` is the memory that it put into the trash; `does` takes back by an id, where that is no change of a memory. Fires `acted` {gone, back} when it was taken back or put back.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, button, fields } from "/ui/element.js";
import { undo } from "/ui/api.js";
import * as icons from "/ui/icons.js";
import { trouble } from "/ui/trouble.js";
import { shorten } from "/ui/words.js";

class Did extends PageElement {
  static properties = fields("did problem");

  /** `changeIds` in the order in which they were made; together they are one thing to take back. */
  show(did) {
    this.did = { ...did, undone: false };
    this.problem = null;
  }

  render() {
    if (!this.did) return nothing;
    const { words, content, undone } = this.did;
    return html`<div class="did">
      <p class="line ${undone ? "undone" : "good"}" role="status">
        ${undone ? icons.undo : icons.check}
        <span class="words">${undone ? "Taken back" : words}</span>
        ${content ? html`<span class="because" dir="auto">“${shorten(content, 80)}”</span>` : nothing}
        <span class="more">
          ${button(undone ? "put back" : "undo", () => this.undo())}
          <button class="plain small" aria-label="Dismiss" @click=${() => (this.did = null)}>${icons.close}</button>
        </span>
      </p>
      ${this.problem ? trouble(this.problem) : nothing}
    </div>`;
  }

  async undo() {
    if (this.busy) return;
    this.busy = true;
    const taken = [];
    await this.attempt(async () => {
      for (const changeId of [...this.did.changeIds].reverse()) taken.push((await (this.did.does ?? undo)(changeId)).change_id);
      this.did = { ...this.did, changeIds: taken, undone: !this.did.undone };
    });
    this.busy = false;
    const { gone, undone } = this.did;
    this.tell("acted", gone ? { [undone ? "back" : "gone"]: gone } : {});
  }
}

customElements.define("lattice-did", Did);
