// The quote that a citation's number shows while it is pointed at or has the focus.

import { day, shorten } from "/ui/words.js";

let shown = null; // the one quote that is open

export function showQuote(button, citation) {
  hideQuote();
  shown = document.createElement("div");
  shown.className = "quote-hint";
  shown.setAttribute("role", "tooltip");
  const quote = document.createElement("q");
  quote.textContent = shorten(citation.quote, 240);
  const when = document.createElement("span");
  when.className = "where";
  when.textContent = day(citation.observed_at);
  shown.append(quote, when);
  document.body.append(shown);
  const [near, own] = [button.getBoundingClientRect(), shown.getBoundingClientRect()];
  const left = Math.max(8, Math.min(near.left - 16, innerWidth - own.width - 8));
  const above = near.top - own.height - 8;
  shown.style.left = `${left}px`;
  shown.style.top = `${above >= 8 ? above : near.bottom + 8}px`;
}

/** Whether there was one. */
export function hideQuote() {
  const was = shown !== null;
  shown?.remove();
  shown = null;
  return was;
}
