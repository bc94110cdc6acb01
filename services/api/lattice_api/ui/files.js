// Files that are dropped, pasted or picked: text is read here and sent as text; anything else says so.

import { Problem } from "/ui/api.js";

const TEXT_NAME = /\.(txt|text|md|markdown)$/i;
const LARGEST = 10_000_000; // bytes; the server's own default limit for a text

/** The words of a text file. Rejects with `Problem` for what can't be read. */
export async function textOf(file) {
  if (!TEXT_NAME.test(file.name) && file.type !== "text/plain" && file.type !== "text/markdown") {
    throw new Problem({
      title: `“${file.name}” was not taken`,
      detail: "Only text files (.txt and .md) can be read here. Copy the words you need, and paste them into the box.",
    });
  }
  if (file.size > LARGEST) {
    throw new Problem({
      title: `“${file.name}” was not taken`,
      detail: "It is larger than 10 MB of text. Split it, and drop the parts.",
    });
  }
  const bytes = await file.arrayBuffer();
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Problem({ title: `“${file.name}” was not taken`, detail: "It is not UTF-8 text. Save it as UTF-8, and drop it again." });
  }
  if (!text.trim()) throw new Problem({ title: `“${file.name}” is empty`, detail: "There was nothing in it to remember." });
  return text;
}
