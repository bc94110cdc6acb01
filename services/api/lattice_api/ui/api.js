// Calls to the HTTP API. Every failure is a `Problem` that says the thing, the cause and the next step.

import { enter, keyHeader } from "/ui/key.js";

export class Problem extends Error {
  constructor({ title, detail = "", status = 0 }) {
    super(detail || title);
    this.name = "Problem";
    this.title = title;
    this.detail = detail;
    this.status = status;
  }
}

const AWAY = {
  title: "Lattice did not answer",
  detail: "It may have been stopped, or the connection to it is gone. Start it with “lattice up”, then try again.",
};

// What happened, in plain words; the `title` of a problem is only the name of its status.
const THINGS = {
  403: "This is not allowed",
  404: "It is not there any more",
  409: "This cannot be done now",
  412: "It was changed meanwhile",
  413: "It is too large",
  422: "It was not taken",
  429: "Too many at once",
  500: "Something broke",
  503: "Not just now",
  507: "The disk is full",
};

// In a stream there is no status: the title is the name of the error.
const STATUSES = { NotFound: 404, Conflict: 409, InvalidInput: 422, Unavailable: 503, Corrupt: 500 };

/** A problem+json, or the problem of a stream, in the page's words. */
export function problemFrom({ title, detail, status = STATUSES[title] }) {
  return new Problem({ title: THINGS[status] ?? title ?? "Something went wrong", detail, status });
}

/** Send JSON, get the response; `body` is left out for requests without one. Rejects with `Problem`; `away` says that Lattice was
 * not reached. */
export async function request(method, path, { body, headers = {}, signal } = {}) {
  const sent = { accept: "application/json, text/event-stream", ...keyHeader(), ...headers };
  if (body !== undefined) sent["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers: sent, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (cause) {
    throw Object.assign(new Problem(AWAY), { cause, away: true });
  }
  return taken(response);
}

/** When the oldest of the answers was given that the service worker keeps for when there are none; null while there are. */
export const kept = { since: null };

/** The response, unless it is a refusal. */
export async function taken(response) {
  if (response.status === 401) {
    signIn();
    throw new Problem({ title: "You are signed out", detail: "The session has ended. Sign in again.", status: 401 });
  }
  const since = response.headers.get("lattice-kept");
  if (since && !(kept.since < since)) kept.since = since;
  if (response.headers.has("lattice-space")) enter(""); // there is none to share any more
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** The same, for its JSON. */
export const send = async (method, path, body, headers) => (await request(method, path, { body, headers })).json();
export const get = (path) => send("GET", path);
export const post = (path, body) => send("POST", path, body);

/** The same, for what is said or done here. */
export const fromPage = (path, body) => post(path, { ...body, channel: "page" });

export const undo = (id) => post(`/api/undo/${id}`);

/** Say what an answer or memories (`on`) are worth; `given` before: {verdict, judged}. The same again takes it back. What is given then. */
export async function feedback(on, verdict, given) {
  const back = given.verdict === verdict && given.judged;
  const { change_id: id } = await (back ? undo(back) : fromPage("/api/feedback", { ...on, verdict }));
  return back ? { verdict: null, judged: null } : { verdict, judged: id };
}

/** Put `atom_ids` or all of a `source` into the trash, with an undo: nothing is asked. */
export async function toTrash(what) {
  const { confirm } = await fromPage("/api/forget", what);
  return fromPage("/api/forget", { ...what, confirm });
}

/** Change the words of a memory, or what it is about. */
export const amend = (id, change, etag = "*") => send("PATCH", `/api/atoms/${id}`, { ...change, channel: "page" }, { "if-match": etag });

/** Of two memories that are not both sure to be true: the first is kept, or both hold. */
export const settle = ({ atom_id: newer }, { atom_id: older }, outcome = "replaced") => fromPage("/api/review", { newer, older, outcome });

/** A part of an address. */
export const quoted = encodeURIComponent;

/** To the login page, which comes back to where we are (a shared text waits in the address). */
function signIn() {
  const here = location.pathname + location.search;
  location.assign(here === "/" ? "/login" : `/login?next=${encodeURIComponent(here)}`);
}

/** The problem+json of a response, or the best that can be said without one. */
async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  const detail = told.detail || "No reason was given. Look at the log of “lattice up”, then try again.";
  return problemFrom({ title: `Lattice refused (${response.status})`, detail, status: response.status });
}

/** The server-sent events of a response as `{event, data}`, with `data` parsed. Rejects with `Problem` when it breaks off. */
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new Problem({ title: "The connection broke off", detail: "What is above may not be all of it. Try again." });
    });
    if (done) return;
    const blocks = (rest + value).split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop();
    for (const block of blocks) {
      const parsed = parseEvent(block);
      if (parsed) yield parsed;
    }
  }
}

function parseEvent(block) {
  let event = "message";
  const data = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null; // comments keep the connection alive, and say nothing
}

/** A random name, for sessions and idempotency keys; works where `crypto.randomUUID` does not (plain http in a home network). */
export const randomName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
