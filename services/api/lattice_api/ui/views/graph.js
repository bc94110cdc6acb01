// <lattice-graph>: a small map around one name or one memory (`?about=`, `?memory=`): at most 60 nodes, laid out once. A click on a
// memory opens it; one on a name draws the map around that.

import { html, nothing, svg } from "/ui/vendor/lit/index.js";
import { get } from "/ui/api.js";
import { addressOf } from "/ui/router.js";
import { shorten } from "/ui/words.js";
import { View } from "/ui/views/view.js";

const MEMORIES = 36;
const MOST = 60;
const LABELLED = 20; // nodes, at most, where memories have their words below them: more would lie on each other
const STEPS = 160;
const [WIDTH, HEIGHT] = matchMedia("(max-width: 36rem)").matches ? [380, 480] : [720, 520];

class Graph extends View {
  async load() {
    const id = this.view.query.get("memory");
    const memory = id ? await get(`/api/atoms/${encodeURIComponent(id)}`) : null;
    const name = memory?.subject || this.view.query.get("about") || (await get("/api/names?limit=1")).names[0]?.name;
    if (!name) return { nodes: [], edges: [] };
    const { atoms, total } = await get(`/api/atoms?about=${encodeURIComponent(name)}&standing=current&limit=${MEMORIES}`);
    const { nodes, edges } = joined(name, memory && atoms.every((atom) => atom.atom_id !== id) ? [memory, ...atoms] : atoms);
    return { name, more: total > atoms.length, edges, nodes: laidOut(nodes, edges) };
  }

  render() {
    const { shown } = this;
    return html`<div class="view-head"><h2 tabindex="-1">${shown?.name ? `Around ${shorten(shown.name, 60)}` : "Map"}</h2></div>
      ${this.body((found) => (found.nodes.length ? this.map(found) : html`<p class="quiet nothing">There is nothing to draw yet.</p>`))}`;
  }

  map({ nodes, edges, more }) {
    const at = new Map(nodes.map((node) => [node.id, node]));
    const few = nodes.length <= LABELLED;
    return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Names and memories, and what joins them">
        ${edges.map(([one, two]) => svg`<line x1=${at.get(one).x} y1=${at.get(one).y} x2=${at.get(two).x} y2=${at.get(two).y} />`)}
        ${nodes.map((node, n) => this.node(node, n === 0, few))}
      </svg>
      <p class="quiet">${more ? "The newest are shown. " : ""}A name draws the map around it, a memory opens.</p>`;
  }

  node({ id, named, words, x, y }, middle, few) {
    const href = named ? `/graph?about=${encodeURIComponent(words)}` : addressOf.memory(id);
    return svg`<a href=${href} aria-label=${words} class="${named ? "is-name" : ""} ${middle ? "is-middle" : ""}">
      <title>${words}</title><circle cx=${x} cy=${y} r=${named ? 6 : 5} />
      ${named ? svg`<text x=${x} y=${y - 11} text-anchor="middle">${shorten(words, 24)}</text>` : few ? svg`<text class="said" x=${x} y=${y + 19} text-anchor="middle">${shorten(words, 26)}</text>` : nothing}
    </a>`;
  }
}

/** The nodes and edges of memories and the names in them, the one in the middle first. Names are one however they are written. */
function joined(middle, atoms) {
  const key = (name) => `name:${name.toLowerCase()}`;
  const names = new Map([[key(middle), { id: key(middle), named: true, words: middle, count: Infinity }]]);
  const edges = [];
  for (const atom of atoms) {
    for (const name of new Set([atom.subject, ...(atom.entities ?? [])].filter(Boolean))) {
      const known = names.get(key(name)) ?? { id: key(name), named: true, words: name, count: 0 };
      known.count += 1;
      names.set(known.id, known);
      edges.push([known.id, atom.atom_id]);
    }
  }
  const most = [...names.values()].sort((a, b) => b.count - a.count).slice(0, MOST - atoms.length);
  const nodes = [...most, ...atoms.map((atom) => ({ id: atom.atom_id, named: false, words: atom.content }))];
  const there = new Set(nodes.map((node) => node.id));
  const kept = new Map(edges.filter(([one, two]) => there.has(one) && there.has(two)).map((edge) => [edge.join(), edge]));
  return { nodes, edges: [...kept.values()] };
}

/** Nodes with a place: those that are joined attract, all keep a distance. The same nodes always get the same places. */
function laidOut(nodes, edges) {
  const placed = nodes.map((node, n) => ({ ...node, x: WIDTH / 2 + Math.cos(n * 2.4) * (n ? 50 + n * 3 : 0), y: HEIGHT / 2 + Math.sin(n * 2.4) * (n ? 50 + n * 3 : 0) }));
  const at = new Map(placed.map((node) => [node.id, node]));
  const wished = Math.min(placed.length > LABELLED ? 120 : 170, Math.max(44, (0.8 * Math.min(WIDTH, HEIGHT)) / Math.sqrt(placed.length)));
  for (let step = 0; step < STEPS; step++) {
    const heat = 12 * (1 - step / STEPS);
    for (const node of placed) [node.dx, node.dy] = [(WIDTH / 2 - node.x) * 0.01, (HEIGHT / 2 - node.y) * 0.015];
    const move = (one, two, by) => {
      const [dx, dy] = [one.x - two.x || 0.1, one.y - two.y || 0.1];
      const far = Math.hypot(dx, dy);
      const force = by(far) / far;
      one.dx += dx * force;
      one.dy += dy * force;
      two.dx -= dx * force;
      two.dy -= dy * force;
    };
    placed.forEach((one, n) => placed.slice(n + 1).forEach((two) => move(one, two, (far) => (wished * wished) / far / 12)));
    for (const [one, two] of edges) move(at.get(one), at.get(two), (far) => -(far * far) / wished / 30);
    for (const node of placed.slice(1)) {
      const length = Math.hypot(node.dx, node.dy) || 1;
      node.x = Math.min(WIDTH - 90, Math.max(90, node.x + (node.dx / length) * Math.min(length, heat)));
      node.y = Math.min(HEIGHT - 28, Math.max(28, node.y + (node.dy / length) * Math.min(length, heat)));
    }
  }
  return placed.map(({ dx, dy, x, y, ...node }) => ({ ...node, x: Math.round(x), y: Math.round(y) }));
}

customElements.define("lattice-graph", Graph);
