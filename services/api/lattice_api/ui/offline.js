// While Lattice is away: what is told is kept in this browser and sent when it is back; files that a phone shared are fetched from
// where the service worker put them.

const NAME = "outbox";

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

export async function sharedFiles() {
  const cache = await caches.open("shared");
  const keys = await cache.keys();
  const files = await Promise.all(
    keys.map(async (key) => {
      const found = await cache.match(key);
      return new File([await found.blob()], decodeURIComponent(found.headers.get("name")), { type: found.headers.get("content-type") });
    }),
  );
  await caches.delete("shared");
  return files;
}

/** Nothing that was remembered stays in this browser after signing out; what was told and not sent does. */
export const forget = async () => void (self.caches && (await caches.delete("last")));
