// An error where it happened: the thing, then its cause and the next step, and a way to try again where that makes sense.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { button } from "/ui/element.js";
import { warning } from "/ui/icons.js";

export const trouble = (problem, again = null) => html`<div class="trouble" role="alert">
  ${warning}
  <div>
    <strong>${problem.title ?? "Something went wrong"}</strong>
    <p>${problem.detail ?? problem.message ?? ""}</p>
    ${again ? html`${button("try again", again)}` : nothing}
  </div>
</div>`;
