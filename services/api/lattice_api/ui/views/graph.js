// <lattice-graph>: a small map around one name or one memory (`?about=`, `?memory=`): the name in the middle, its memories around it,
// and around these the names that they mention. At most 60 nodes, more on demand. A click on a memory opens it; one on a name draws the
// map around that.

import { html, nothing, svg } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";
import { fields } from "/ui/element.js";
import { addressOf } from "/ui/router.js";
import { shorten } from "/ui/words.js";
import { View } from "/ui/views/view.js";

const MEMORIES = 36;
const MOST = 60; // nodes; as many again with each step
const STEPS = 4;
const NARROW = matchMedia("(max-width: 36rem)").matches;
const [WIDTH, HEIGHT] = NARROW ? [380, 500] : [720, 540];
const LABELLED = NARROW ? 6 : 10; // memories, at most, that show their words without being pointed at
const LINE = NARROW ? 16 : 21; // characters of a line below a memory
const NAME = NARROW ? 12 : 17; // and beside a name
const INNER = [WIDTH * (NARROW ? 0.28 : 0.19), HEIGHT * 0.25]; // half axes of the ellipse of memories, and of that of names
const OUTER = NARROW ? [100, 212] : [235, 232];
const GAP = 0.26; // of two names, in radians
const STEEP = NARROW ? 0.9 : 0; // radians that a name keeps from the horizontal: on a phone it would stand in the words of a memory

class Graph extends View {
  static properties = fields("steps");

  async load() {
    if (this.drawn !== this.view.path) [this.drawn, this.steps] = [this.view.path, 1];
    const id = this.view.query.get("memory");
    const memory = id ? await get(`/api/atoms/${encodeURIComponent(id)}`) : null;
    const name = memory?.subject || this.view.query.get("about") || (await get("/api/names?limit=1")).names[0]?.name;
    if (!name) return { nodes: [], edges: [] };
    const { atoms, total } = await get(`/api/atoms?about=${encodeURIComponent(name)}&standing=current&concluded=false&limit=${MEMORIES * this.steps}`);
    const { nodes, edges } = joined(name, memory && atoms.every((atom) => atom.atom_id !== id) ? [memory, ...atoms] : atoms, MOST * this.steps);
    return { name, more: total - atoms.length, edges, nodes: laidOut(nodes, edges) };
  }

  render() {
    const { shown } = this;
    return html`<div class="view-head"><h2 tabindex="-1" dir="auto">${shown?.name ? `Around ${shorten(shown.name, 60)}` : "Map"}</h2>
        ${shown?.name ? html`<span class="more"><a class="link" href=${addressOf.about(shown.name)}>all about ${shorten(shown.name, 30)}</a></span>` : nothing}</div>
      ${this.body((found) => (found.nodes.length ? this.map(found) : html`<p class="quiet nothing">There is nothing to draw yet.</p>`))}`;
  }

  map({ nodes, edges, more }) {
    const at = new Map(nodes.map((node) => [node.id, node]));
    const few = nodes.filter(({ named }) => !named).length <= LABELLED;
    return html`<svg class="map ${few ? "" : "many"}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Names and memories, and what joins them">
        ${edges.map(([one, two]) => svg`<line x1=${at.get(one).x} y1=${at.get(one).y} x2=${at.get(two).x} y2=${at.get(two).y} />`)}
        ${nodes.map((node, n) => this.node(node, n === 0))}
      </svg>
      <p class="quiet">A name draws the map around it, a memory opens.
        ${more > 0 && this.steps < STEPS ? html`<button class="link" @click=${this.draw}>draw more of the ${more} others</button>` : nothing}</p>`;
  }

  draw() {
    this.steps += 1;
    void this.refresh();
  }

  node({ id, named, words, x, y, side }, middle) {
    const href = named ? `/graph?about=${encodeURIComponent(words)}` : addressOf.memory(id);
    return svg`<a href=${href} aria-label=${words} class="${named ? "is-name" : ""} ${middle ? "is-middle" : ""}">
      <title>${words}</title><circle cx=${x} cy=${y} r=${named ? 6 : 5} />
      ${named ? label(words, x, y, side) : below(words, x, y)}
    </a>`;
  }
}

/** A name above or below its node, or beside it: `side` is -1 to the left, 1 to the right. */
function label(words, x, y, side) {
  if (!side) return svg`<text x=${x} y=${y < HEIGHT * 0.75 ? y - 11 : y + 20} text-anchor="middle">${shorten(words, 24)}</text>`;
  return svg`<text x=${x + side * 11} y=${y + 4} text-anchor=${side < 0 ? "end" : "start"}>${shorten(words, NAME)}</text>`;
}

/** The words of a memory, on the side of its node that faces away from the middle. */
function below(words, x, y) {
  const shown = lines(words);
  const first = y < HEIGHT * 0.45 ? y - 11 - (shown.length - 1) * 14 : y + 19;
  return shown.map((line, n) => svg`<text class="words" x=${x} y=${first + n * 14} text-anchor="middle">${line}</text>`);
}

/** Words in two short lines. */
function lines(words) {
  const first = words.length <= LINE ? words : words.slice(0, LINE + 1).replace(/\s+\S*$/, "").slice(0, LINE);
  const rest = words.slice(first.length).trim();
  return rest ? [first, shorten(rest, LINE)] : [first];
}

const wordsOf = (name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** The nodes and edges of memories and the names in them, the one in the middle first. Names are one however they are written, and
 * “sister Nora” is Nora. */
function joined(middle, atoms, most) {
  const own = wordsOf(middle);
  const key = (name) => (own.every((word) => wordsOf(name).includes(word)) ? "middle" : `name:${name.toLowerCase()}`);
  const names = new Map([["middle", { id: "middle", named: true, words: middle, count: Infinity }]]);
  const edges = [];
  for (const atom of atoms) {
    for (const name of new Set([middle, atom.subject, ...(atom.entities ?? [])].filter(Boolean))) {
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
  return [
    { ...middle, x: WIDTH / 2, y: HEIGHT / 2 },
    ...memories.map((node, n) => on(INNER, turn.get(node.id), node, crowded ? 0.6 + 0.2 * (n % 4) : 1)),
    ...apart(names).map(({ angle, ...node }) => on(OUTER, angle, { ...node, side: Math.abs(Math.cos(angle)) < 0.2 ? 0 : Math.sign(Math.cos(angle)) })),
  ];
}

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
