// What every component here has in common: it renders into the page itself (one style sheet, one focus order, no shadow roots),
// and tells the page what was asked for by events that bubble.

import { LitElement, html, nothing } from "/ui/vendor/lit/index.js";

/** The fields of an element that it is drawn anew for, by their names. */
export const fields = (names) => Object.fromEntries(names.split(" ").map((name) => [name, { state: true }]));

/** A button that looks like a link. */
export const button = (words, does, disabled = false, label = nothing) => html`<button type="button" class="link" ?disabled=${disabled} aria-label=${label} @click=${does}>${words}</button>`;

export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  /** The first element inside that fits. */
  $(selector) {
    return this.querySelector(selector);
  }

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
