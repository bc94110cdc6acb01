// What every component here has in common: it renders into the page itself (one style sheet, one focus order, no shadow roots),
// and tells the page what was asked for by events that bubble.

import { LitElement, html, nothing } from "/ui/vendor/lit/index.js";
import * as icons from "/ui/icons.js";
import { released } from "/ui/router.js";

/** The fields of an element that it is drawn anew for, by their names. */
export const fields = (names) => Object.fromEntries(names.split(" ").map((name) => [name, { state: true }]));

/** A button that looks like a link. */
export const button = (words, does, disabled = false, label = nothing, pressed = nothing) => html`<button type="button" class="link" ?disabled=${disabled} aria-label=${label} aria-pressed=${pressed} @click=${does}>${words}</button>`;

/** A form of one line; `does` gets its words, and null after Esc. */
export const oneLine = (label, words, does, value = "") => html`<form class="righting" @submit=${(event) => (event.preventDefault(), does(event.target[0].value.trim()))}>
  <input aria-label=${label} placeholder=${label} dir="auto" autocomplete="off" .value=${value} @keydown=${(event) => event.key === "Escape" && (event.preventDefault(), does(null))} /><button class="link">${words}</button>
</form>`;

/** The lines of a list of [name, value], of which those are shown that are known. */
export const facts = (lines) => lines.filter(([, value]) => (value ?? "") !== "").map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);

/** Closes a dialog by a click beside it. */
export const closeBeside = ({ target, currentTarget }) => target === currentTarget && target.close();

/** Asked of whoever calls something wrong. */
export const whatIsRight = (does) => oneLine("What is right? One sentence.", "say it", does);

/** A verdict that stays pressed until it is given again. */
export const thumb = (verdict, name, given, does) => html`<button class="plain small" aria-label=${name} title=${name} aria-pressed=${given === verdict} @click=${() => does(verdict)}>${icons[verdict]}</button>`;

/** The same of “wrong”, which asks first what is right. */
export const wrong = (given, does, asks) => button("wrong", () => (given === "wrong" ? does("wrong") : asks()), false, nothing, given === "wrong");

/** Copy words; by selecting them over plain http in a home network, where browsers have no other way. */
export async function toClipboard(words) {
  if (navigator.clipboard) return navigator.clipboard.writeText(words);
  const area = document.createElement("textarea");
  area.value = words;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** Once the mouse is let go: words that are being selected stay where they are. */
  scheduleUpdate() {
    return released()?.then(() => super.scheduleUpdate()) ?? super.scheduleUpdate();
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  /** Ask for one line about `what`; null ends that, and the focus is where it was before. */
  async ask(what) {
    if (what) this.asker = document.activeElement;
    this.asking = what;
    await this.updateComplete;
    const { asker } = this;
    (what ? this.$(".righting input") : asker?.isConnected ? asker : this.named(asker?.ariaLabel))?.focus(); // it may have been drawn anew
  }

  /** The first element inside that fits. */
  $(selector) {
    return this.querySelector(selector);
  }

  named = (label) => this.$(`[aria-label="${CSS.escape(label)}"]`);

  /** Do what may fail; what went wrong is the `problem` then. Whether nothing did. */
  async attempt(does) {
    this.problem = null;
    try {
      await does();
    } catch (problem) {
      this.problem = problem;
    }
    return !this.problem;
  }
}
