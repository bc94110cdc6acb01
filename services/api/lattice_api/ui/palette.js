// <lattice-palette>: Ctrl-K. Goes to a view, a person or thing, a memory; does what the bar does. `open()` shows it.

import { html, nothing } from "/ui/vendor/lit/index.js";
import { PageElement, closeBeside, fields } from "/ui/element.js";
import { get, post, quoted } from "/ui/api.js";
import { isDark, switchTheme } from "/ui/appearance.js";
import { addressOf, go } from "/ui/router.js";
import { VIEWS } from "/ui/views.js";
import { shorten } from "/ui/words.js";

const PAUSE = 120; // ms without a key before memories are looked for
const FOUND = 5;

/** Whether a name is another one with small words around it: “sister Nora” is Nora. */
const isMore = (name, other) => name !== other && ` ${name} `.includes(` ${other} `) && !/\p{Lu}/u.test(` ${name} `.replace(` ${other} `, " "));

class Palette extends PageElement {
  static properties = fields("words names atoms chosen");

  constructor() {
    super();
    this.reset();
  }

  reset() {
    Object.assign(this, { words: "", names: [], atoms: [], chosen: 0 });
  }

  async open() {
    this.reset();
    await this.updateComplete;
    const dialog = this.$("dialog");
    if (!dialog.open) dialog.showModal();
    this.$("input").value = "";
    void this.look("");
  }

  /** [kind, words, what choosing it does], as they are listed. */
  get choices() {
    const page = document.querySelector("lattice-page");
    const views = [{ name: "", words: "Today" }, ...VIEWS].map(({ name, words }) => ["View", words, () => go(`/${name}`)]);
    const actions = [
      ["Do", isDark() ? "Switch to light" : "Switch to dark", () => (switchTheme(), page.requestUpdate())],
      ["Do", "Show the keys", () => page.querySelector("dialog.keys").showModal()],
      ["Do", "Search what was said", () => go("/memories")],
    ];
    const wanted = this.words.toLowerCase();
    const fits = ([, words]) => words.toLowerCase().includes(wanted);
    return [
      ...views.filter(fits),
      ...this.names.map(({ name }) => ["About", name, () => go(addressOf.about(name))]),
      ...this.atoms.map((atom) => ["Memory", shorten(atom.content, 90), () => go(addressOf.memory(atom.atom_id))]),
      ...actions.filter(fits),
      ...(this.words ? [["Search", `“${this.words}” in all memories`, () => go(addressOf.list({ q: this.words }))]] : []),
    ];
  }

  render() {
    const { choices } = this;
    return html`<dialog class="palette" aria-label="Go to" @click=${closeBeside}>
      <div>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-choices"
          aria-activedescendant=${choices.length ? `palette-${this.chosen}` : nothing}
          aria-label="Go to a view, a person, a memory"
          placeholder="Go to …"
          autocomplete="off"
          @input=${this.typed}
          @keydown=${this.pressed}
        />
        <ul id="palette-choices" role="listbox" aria-label="Where to">
          ${choices.map(
            ([kind, words], at) => html`<li id="palette-${at}" role="option" aria-selected=${at === this.chosen} @pointermove=${() => (this.chosen = at)} @click=${() => this.choose(at)}>
              <span class="quiet">${kind}</span><span dir="auto">${words}</span>
            </li>`,
          )}
        </ul>
      </div>
    </dialog>`;
  }

  updated() {
    this.$("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  typed(event) {
    this.words = event.target.value.trim();
    this.chosen = 0;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(this.words), PAUSE);
  }

  async look(words) {
    const nothingFound = { names: [], atoms: [] }; // Lattice may be away: then the views are there all the same
    const [{ names }, { atoms, answerable }] = await Promise.all([
      get(`/api/names?limit=${FOUND}&beginning=${quoted(words)}`).catch(() => nothingFound),
      (words ? post("/api/select", { query: words, limit: FOUND }) : get(`/api/atoms/recent?limit=${FOUND}`)).catch(() => nothingFound),
    ]);
    // What is not sure to be about the words, as nothing is about half a word, is behind "in all memories" and called the nearest there.
    const sure = !words || (answerable && words.includes(" "));
    const known = sure ? atoms : atoms.filter(({ content }) => content.toLowerCase().includes(words.toLowerCase()));
    if (words === this.words) Object.assign(this, { looked: words, names: names.filter((each) => !names.some((other) => isMore(each.name, other.name))), atoms: known });
  }

  pressed(event) {
    const { length } = this.choices;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : length - 1)) % length;
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      void this.enter();
    }
  }

  /** What is chosen; what belongs to earlier words is none of it. */
  async enter() {
    clearTimeout(this.timer);
    if (this.looked !== this.words) await this.look(this.words);
    await this.updateComplete;
    this.choose(this.chosen);
  }

  choose(at) {
    const choice = this.choices[at];
    if (!choice) return;
    this.$("dialog").close();
    choice[2]();
  }
}

customElements.define("lattice-palette", Palette);
