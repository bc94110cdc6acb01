// What views have in common: they fetch what they show again when their address changes (`load`, which may reject) and say what
// went wrong where it happened; `act` carries a change out and offers its undo.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement } from "/ui/element.js";
import { trouble } from "/ui/trouble.js";

export class View extends PageElement {
  static properties = { view: { attribute: false }, shown: { state: true }, problem: { state: true }, busy: { state: true } };

  willUpdate(changed) {
    if (changed.has("view") && changed.get("view")?.path !== this.view.path) void this.refresh();
  }

  /** Fetch anew; what is shown stays until then. */
  async refresh() {
    const { path } = this.view;
    this.problem = null;
    try {
      const shown = await this.load();
      if (path === this.view.path) this.shown = shown;
    } catch (problem) {
      if (path === this.view.path) this.problem = problem;
    }
  }

  trouble() {
    return this.problem ? trouble(this.problem, () => this.refresh()) : nothing;
  }

  /** What went wrong, and below it what `all` makes of what was fetched. */
  body(all = (shown) => this.all(shown)) {
    return html`${this.trouble()} ${this.shown ? all(this.shown) : this.problem ? nothing : html`<p class="quiet waiting">Looking …</p>`}`;
  }

  /** Carry out `change`, which resolves to a change id (or nothing); `words` say what was done, and are offered with an undo. */
  async act(words, content, change) {
    this.busy = true;
    this.problem = null;
    try {
      const changeId = await change();
      if (changeId) document.querySelector("lattice-did").show({ words, content, changeIds: [changeId] });
      this.tell("acted");
    } catch (problem) {
      this.problem = problem;
    }
    this.busy = false;
  }
}
