// How things are said on the page: days, counts, where something was said.

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const CHANNELS = { page: "here", cli: "command line", telegram: "Telegram", inbox: "inbox folder", mcp: "an assistant", api: "an app" };

export const clock = (date) => CLOCK.format(new Date(date));

/** "today", "yesterday", "14 May", "14 May 2024". */
export function day(date, now = new Date()) {
  const then = new Date(date);
  if (Number.isNaN(then.getTime())) return "";
  const midnight = (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000);
  if (days === 0) return "today";
  if (days === 1) return "yesterday";
  return (then.getFullYear() === now.getFullYear() ? DAY : DAY_YEAR).format(then);
}

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** When something began or was, as exactly as its owner said: “in October” and “in 2014” name no day. */
export function dated(at, phrase) {
  if (!phrase || at.slice(8, 16) !== "01T00:00" || /\b(0?1|1st|first)\b/i.test(phrase)) return day(at);
  return at.slice(5, 7) === "01" && !/jan/i.test(phrase) ? at.slice(0, 4) : MONTH.format(new Date(at.slice(0, 10)));
}

const NUMBER = new Intl.NumberFormat("en-GB");

export const number = (n) => NUMBER.format(n);

export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

export const inMemories = (n) => count(n, "memory", "memories");

/** A door, in words. */
export const placeOf = (channel) => CHANNELS[channel] ?? channel;

/** Where an atom was said: a title, a channel, a speaker; "" when there is nothing to tell. */
export function place(atom) {
  const metadata = atom?.metadata ?? {};
  const channel = CHANNELS[metadata.channel] ?? metadata.channel;
  const named = metadata.title || atom?.title || channel || atom?.source_id || "";
  const speaker = atom?.content?.startsWith(`${metadata.speaker}:`) ? "" : metadata.speaker; // said once
  return speaker && speaker !== named ? [speaker, named].filter(Boolean).join(", ") : named;
}

/** Whether the product made it of other memories, and nobody has changed its words since. */
export const isConcluded = ({ kind, metadata, content_hash: hash }) => ["synthesis", "insight"].includes(kind) && Boolean(metadata?.rests_on) && metadata.made_as === hash;

const MEANT = { asserted: "", rejected: "denied", uncertain: "not sure" };

/** How it was meant, where that is not plainly so. */
export const meant = ({ status = "asserted" }) => MEANT[status] ?? status;

export const placeAndDay = (atom) => [place(atom), day(atom.observed_at)].filter(Boolean).join(" · ");

export const shorten = (text, most = 90) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);

/** `text` in three parts, the middle one being `[start, end)` counted in characters as the server does (code points, not
 * UTF-16 units: an emoji is one). */
export function cut(text, start, end) {
  const characters = Array.from(text);
  const part = (from, to) => characters.slice(from, to).join("");
  return [part(0, start), part(start, end), part(end)];
}
