// What happens between sending something and its end. An entry of the page is a plain value; `put` replaces some of its fields.
//
// entry: {key, kind: "ask" | "tell" | "do" | "file" | "change", text, title, at, intent, phase, problem, …}
//   ask:  phase looking -> streaming -> answered | unknown | stopped | failed;  answer, citations, atoms, doubts, askedAs, writtenBy, warnings
//   tell: phase sending -> reading -> remembered | known | aside | unreadable | dead | failed;  captureId, progress, receipt, remembered, setAside, undone
//         (updated: nothing new in it, but what was there changed by it)
//   do:   phase doing -> done | confirm | unclear | failed;  order, what POST /api/do answered; changeId, undone

import * as draft from "/ui/draft.js";
import { Problem, events, feedback, fromPage, get, post, problemFrom, randomName, request } from "/ui/api.js";
import * as files from "/ui/files.js";
import * as offline from "/ui/offline.js";

const SESSION_NAME = "session"; // a conversation goes on over reloads, in this tab
const session = () => {
  const name = sessionStorage.getItem(SESSION_NAME) ?? renewSession();
  own.add(name);
  return name;
};
const SHOWN_AT_MOST = 12; // atoms listed below one capture; the rest is counted, and listed on demand
const MORE_AT_ONCE = 100;
const RENEWED_AT_MOST = 200; // memories on the page that are read again after a change, the latest
const NEAREST = 3; // shown below an "I don't know"
const LOST_TRIES = 60; // how often a broken stage stream is taken up again, seconds apart, before the page stops looking

const PHASES = { ask: "looking", tell: "sending", do: "doing" };

let keys = 0;

function renewSession() {
  const name = randomName();
  sessionStorage.setItem(SESSION_NAME, name);
  return name;
}

/** What comes next leans on nothing that was said before. */
export async function newSubject() {
  const ended = session();
  renewSession();
  await fromPage("/api/capture-log", { context_reset: true, session_id: ended });
}

const own = new Set(); // the conversations that were had on this page since it was opened

export const isOwn = (turn) => own.has(turn.session_id);

export const newEntry = (fields) => ({ key: ++keys, at: new Date(), intent: "auto", ...fields });

/** What goes wrong while something is done with an entry is put on it. */
const trying = (does) => async (entry, ...more) => {
  try {
    await does(entry, ...more);
  } catch (problem) {
    more.at(-1)({ problem });
  }
};

/** Send an entry of the box, and follow it to its end. Never rejects: what goes wrong is put on the entry. */
export async function submit(entry, put) {
  const stopping = new AbortController();
  if (entry.phase !== "outbox" && !draft.kept()) draft.keep(entry.text); // until it arrived, for a reload or signing in meanwhile
  put({ kind: entry.kind, phase: PHASES[entry.kind], problem: null, stop: () => stopping.abort() });
  try {
    const response = await request("POST", "/api/query", {
      body: { question: entry.text, session_id: session(), intent: entry.intent, channel: "page", ...(entry.phase === "outbox" ? { metadata: { observed_at: entry.at.toISOString() } } : {}) },
      headers: { "idempotency-key": entry.idempotencyKey },
      signal: stopping.signal,
    });
    await answered(entry, response, put);
  } catch (problem) {
    if (stopping.signal.aborted) return void (draft.arrived(entry.text), put({ phase: "stopped", problem: null }));
    if (problem.away && entry.kind === "tell") {
      offline.keep(entry);
      draft.arrived(entry.text);
      put({ phase: "outbox", problem: null });
      return "away";
    }
    put({ phase: "failed", problem });
  }
}

async function answered(entry, response, put) {
  let kind = entry.kind;
  let answer = "";
  let outcome = {};
  for await (const { data } of events(response)) {
    switch (data.type) {
      case "intent":
        kind = data.intent;
        put({ kind, phase: PHASES[kind] });
        break;
      case "captured":
        put({ kind: "tell" });
        arrived(entry);
        void follow(data.receipt, put);
        return;
      case "atoms":
        outcome = { ...outcome, ...data };
        put({ atoms: data.atoms, askedAs: data.reformulated_query });
        break;
      case "token":
        answer += data.text;
        if (outcome.answered !== false) put({ phase: "streaming", answer }); // not knowing has words of its own
        break;
      case "citations_applied":
        outcome = { ...outcome, ...data };
        answer = data.answer; // replaces what was streamed, whatever that was
        break;
      case "error":
        throw problemFrom(data.problem);
      case "done":
        arrived(entry);
        outcome = { ...outcome, ...data };
        break;
    }
  }
  if (kind === "do") return carryOut(put, { text: entry.text });
  put({ ...ending(outcome, answer), traceId: outcome.trace_id });
}

function arrived({ idempotencyKey, text }) {
  offline.sent(idempotencyKey);
  draft.arrived(text);
}

/** Have something done, or see what would be; what was not understood says so, and its words stay with the entry. */
async function carryOut(put, body) {
  const order = await fromPage("/api/do", body);
  put({ order, phase: order.state, changeId: order.change_id, undone: null, problem: null });
}

/** Carry out what was shown. */
export async function confirm(entry, put) {
  put({ phase: "doing", problem: null });
  try {
    await carryOut(put, { token: entry.order.token });
  } catch (problem) {
    put({ phase: "failed", problem });
  }
}

/** Answered, or "I don't know" with the nearest that is known. */
function ending({ answered: known, citations = [], atoms = [], unsupported = [], warnings = [], disagreements = [], model }, answer) {
  const nearest = known ? [] : atoms.slice(0, NEAREST);
  return { phase: known ? "answered" : "unknown", answer, citations, nearest, doubts: unsupported, warnings, disagreements, writtenBy: model };
}

/** Memories by id, those of them that are there. */
async function byId(ids) {
  if (!ids.length) return new Map();
  const { atoms } = await get(`/api/atoms?limit=200&${ids.slice(-200).map((id) => `ids=${encodeURIComponent(id)}`).join("&")}`);
  return new Map(atoms.map((atom) => [atom.atom_id, atom]));
}

/** Memories in the order of their ids. */
async function inOrder(ids) {
  const found = await byId(ids);
  return ids.map((id) => found.get(id)).filter(Boolean);
}

/** Entries of turns that were said before this page was opened, or elsewhere. */
export async function ofTurns(turns) {
  const known = await byId([...new Set(turns.flatMap((turn) => turn.atom_ids.slice(0, SHOWN_AT_MOST)))]);
  const aside = turns.some(({ told }) => told?.state === "rejected" && !told.unreadable) ? await setAsideOf().catch(() => []) : [];
  const entries = turns.map((turn) => ofTurn(turn, known, aside));
  const now = await standing(entries).catch(() => new Map()); // without Lattice what is kept here is shown as it was
  return entries.map((entry) => ({ ...entry, ...now.get(entry.key), ...(now.get(entry.key)?.undone && { phase: "remembered" }) }));
}

/** The patches, by key, that say which entries are taken back now, in this tab or elsewhere. */
async function standing(entries) {
  const ids = entries.map(({ key, changeId, captureId }) => [key, changeId ?? captureId]).filter(([, id]) => id).slice(-500);
  const { undone } = ids.length ? await get(`/api/undone?${ids.map(([, id]) => `ids=${id}`).join("&")}`) : {};
  return new Map(ids.filter(([, id]) => undone[id]).map(([key, id]) => [key, undone[id].undone ? { undone: undone[id].change_id } : { undone: null, changeId: undone[id].change_id }]));
}

function ofTurn(turn, found, aside) {
  const { question: text, answer, ts, channel, atom_ids: ids } = turn;
  const views = ids.slice(0, SHOWN_AT_MOST).map((id) => found.get(id));
  const atoms = views.filter(Boolean);
  const { verdict, change_id: judged } = turn.given ?? {};
  const known = { text, at: new Date(ts), channel, turn: `${ts} ${text}`, traceId: turn.trace_id, verdict, judged };
  const [, isNew, updated] = /^\[captured: (\d+) new, (\d+) updated\]$/.exec(answer) ?? [];
  if (isNew === undefined) {
    const citations = ids.map((id, at) => ({ n: at + 1, atom: views[at], atom_id: id })).filter(({ atom }) => atom);
    const cited = citations.map(({ n, atom }) => ({ n, atom_id: atom.atom_id, quote: atom.content, observed_at: atom.observed_at }));
    const unknown = /^I don.t know\b/.test(answer);
    return newEntry({ ...known, kind: "ask", phase: unknown ? "unknown" : "answered", answer, atoms, citations: cited, nearest: unknown ? atoms.slice(0, NEAREST) : [], doubts: [], warnings: [] });
  }
  const { state, reason, file, unreadable } = turn.told ?? {};
  const receipt = { atom_ids: ids, atoms_updated: Number(updated), duplicates_skipped: 0, reason };
  const phase = atoms.length ? "remembered" : ids.length ? "gone" : Number(updated) ? "updated" : unreadable ? "unreadable" : state === "stored" ? "aside" : ENDS[state] ?? "nothing-new";
  const captureId = turn.trace_id ?? atoms[0]?.capture_id;
  return newEntry({ ...known, kind: "tell", phase, title: file && text, receipt, remembered: atoms, more: ids.length - Math.min(ids.length, SHOWN_AT_MOST), setAside: aside.filter((each) => each.capture_id === captureId), captureId });
}

/** Say what an answer is worth; the same again takes it back. */
export const judge = trying(async (entry, verdict, put) => {
  const on = entry.traceId ? { trace_id: entry.traceId } : { atom_ids: entry.citations.map((citation) => citation.atom_id) };
  put({ problem: null, ...(await feedback(on, verdict, entry)) });
});

/** Send a file to be remembered, and follow it to its end. */
export async function submitFile(entry, put) {
  put({ phase: "sending", problem: null });
  try {
    const receipt = await files.send(entry.file, { channel: "page", session_id: session() }, entry.idempotencyKey, (sent) => put({ sent }));
    await offline.sentFile(entry.idempotencyKey);
    await follow(receipt, put);
  } catch (problem) {
    if (problem.away && (await offline.keepFile(entry))) {
      put({ phase: "outbox" });
      return "away";
    }
    put({ phase: "failed", problem });
  }
}

const ENDS = { stored: "remembered", duplicate: "known", rejected: "aside", dead: "dead" };

/** Follow a capture through its stages to its receipt, and show what came of it. */
export async function follow(receipt, put) {
  const captureId = receipt.capture_id;
  put({ captureId, phase: "reading", problem: null });
  try {
    let ended = receipt.state in ENDS ? receipt : null;
    for (let tries = 0; !ended && tries < LOST_TRIES; tries++) {
      if (tries) await new Promise((go) => setTimeout(go, 1000));
      ended = await receiptOf(captureId, put);
    }
    if (ended) await settle(ended, put);
    else put({ phase: "lost" });
  } catch (problem) {
    put({ phase: "failed", problem });
  }
}

async function receiptOf(captureId, put) {
  try {
    const response = await request("GET", `/api/captures/${captureId}/events`);
    for await (const { event, data } of events(response)) {
      if (event === "receipt") return data;
      if (event === "stage") put({ progress: data });
    }
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status) throw problem; // what broke off, or was away, is taken up again
  }
  return null;
}

async function settle(receipt, put) {
  const ids = receipt.atom_ids ?? [];
  const [remembered, setAside] = await Promise.all([
    inOrder(ids.slice(0, SHOWN_AT_MOST)),
    receipt.rejected ? setAsideOf() : [],
  ]);
  let phase = ENDS[receipt.state];
  if (phase === "remembered" && !ids.length) phase = receipt.atoms_updated ? "updated" : "aside"; // small talk: there was nothing in it
  if (receipt.notes?.some((note) => note.startsWith("unreadable:"))) phase = "unreadable"; // a file of which nothing can be read
  put({ receipt, remembered, setAside: setAside.filter((candidate) => candidate.capture_id === receipt.capture_id), more: ids.length - remembered.length, undone: null, phase });
}

/** List more of what a capture brought. */
export const showMore = trying(async (entry, put) => {
  const at = entry.remembered.length;
  const further = await inOrder(entry.receipt.atom_ids.slice(at, at + MORE_AT_ONCE));
  put({ remembered: [...entry.remembered, ...further], more: entry.more - further.length, problem: null });
});

/** Remember the words of a capture in which nothing was found, as they stand. */
export const keepWords = trying(async (entry, put) => {
  const { change_id: changeId } = await post(`/api/rejected/${entry.captureId}/keep`);
  await settle(await get(`/api/captures/${changeId}`), put);
  put({ changeId, problem: null });
});

/** The patches, by key, that bring what entries show of memories up to date. Those in `gone` are not asked for. */
export async function renewed(entries, gone) {
  const paired = ({ disagreements = [] }) => disagreements.flatMap((pair) => [pair.atom, pair.disagrees_with]);
  const ids = new Set(entries.flatMap((entry) => [...(entry.remembered ?? []), ...(entry.nearest ?? []), ...(entry.citations ?? []), ...paired(entry)]).map((each) => each.atom_id));
  const asked = [...ids].filter((id) => !gone.has(id)).slice(-RENEWED_AT_MOST);
  const [now, undone] = await Promise.all([byId(asked), standing(entries)]).catch(() => []);
  if (!now) return new Map(); // while Lattice is away all is as it was
  const back = await Promise.all(entries.map(async (entry) => undone.get(entry.key)?.undone === null && [entry.key, await brought(entry)])).catch(() => []);
  const there = new Map(back.filter(Boolean));
  const fresh = (atoms) => atoms?.map((atom) => (now.has(atom.atom_id) ? { ...atom, successor: undefined, predecessors: undefined, ...now.get(atom.atom_id) } : atom));
  const over = ({ atom_id: id }) => gone.has(id) || (asked.includes(id) && (now.get(id)?.is_superseded ?? true));
  return new Map(
    entries.map((entry) => [
      entry.key,
      { ...undone.get(entry.key), remembered: fresh(there.get(entry.key) ?? entry.remembered), nearest: fresh(entry.nearest), citations: cited(entry, now), disagreements: settled(entry, over, entries) },
    ]),
  );
}

/** The disagreements of an answer, with whether they are settled now: one of the two is gone, or what settled them stands. */
function settled({ disagreements }, over, entries) {
  return disagreements?.map((pair) => ({ ...pair, settled: over(pair.atom) || over(pair.disagrees_with) || entries.some(({ key, undone }) => key === pair.by && !undone) }));
}

/** A memory that an answer rests on and that has other words since keeps its quote, and has the new words beside it. */
function cited({ citations, atoms }, now) {
  const then = new Map((atoms ?? []).map((atom) => [atom.atom_id, atom.content]));
  return citations?.map((citation) => {
    const content = now.get(citation.atom_id)?.content;
    const was = then.get(citation.atom_id);
    return content === undefined || was === undefined ? citation : { ...citation, now: content === was ? undefined : content };
  });
}

const setAsideOf = async () => (await get("/api/rejected?limit=200")).rejected;

/** What an entry brought: after a reload what was taken back is fetched once it is there again. */
const brought = ({ remembered, receipt }) => (remembered?.length ? remembered : inOrder((receipt?.atom_ids ?? []).slice(0, SHOWN_AT_MOST)));

/** Take back what an entry did; again to put it back. What was done elsewhere already is no mistake. */
export const undo = trying(async (entry, put) => {
  let now;
  try {
    const { change_id: id } = await post(`/api/undo/${entry.undone ?? entry.changeId ?? entry.captureId}`);
    now = entry.undone ? { undone: null, changeId: id } : { undone: id }; // a redone change is undone by its own id from now on
  } catch (problem) {
    now = (await standing([entry])).get(entry.key);
    if (!now || Boolean(now.undone) === Boolean(entry.undone)) throw problem;
  }
  put({ ...now, problem: null, ...(now.undone ? {} : { remembered: await brought(entry) }) });
});

/** Keep what was set aside, as the person's own statement; again to take that back. */
export const keep = trying(async (entry, candidate, put) => {
  const { change_id } = await post(candidate.keptBy ? `/api/undo/${candidate.keptBy}` : `/api/rejected/${candidate.rejected_id}/keep`);
  const keptBy = candidate.keptBy ? null : change_id;
  put({ problem: null, setAside: entry.setAside.map((other) => (other === candidate ? { ...other, keptBy } : other)) });
});

/** What was asked for as a file. */
export const download = trying(async ({ order }) => files.take("GET", order.href, "lattice-export.ndjson"));

/** Read a dead capture once more. */
export const retry = trying(async (entry, put) => follow(await post(`/api/captures/${entry.captureId}/retry`), put));
