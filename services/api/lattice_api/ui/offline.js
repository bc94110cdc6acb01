// While Lattice is away: what is told and the files that are given are kept in this browser and sent when it is back; files that a phone
// shared are fetched from where the service worker put them.

import { space } from "/ui/key.js";

const NAME = "outbox" + space; // of words in the browser's storage, and of files in its caches

/** [{text, intent, key, at}], oldest first. */
export const waiting = () => JSON.parse(localStorage.getItem(NAME) ?? "[]");

export function keep({ text, intent, idempotencyKey: key, at }) {
  const others = waiting().filter((each) => each.key !== key);
  localStorage.setItem(NAME, JSON.stringify([...others, { text, intent, key, at: new Date(at).toISOString() }]));
}

export function sent(key) {
  const left = waiting().filter((each) => each.key !== key);
  if (left.length) localStorage.setItem(NAME, JSON.stringify(left));
  else localStorage.removeItem(NAME);
}

/** Where a browser takes one: over https, and on this machine. */
export function start() {
  navigator.serviceWorker?.register("/sw.js").catch(() => {}); // without it the page needs Lattice to open, and is otherwise the same
}

/** Whether the file of an entry waits here now: over plain http a browser has no place for one, and a full disk has no room. */
export async function keepFile({ file, idempotencyKey: key, at }) {
  try {
    const headers = { "content-type": file.type, name: encodeURIComponent(file.name), written: file.lastModified, at: new Date(at).toISOString() };
    await (await caches.open(NAME)).put(`/outbox/${key}`, new Response(file, { headers }));
    return true;
  } catch {
    return false; // what could not be sent says so itself
  }
}

export const sentFile = async (key) => void (self.caches && (await (await caches.open(NAME)).delete(`/outbox/${key}`)));

/** [{file, key, at}] that wait to be sent, oldest first. */
export async function waitingFiles() {
  const found = self.caches ? await filesIn(NAME) : [];
  return found.sort((a, b) => a.at - b.at);
}

export async function sharedFiles() {
  const found = await filesIn("shared");
  await caches.delete("shared");
  return found.map(({ file }) => file);
}

async function filesIn(name) {
  const cache = await caches.open(name);
  return Promise.all(
    (await cache.keys()).map(async (request) => {
      const found = await cache.match(request);
      const [type, called, written, at] = ["content-type", "name", "written", "at"].map((header) => found.headers.get(header));
      const file = new File([await found.blob()], decodeURIComponent(called), { type, lastModified: written ? Number(written) : Date.now() });
      return { file, key: request.url.split("/").pop(), at: new Date(at) };
    }),
  );
}

/** Nothing that was remembered stays in this browser after signing out; what was told and not sent does. */
export const forget = async () => void (self.caches && (await Promise.all(["last", "lastshared"].map((name) => caches.delete(name)))));
