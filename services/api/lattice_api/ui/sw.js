// The service worker: the page opens while Lattice is away and shows what it last had; files that a phone shares reach the page.
// It is made when the product starts: FILES are the addresses of the page's own files, which name their content.

const FILES = [];
const OWN = `page ${FILES.join()}`;
const LAST = "last"; // answers that the page shows first, kept for when there is none
const SHARED = "shared";
const OUTBOX = "outbox"; // files that the page was given while Lattice was away
const SHOWN_FIRST = /^\/api\/(atoms\/recent|chat\/recent|today|unread|profile|atoms(\/\w{26})?|needs|review|conflicts|rejected|feedback|captures(\/\w{26}\/text)?|sources\/.+|names\/beside|entities|difference|timeline)$/;
const KEPT = 300; // answers
const NOW = /=[^&]*T\d\d%3A\d\d%3A(?!00\.000Z)[^&]*/g; // a moment that begins no minute is when it was asked: the next time it is another

self.addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const cache = await caches.open(OWN);
  await cache.addAll(FILES);
  const page = await fetch("/");
  if (page.ok && !page.redirected) await cache.put("/", page);
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  const wanted = [OWN, LAST, LAST + SHARED, SHARED, OUTBOX, OUTBOX + SHARED];
  await Promise.all((await caches.keys()).filter((name) => !wanted.includes(name)).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === "/share") event.respondWith(shared(request));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate" && !/^\/(login|api|ui|calendar|ready|health|metrics|ops|openapi)/.test(pathname)) event.respondWith(view(request));
  else if (FILES.includes(pathname)) event.respondWith(caches.match(pathname).then((found) => found ?? fetch(request)));
  else if (SHOWN_FIRST.test(pathname)) event.respondWith(answer(request));
});

async function view(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/")) ?? Response.error();
  }
}

/** The answer; while there is none, the last one that was given to the same question. */
async function answer(request) {
  const name = LAST + (request.headers.get("lattice-space") ?? "");
  const address = request.url.replace(NOW, "=now");
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    if (response.ok) {
      const headers = new Headers(response.headers);
      headers.set("lattice-kept", new Date().toISOString());
      await cache.put(address, new Response(response.clone().body, { headers }));
      const kept = await cache.keys();
      if (kept.length > KEPT) await cache.delete(kept[0]);
    }
    if (response.status === 401) await caches.delete(name);
    return response;
  } catch (problem) {
    const last = await cache.match(address);
    if (!last) throw problem;
    return last;
  }
}

/** What a phone shares: words stand in the address, files wait where the page fetches them. */
async function shared(request) {
  const form = await request.formData();
  const words = ["title", "text", "url"].filter((name) => form.get(name)).map((name) => [name, form.get(name)]);
  const files = form.getAll("files").filter((file) => file.size);
  const cache = await caches.open(SHARED);
  await Promise.all(files.map((file, at) => cache.put(`/shared/${at}`, new Response(file, { headers: { "content-type": file.type, name: encodeURIComponent(file.name) } }))));
  return Response.redirect(`/?${new URLSearchParams([...words, ...(files.length ? [["files", files.length]] : [])])}`, 303);
}
