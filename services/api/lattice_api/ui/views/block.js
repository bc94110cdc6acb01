// <lattice-block>: a stretch of a long list, grouped by month. Far from what is seen it is empty and as high as it was, so that a
// list of a hundred thousand costs no more than what is on the screen.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, fields } from "/ui/element.js";
import { byMonth, monthName, monthOf, row } from "/ui/views/rows.js";

const ROW = 40; // px that a row is high, about, before it was ever shown
const heights = new WeakMap(); // what a stretch measured when it was last shown, also for when one comes back to the list
const NEAR = "1500px";

const seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => target.come(isIntersecting)), { rootMargin: NEAR });

class Block extends PageElement {
  static properties = fields("atoms before counts chosen near");

  connectedCallback() {
    super.connectedCallback();
    this.style.display = "block";
    seen.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    seen.unobserve(this);
  }

  /** At once: words may be drawn over as far as the list goes. */
  scheduleUpdate() {
    return this.performUpdate();
  }

  come(near) {
    if (this.near && !near) heights.set(this.atoms, this.offsetHeight);
    this.near = near;
  }

  willUpdate() {
    this.style.height = this.near ? "" : `${heights.get(this.atoms) ?? this.atoms.length * ROW}px`;
  }

  /** `before` is the memory above it, if there is one; `chosen` null outside of choosing. */
  render() {
    if (!this.near) return nothing;
    const { before } = this;
    const after = before && monthOf(before.observed_at);
    return byMonth(this.atoms).map(([month, atoms], at) => html`<section class="month" aria-label=${at || month !== after ? monthName(month) : nothing}>
      ${at || month !== after ? html`<h3>${monthName(month)} <span class="quiet">${this.counts.has(month) ? `· ${this.counts.get(month)}` : ""}</span></h3>` : nothing}
      <ul class="rows">${atoms.map((atom, at) => row(atom, { ...this.choice(atom), inMonth: true, before: at ? atoms[at - 1] : month === after ? before : undefined }))}</ul>
    </section>`);
  }

  choice(atom) {
    return this.chosen ? { chosen: this.chosen.has(atom.atom_id), onChoose: (atom, event) => this.tell("choose", { atom, event }) } : {};
  }
}

customElements.define("lattice-block", Block);
