// Files that are dropped, pasted or picked: sent as they are, whatever they hold; the server finds out what it is.

import { Problem, get, request, taken } from "/ui/api.js";
import { keyHeader } from "/ui/key.js";

const AWAY = {
  title: "The file did not arrive",
  detail: "The connection broke off: Lattice may have been stopped. Try it again.",
};

const KEPT_FOR = 60_000; // ms that a file which was fetched stays in memory for the browser to save

const LARGE = 1_000_000; // bytes, from which on it is asked first whether a file is taken

/** Send a file to be remembered; its receipt so far. `sending` is told how much of it went: "40 %". */
export const send = (file, metadata, idempotencyKey, sending) =>
  upload("/api/ingest-file", file, { ...metadata, observed_at: writtenAt(file), source_id: file.name }, sending, { "idempotency-key": idempotencyKey });

/** Send a file with what is known of it to a route; its answer. Rejects with `Problem`; `away` says that Lattice is not there at all. */
export async function upload(path, file, metadata, sending, headers = {}) {
  if (file.size > LARGE) await fits(file);
  const form = new FormData();
  // What is known of it goes first, so that it is there when the file begins.
  form.append("metadata", JSON.stringify(metadata));
  form.append("file", file, file.name || "pasted");
  let response;
  try {
    response = await posted(path, form, { ...keyHeader(), ...headers }, sending);
  } catch (cause) {
    throw Object.assign(new Problem(AWAY), { cause, away: await get("/api/status").then(() => false, ({ away }) => away) });
  }
  return (await taken(response)).json();
}

/** Refuse a file before any of it is sent that is larger than Lattice takes. */
async function fits({ size }) {
  const { max_file_bytes: most } = await get("/api/status").catch(() => ({}));
  if (size > most)
    throw new Problem({ title: "It is too large", detail: `It has ${Math.ceil(size / 1e6)} MB, and ${most / 1e6} MB is the limit (LATTICE_MAX_FILE_BYTES). Put a larger export or mailbox into the inbox folder, or use “lattice import export”.` });
}

/** The response to a form; only so it is told how much of it went. */
const posted = (path, form, headers, sending) =>
  new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open("POST", path);
    for (const header of Object.entries(headers)) sent.setRequestHeader(...header);
    sent.upload.onprogress = ({ loaded, total }) => sending(`${Math.floor((100 * loaded) / total)} %`);
    sent.onload = () => resolve(new Response(sent.response, { status: sent.status }));
    sent.onerror = reject;
    sent.send(form);
  });

const writtenAt = (file) => new Date(file.lastModified || Date.now()).toISOString();

/** Open the file that a capture came as in a tab of its own, where nothing in it can run; otherwise it is kept as a file.
 * Rejects with `Problem`. */
export async function openOriginal(captureId, name) {
  const tab = open("", "_blank"); // while it still counts as asked for by a click
  try {
    // A link would bring the cookie alone, without the page's key.
    const response = await request("GET", `/api/captures/${captureId}/original?inline=true`);
    const shown = response.headers.get("content-disposition").startsWith("inline");
    const blob = await response.blob();
    if (shown && tab) tab.location.replace(addressFor(blob));
    else {
      tab?.close();
      keep(blob, name);
    }
  } catch (problem) {
    tab?.close();
    throw problem;
  }
}

/** What a route gives, as a file of the browser's; the route may name it. A link would bring the cookie alone. */
export async function take(method, path, name) {
  const response = await request(method, path);
  const [, called] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const blob = await response.blob().catch(() => {
    throw new Problem({ title: "It broke off", detail: "What came is not all of it, and was dropped. Look at the log of Lattice, then try again." });
  });
  keep(blob, called ?? name);
}

/** Have the browser save something as a file. */
function keep(blob, name) {
  const link = document.createElement("a");
  [link.href, link.download] = [addressFor(blob), name];
  link.click();
}

function addressFor(blob) {
  const address = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(address), KEPT_FOR); // not at once: the browser has yet to begin with it
  return address;
}
