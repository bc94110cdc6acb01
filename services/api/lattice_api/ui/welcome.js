// The empty page: three things one can say and three one can ask; a click tries them. They are about the same things, so that
// asking after saying gets an answer.

import { html } from "/ui/vendor/lit/index.js";

const SAY = [
  "Ingrid in flat 12 has my spare key.",
  "The gas meter is behind the green door, and readings are due on the 3rd.",
  "Mum’s birthday is on 14 May. She loves peonies.",
];
const ASK = ["Who has my spare key?", "Where is the gas meter?", "What does Mum love?"];

/** `empty`: whether nothing is remembered yet. */
export const welcome = (tried, choose, empty = true) => html`<section class="welcome" aria-labelledby="welcome">
  <h2 id="welcome">${empty ? "Nothing is remembered yet." : "Try the rest of it."}</h2>
  <p class="quiet">Say something once, in your own words. Ask for it whenever you need it, and see where the answer comes from.</p>
  <div class="examples">
    ${examples("Tell me", SAY, "tell", tried, choose)} ${examples("Then ask", ASK, "ask", tried, choose)}
  </div>
</section>`;

const examples = (heading, texts, intent, tried, choose) => html`<div>
  <h3>${heading}</h3>
  <ul>
    ${texts.map(
      (text) => html`<li><button class="example ${tried.has(text) ? "tried" : ""}" @click=${() => choose({ text, intent })}>${text}</button></li>`,
    )}
  </ul>
</div>`;
