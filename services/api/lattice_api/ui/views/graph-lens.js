// How a map is looked at: how near, and at which part of it; and which nodes were moved by hand. Points are of the map, as it was
// laid out; places are where they are drawn. Words keep their size however near they are, so that they part.

const MOST = 8; // times as near as the whole map

const between = (least, value, most) => Math.min(Math.max(value, least), most);

export class Lens {
  constructor(width, height) {
    Object.assign(this, { width, height, moved: new Map() });
    this.whole();
  }

  /** All of the map, as at first; nodes that were moved stay there. */
  whole() {
    [this.near, this.left, this.top] = [1, 0, 0];
  }

  get isWhole() {
    return this.near === 1 && !this.left && !this.top;
  }

  /** The place of a node. */
  place(node) {
    const { x, y } = this.moved.get(node.id) ?? node;
    return [(x - this.left) * this.near, (y - this.top) * this.near];
  }

  isSeen = (node) => {
    const [x, y] = this.place(node);
    return x >= 0 && x <= this.width && y >= 0 && y <= this.height;
  };

  /** So many times as near; what is drawn at a place stays there. */
  zoom(by, [x, y] = [this.width / 2, this.height / 2]) {
    const near = between(1, this.near * by, MOST);
    this.left += x / this.near - x / near;
    this.top += y / this.near - y / near;
    this.near = near;
    if (near === 1) this.whole();
    else this.keepInside();
  }

  /** Move what is drawn. */
  pan(across, down) {
    this.left -= across / this.near;
    this.top -= down / this.near;
    this.keepInside();
  }

  /** The middle of what is seen is never beside the map. */
  keepInside() {
    const [across, down] = [this.width / this.near / 2, this.height / this.near / 2];
    this.left = between(-across, this.left, this.width - across);
    this.top = between(-down, this.top, this.height - down);
  }

  /** Move one node; it may not leave the map. */
  move(node, across, down) {
    const { x, y } = this.moved.get(node.id) ?? node;
    this.moved.set(node.id, { x: between(0, x + across / this.near, this.width), y: between(0, y + down / this.near, this.height) });
  }

  /** Where a node is not seen, what is seen moves until it is in the middle. */
  bring(node) {
    if (this.isSeen(node)) return false;
    const [x, y] = this.place(node);
    this.pan(this.width / 2 - x, this.height / 2 - y);
    return true;
  }
}
