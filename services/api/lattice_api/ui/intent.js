// What the box will do with words, as the server reads them: asked while they are typed, shown, and never decided here.
//
// `reading` gives the answer for the words, or the last one until theirs is there; null while nothing is known (offline, say).

import { post } from "/ui/api.js";

const WAIT = 150; // ms without a key before the server is asked
const KEPT = 50;
const LONGEST = 2000; // characters that are asked about; what is longer is decided when it is sent

export class Intents {
  constructor(changed) {
    this.changed = changed;
    this.known = new Map();
    this.last = null;
    this.timer = 0;
  }

  reading(words) {
    return this.known.get(words) ?? this.last;
  }

  /** Ask about words, once they have rested. */
  ask(words) {
    clearTimeout(this.timer);
    if (!words) this.last = null;
    if (!words || words.length > LONGEST || this.known.has(words)) return;
    this.timer = setTimeout(() => void this.fetch(words), WAIT);
  }

  async fetch(words) {
    try {
      const { intent } = await post("/api/intent", { text: words });
      this.known.set(words, intent);
      if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
      this.last = intent;
    } catch {
      this.last = null; // it says nothing, and the server decides when it is sent
    }
    this.changed();
  }
}
