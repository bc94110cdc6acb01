// What every component here has in common: it renders into the page itself (one style sheet, one focus order, no shadow roots),
// and tells the page what was asked for by events that bubble.

import { LitElement } from "/ui/vendor/lit/index.js";

export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}
