// The page `/ops`: asks `/api/ops` every ten seconds while it is looked at, and shows what that says as tables.

import { keyHeader } from "/ui/key.js";

const EVERY = 10_000; // ms
const said = document.querySelector("#said");
const parts = document.querySelector("#parts");

const MOST_WAIT = 600; // s: as the alerts in infra/ops have it
const LEAST_ROOM = 10; // %
const OLDEST_BACKUP = 8 * 86_400; // s

function element(name, text, classes = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

/** A table below a heading. A row is a list of cells; numbers stand to the right, `{wrong: text}` is pointed out (with `of`, where
 * that is a number). */
function table(title, head, rows, empty) {
  const section = document.createElement("section");
  section.append(element("h3", title));
  if (!rows.length) {
    section.append(element("p", empty, "quiet"));
    return section;
  }
  const made = document.createElement("table");
  if (head.length) {
    const row = made.createTHead().insertRow();
    for (const [at, each] of head.entries()) {
      const cell = element("th", each, rows.some((cells) => isNumber(cells[at])) ? "number" : "");
      cell.scope = "col";
      row.append(cell);
    }
  }
  const body = made.createTBody();
  for (const each of rows) {
    const row = body.insertRow();
    for (const cell of each) {
      const wrong = cell !== null && typeof cell === "object";
      const text = isNumber(cell) ? cell.toLocaleString("en") : String(wrong ? cell.wrong : cell ?? "");
      row.append(element("td", text, [wrong && "wrong", isNumber(wrong ? cell.of : cell) && "number"].filter(Boolean).join(" ")));
    }
  }
  section.append(made);
  return section;
}

const isNumber = (value) => typeof value === "number";
const pairs = (counts) => Object.entries(counts).map(([name, count]) => [name.replaceAll("_", " "), count]);
const when = (moment) => new Date(moment).toLocaleString();

function lasting(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function room({ free, total }) {
  const percent = (100 * free) / total;
  const text = `${(free / 1e9).toFixed(1)} of ${(total / 1e9).toFixed(1)} GB free`;
  return percent < LEAST_ROOM ? { wrong: text } : text;
}

function backedUp(seen) {
  if (!seen.backup) return { wrong: "none is noted: “make a backup” in Settings makes one, and “lattice backup FILE”" };
  const age = (new Date(seen.at) - new Date(seen.backup)) / 1000;
  return age > OLDEST_BACKUP ? { wrong: `${lasting(age)} ago` } : `${lasting(age)} ago`;
}

function show(seen) {
  const waits = `${seen.captures.waiting}, the longest for ${lasting(seen.longest_wait)}`;
  const share = seen.asked ? `${Math.round((100 * (seen.asked - seen.unanswered)) / seen.asked)} % of ${seen.asked}` : "none asked";
  const found = seen.found_after;
  const events = seen.events.map(({ at, event, ...more }) => {
    delete more.level;
    return [when(at), event.replaceAll("_", " "), Object.entries(more).map(([name, value]) => `${name} ${value}`).join(" · ")];
  });
  parts.replaceChildren(
    table("Now", [], [
      ["Parts that are not up", Object.entries(seen.parts).filter(([, how]) => !/^(up|off)\b/.test(how)).map(([name, how]) => `${name}: ${how}`).join("; ") || "none"],
      ["Answers go without", seen.degraded.join(", ") || "nothing"],
      ["Memories", seen.atoms.toLocaleString("en")],
      ["Waiting", seen.captures.waiting ? (seen.longest_wait > MOST_WAIT ? { wrong: waits } : waits) : "nothing"],
      ["Set aside", seen.captures.dead ? { wrong: `${seen.captures.dead}: lattice doctor says why` } : "nothing"],
      ["From told to found", found ? `${lasting(found.p50 / 1000)}; 19 of 20 within ${lasting(found.p95 / 1000)}` : "nothing was stored yet"],
      ["Answered", share],
      ["Disk", room(seen.disk)],
      ["Last backup", backedUp(seen)],
      ["Started", when(seen.since)],
    ]),
    table("The last days", ["day", "told", "of these ended", "starts", "tokens", "cost"],
      seen.days.map(({ day, told, ended, starts, tokens, cost }) =>
        [day, told, told - ended && day !== seen.days[0].day ? { wrong: String(ended), of: ended } : ended, starts, tokens, cost]), ""),
    table("How the latest captures ended", [], pairs(seen.ended), "None has ended yet."),
    table("Not believed, by reason", [], pairs(seen.rejected), "Nothing was set aside."),
    table("Questions, in milliseconds", ["stage", "count", "half within", "19 of 20 within", "longest"],
      Object.entries(seen.latencies).map(([stage, { count, p50, p95, longest }]) => [stage, count, p50, p95, longest]),
      "Nothing was asked since the start."),
    table("What went wrong since the start", [], pairs(seen.failures), ""),
    table("Language models today", ["model", "for", "calls", "tokens read", "written", "cost"],
      seen.model.map(({ model, purpose, calls, prompt, completion, cost }) => [model, purpose, calls, prompt, completion, cost]),
      "None was asked today."),
    table("Last in the log", [], events, "Nothing went wrong since the start."),
  );
}

async function look() {
  if (document.hidden) return;
  try {
    const response = await fetch("/api/ops", { headers: { accept: "application/json", ...keyHeader() } });
    if (response.status === 401) {
      location.assign("/login?next=/ops");
      return;
    }
    const told = await response.json();
    if (!response.ok) throw new Error(told.detail ?? `Lattice refused (${response.status}).`);
    show(told);
    said.textContent = told.writer_up ? `All that is told is being remembered. Seen ${when(told.at)}.` : "Nothing is remembered just now: what is told is kept.";
  } catch (error) {
    said.textContent = error instanceof TypeError ? "Lattice did not answer. It may have been stopped." : error.message;
  }
}

void look();
setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);
