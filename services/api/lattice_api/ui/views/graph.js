// <lattice-graph>: a small map around one name or one memory (`?about=`, `?memory=`): the name in the middle, its memories around it,
// and around these the names that they mention. At most 60 nodes, more on demand. A click on a memory opens it; one on a name draws the
// map around that. One goes nearer by buttons, keys, the wheel with Ctrl or two fingers, and moves the map, or one node, by dragging and arrows.

import { html, nothing, svg } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";
import { button, fields } from "/ui/element.js";
import { addressOf } from "/ui/router.js";
import { number, shorten } from "/ui/words.js";
import { Lens } from "/ui/views/graph-lens.js";
import { View } from "/ui/views/view.js";

// What only a map needs comes with it, and before it is drawn.
await new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/ui/views/graph.css", onload, onerror })));

const MEMORIES = 36;
const MOST = 60; // nodes; as many again with each step
const STEPS = 4;
const NARROW = matchMedia("(max-width: 36rem)").matches;
const [WIDTH, HEIGHT] = NARROW ? [380, 500] : [720, 540];
const LABELLED = NARROW ? 6 : 10; // memories, at most, that show their words without being pointed at
const LINE = NARROW ? 16 : 21; // characters of a line below a memory; half as many more where all of them show their words
const NAME = NARROW ? 12 : 17; // and beside a name
const INNER = [WIDTH * (NARROW ? 0.28 : 0.19), HEIGHT * 0.25]; // half axes of the ellipse of memories, and of that of names
const WIDER = NARROW ? 1 : 1.5; // where there are few, whose words have the room then
const OUTER = NARROW ? [100, 212] : [235, 232];
const GAP = 0.26; // of two names, in radians
const STEEP = NARROW ? 0.9 : 0; // radians that a name keeps from the horizontal: on a phone it would stand in the words of a memory

const SLACK = 5; // that a click may slip without being a drag
const NEARER = 1.5; // with each step
const STEP = 48; // that an arrow moves
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOUCHED = matchMedia("(pointer: coarse)").matches;

class Graph extends View {
  static properties = fields("steps");

  constructor() {
    super();
    this.fingers = new Map(); // where on the map each is, and the pointer while it is held down
    this.lens = new Lens(WIDTH, HEIGHT);
    this.addEventListener("keydown", this.pressed);
  }

  async load() {
    if (this.drawn !== this.view.path) [this.drawn, this.steps, this.lens] = [this.view.path, 1, new Lens(WIDTH, HEIGHT)];
    const id = this.view.query.get("memory");
    const memory = id ? await get(`/api/atoms/${encodeURIComponent(id)}`) : null;
    const name = memory?.subject || this.view.query.get("about") || (await get("/api/names?limit=1")).names[0]?.name;
    if (!name) return { nodes: [], edges: [] };
    const { atoms, total } = await get(`/api/atoms?about=${encodeURIComponent(name)}&standing=current&concluded=false&limit=${MEMORIES * this.steps}`);
    const { nodes, edges } = joined(name, memory && atoms.every((atom) => atom.atom_id !== id) ? [memory, ...atoms] : atoms, MOST * this.steps);
    return { name, more: total - atoms.length, edges, nodes: legible(laidOut(nodes, edges), edges) };
  }

  render() {
    const { shown } = this;
    return html`<div class="view-head"><h2 tabindex="-1" dir="auto">${shown?.name ? `Around ${shorten(shown.name, 60)}` : "Map"}</h2>
        ${shown?.name ? html`<span class="more"><a class="link" href=${addressOf.about(shown.name)}>all about ${shorten(shown.name, 30)}</a></span>` : nothing}</div>
      ${this.body((found) => (found.nodes.length ? this.map(found) : html`<p class="quiet nothing">There is nothing to draw yet.</p>`))}`;
  }

  map({ nodes, edges, more }) {
    const { lens } = this;
    const at = new Map(nodes.map((node) => [node.id, lens.place(node)]));
    const memories = nodes.filter(({ named }) => !named);
    const few = memories.filter(lens.isSeen).length <= LABELLED;
    const most = LINE * Math.min(lens.near, 2) * (memories.length <= LABELLED ? WIDER : 1);
    return html`<svg class="map ${few ? "" : "many"} ${lens.isWhole ? "" : "near"}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Names and memories, and what joins them"
        @pointerdown=${this.grabbed} @pointermove=${this.drawnAlong} @pointerup=${this.released} @pointercancel=${this.released} @pointerleave=${this.released}
        @click=${this.clicked} @dragstart=${(event) => event.preventDefault()} @wheel=${this.rolled} @focusin=${this.reached}>
        ${edges.map(([one, two]) => svg`<line x1=${at.get(one)[0]} y1=${at.get(one)[1]} x2=${at.get(two)[0]} y2=${at.get(two)[1]} />`)}
        ${nodes.map((node, n) => this.node(node, at.get(node.id), n === 0, most))}
      </svg>
      <div class="zoom" role="group" aria-label="How near">
        <button class="plain" aria-label="Further away" title="Further away (−)" @click=${() => this.look(() => lens.zoom(1 / NEARER))}>−</button>
        <output class="quiet">${Math.round(lens.near * 100)} %</output>
        <button class="plain" aria-label="Nearer" title="Nearer (+)" @click=${() => this.look(() => lens.zoom(NEARER))}>+</button>
        ${lens.isWhole ? nothing : button("whole map", () => this.whole())}
      </div>
      <p class="quiet">A name draws the map around it, a memory opens.
        ${more > 0 && this.steps < STEPS ? html`<button class="link" @click=${this.draw}>draw more of the ${number(more)} others</button>` : nothing}</p>
      <p class="quiet note-line">${TOUCHED ? "Two fingers go nearer, one moves the map then." : "Dragging and the arrow keys move it, + and − go nearer and away, 0 shows all of it. Shift and an arrow move a name or memory alone."}</p>`;
  }

  draw() {
    this.steps += 1;
    void this.refresh();
  }

  node({ id, named, words, y: laid, side, labelled }, [x, y], middle, most) {
    const href = named ? `/graph?about=${encodeURIComponent(words)}` : addressOf.memory(id);
    const seen = labelled || id === this.tapped;
    return svg`<a href=${href} aria-label=${words} data-node=${id} class="${named ? "is-name" : ""} ${middle ? "is-middle" : ""} ${seen ? "is-labelled" : ""}">
      <title>${words}</title><circle class="reach" cx=${x} cy=${y} r="13" /><circle cx=${x} cy=${y} r=${named ? 6 : 5} />
      ${named ? label(words, x, y, side, laid) : below(words, x, y, laid, most)}
    </a>`;
  }

  // How it is looked at

  look(change) {
    change();
    this.requestUpdate();
  }

  /** All of it; the focus stays near the button, which is gone then. */
  whole() {
    this.look(() => this.lens.whole());
    this.$("[aria-label=Nearer]").focus();
  }

  nodeAt = (element) => this.shown.nodes.find(({ id }) => id === element.closest("a")?.dataset.node);

  /** Where on the map, as it is drawn, the pointer is. */
  onMap({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.$(".map").getScreenCTM().inverse());
    return [x, y];
  }

  /** A pointer takes the node that it is on; a finger, which covers several, always the map. */
  grabbed(event) {
    if (event.button) return;
    if (!this.fingers.size) [this.dragged, this.held] = [false, event.pointerType === "touch" ? null : this.nodeAt(event.target)];
    this.fingers.set(event.pointerId, this.onMap(event));
  }

  drawnAlong(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.onMap(event);
    const [across, down] = [now[0] - before[0], now[1] - before[1]];
    if (!this.dragged && Math.hypot(across, down) < SLACK) return;
    if (!this.dragged) event.currentTarget.setPointerCapture(event.pointerId);
    this.dragged = true;
    this.fingers.set(event.pointerId, now);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.look(() => {
      if (other) this.pinch(before, now, other);
      else if (this.held) this.lens.move(this.held, across, down);
      else this.lens.pan(across, down);
    });
  }

  /** One of two fingers moved: what is between them goes with them. */
  pinch(before, now, other) {
    const apart = ([x, y]) => Math.max(1, Math.hypot(x - other[0], y - other[1]));
    this.lens.zoom(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    this.lens.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }

  released({ pointerId }) {
    this.fingers.delete(pointerId);
  }

  /** What was dragged was not clicked; `detail` is 0 where a key was. A finger, which points at nothing before, shows the words of a
   * memory first where they are hidden, and opens it by the next tap. */
  clicked(event) {
    const node = this.nodeAt(event.target);
    const hidden = node && !node.named && !node.labelled && node.id !== this.tapped && event.currentTarget.matches(".many");
    const tapped = event.pointerType === "touch" && hidden;
    if ((this.dragged || tapped) && event.detail) event.preventDefault();
    if (tapped) this.look(() => (this.tapped = node.id));
  }

  /** The wheel moves the page, and with Ctrl, as two fingers on a pad are told too, goes nearer. */
  rolled(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const rolled = event.deltaY * (event.deltaMode ? 33 : 1); // lines in some browsers
    this.look(() => this.lens.zoom(2 ** (-Math.max(-100, Math.min(rolled, 100)) / 200), this.onMap(event)));
  }

  /** What Tab reaches comes into sight. */
  reached({ target }) {
    const node = this.nodeAt(target);
    if (node && this.lens.bring(node)) this.requestUpdate();
  }

  pressed(event) {
    if (!event.target.closest(".map, .zoom") || event.ctrlKey || event.metaKey || event.altKey) return;
    const { lens } = this;
    const [across, down] = (ARROWS[event.key] ?? []).map((way) => way * STEP);
    const node = event.shiftKey && this.nodeAt(event.target);
    if (across === undefined && !["+", "=", "-", "0"].includes(event.key)) return;
    event.preventDefault(); // neither does the page scroll, nor does the key land in the box
    this.look(() => {
      if (across !== undefined) node ? lens.move(node, across, down) : lens.pan(-across, -down);
      else if (event.key === "0") lens.whole();
      else lens.zoom(event.key === "-" ? 1 / NEARER : NEARER);
    });
  }
}

/** A name above or below its node, or beside it: `side` is -1 to the left, 1 to the right. `laid` is how far down it was laid out. */
function label(words, x, y, side, laid) {
  if (!side) return svg`<text x=${x} y=${laid < HEIGHT * 0.75 ? y - 11 : y + 20} text-anchor="middle">${shorten(words, 24)}</text>`;
  return svg`<text x=${x + side * 11} y=${y + 4} text-anchor=${side < 0 ? "end" : "start"}>${shorten(words, NAME)}</text>`;
}

/** The words of a memory, in lines of `most` characters on the side of its node that faces away from the middle. */
function below(words, x, y, laid, most) {
  const shown = lines(words, most);
  const first = laid < HEIGHT * 0.45 ? y - 11 - (shown.length - 1) * 14 : y + 19;
  return shown.map((line, n) => svg`<text class="words" x=${x} y=${first + n * 14} text-anchor="middle">${line}</text>`);
}

/** Words in two short lines of so many characters. */
function lines(words, most) {
  const first = words.length <= most ? words : words.slice(0, most + 1).replace(/\s+\S*$/, "").slice(0, most);
  const rest = words.slice(first.length).trim();
  return rest ? [first, shorten(rest, most)] : [first];
}

const MONTHS = Array.from({ length: 12 }, (_, n) => new Date(2024, n).toLocaleString("en", { month: "long" }));

/** “3 May 2040” or “60 euros”, which nothing can be around; “May” alone may be somebody. */
const isValue = (name) => /^\d[\d.,]* \p{Ll}+$/u.test(name) || (/\d/.test(name) && name.replace(/^week(end)? of /, "").split(/[\s,]+/).every((word) => /^\d[\d:]*(st|nd|rd|th)?$/.test(word) || MONTHS.includes(word)));

const wordsOf = (name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** The nodes and edges of memories and the names in them, the one in the middle first. Names are one however they are written, and
 * “sister Nora” is Nora. */
function joined(middle, atoms, most) {
  const own = wordsOf(middle);
  const key = (name) => (own.every((word) => wordsOf(name).includes(word)) ? "middle" : `name:${name.toLowerCase()}`);
  const names = new Map([["middle", { id: "middle", named: true, words: middle, count: Infinity }]]);
  const edges = [];
  for (const atom of atoms) {
    for (const name of new Set([middle, ...[atom.subject, ...(atom.entities ?? [])].filter((name) => name && !isValue(name))])) {
      const known = names.get(key(name)) ?? { id: key(name), named: true, words: name, count: 0 };
      known.count += 1;
      names.set(known.id, known);
      edges.push([known.id, atom.atom_id]);
    }
  }
  const nodes = [...[...names.values()].sort((a, b) => b.count - a.count).slice(0, Math.max(1, most - atoms.length)), ...atoms.map((atom) => ({ id: atom.atom_id, named: false, words: atom.content }))];
  const there = new Set(nodes.map((node) => node.id));
  const kept = new Map(edges.filter(([one, two]) => there.has(one) && there.has(two)).map((edge) => [edge.join(), edge]));
  return { nodes, edges: [...kept.values()] };
}

/** Nodes with a place: memories that mention the same stand side by side, and names outside of those that mention them. The same
 * nodes always get the same places. */
function laidOut(nodes, edges) {
  const [middle, ...others] = nodes;
  const of = Map.groupBy(edges.filter(([name]) => name !== middle.id), ([, memory]) => memory);
  const mentioned = (id) => (of.get(id) ?? []).map(([name]) => name);
  const memories = sideBySide(others.filter(({ named }) => !named), mentioned);
  const first = memories.length % 2 ? 0 : 0.5; // two lie beside the middle, three around it
  const turn = new Map(memories.map(({ id }, n) => [id, ((n + first) / memories.length) * 2 * Math.PI - Math.PI / 2]));
  const names = others.filter(({ named }) => named).map((node) => {
    const angles = edges.filter(([name]) => name === node.id).map(([, memory]) => turn.get(memory));
    const sum = (by) => angles.reduce((all, angle) => all + by(angle), 0);
    const angle = Math.atan2(sum(Math.sin), sum(Math.cos));
    return { ...node, angle: Math.sign(angle || 1) * Math.min(Math.max(Math.abs(angle), STEEP), Math.PI - STEEP) };
  });
  const crowded = memories.length > MEMORIES;
  const inner = [INNER[0] * (memories.length <= LABELLED ? WIDER : 1), INNER[1]];
  return [
    { ...middle, x: WIDTH / 2, y: HEIGHT / 2 },
    ...memories.map((node, n) => on(inner, turn.get(node.id), node, crowded ? 0.6 + 0.2 * (n % 4) : 1)),
    ...apart(names).map(({ angle, ...node }) => on(OUTER, angle, { ...node, side: Math.abs(Math.cos(angle)) < GAP / 2.2 ? 0 : Math.sign(Math.cos(angle)) })),
  ];
}

/** The same nodes with each name moved up or down until it stands in nobody's words, where memories show theirs; and where these are
 * too many, those memories labelled that are joined with most, as far as their words stand in no others. */
function legible(nodes, edges) {
  const memories = nodes.filter(({ named }) => !named);
  const taken = memories.length > LABELLED ? [] : memories.map((node) => wordsAt(node));
  for (const node of nodes.slice(1)) {
    if (!node.named) continue;
    const away = node.y < HEIGHT / 2 ? -LETTER : LETTER;
    while (node.y > 24 && node.y < HEIGHT - 24 && taken.some((box) => overlap(box, nameAt(node)))) node.y += away;
    taken.push(nameAt(node));
  }
  if (memories.length <= LABELLED) return nodes;
  const joins = ({ id }) => edges.filter(([, memory]) => memory === id).length;
  const [middle] = nodes;
  taken.push([middle.x - 80, middle.y - 24, middle.x + 80, middle.y + 24]);
  let left = LABELLED;
  for (const node of [...memories].sort((a, b) => joins(b) - joins(a))) {
    const [l, t, r, b] = wordsAt(node, LINE);
    node.labelled = left > 0 && l > 0 && r < WIDTH && t > 0 && b < HEIGHT && !taken.some((box) => overlap(box, [l, t, r, b]));
    if (!node.labelled) continue;
    taken.push([l, t, r, b]);
    left -= 1;
  }
  return nodes;
}

const LETTER = 6.5; // px that one is wide, about

/** [left, top, right, bottom] of a memory and its words; and of a name. */
function wordsAt({ x, y, words }, wide = LINE * WIDER) {
  const half = (Math.min(words.length, wide) * LETTER) / 2;
  return y < HEIGHT * 0.45 ? [x - half, y - 38, x + half, y + 6] : [x - half, y - 6, x + half, y + 40];
}

function nameAt({ x, y, side, words }) {
  const wide = Math.min(words.length, NAME) * LETTER;
  if (!side) return [x - wide / 2, y - 24, x + wide / 2, y + 24];
  return side < 0 ? [x - wide - 11, y - 8, x + 6, y + 8] : [x - 6, y - 8, x + wide + 11, y + 8];
}

const overlap = ([left, top, right, bottom], [l, t, r, b]) => left < r && l < right && top < b && t < bottom;

const on = ([across, down], angle, node, by = 1) => ({ ...node, x: Math.round(WIDTH / 2 + Math.cos(angle) * across * by), y: Math.round(HEIGHT / 2 + Math.sin(angle) * down * by) });

/** After each memory the one that shares most names with it. */
function sideBySide(memories, mentioned) {
  const left = [...memories];
  const order = left.splice(0, 1);
  while (left.length) {
    const names = new Set(mentioned(order.at(-1).id));
    const shared = left.map(({ id }) => mentioned(id).filter((name) => names.has(name)).length);
    order.push(...left.splice(shared.indexOf(Math.max(...shared)), 1));
  }
  return order;
}

/** Names around the map, pushed apart where they would lie on each other. */
function apart(names) {
  const order = [...names].sort((a, b) => a.angle - b.angle);
  const gap = Math.min(GAP, (2 * Math.PI) / order.length);
  for (let step = 0; step < 60; step++) {
    order.forEach((one, n) => {
      const next = order[(n + 1) % order.length];
      const missing = gap - (next.angle - one.angle + (n + 1 === order.length ? 2 * Math.PI : 0));
      if (order.length > 1 && missing > 0) {
        one.angle -= missing / 2;
        next.angle += missing / 2;
      }
    });
  }
  return order;
}

customElements.define("lattice-graph", Graph);
