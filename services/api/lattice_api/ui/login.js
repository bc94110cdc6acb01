// The login page: a one-time code in the address signs in by itself; otherwise the token is asked for.
// Who comes from another site (a bookmarklet, a shared text) brings no cookie along, for it is a strict one; from here it is sent.

import { keepKey, keyHeader } from "/ui/key.js";

const form = document.querySelector("#login");
const said = document.querySelector("#said");
const here = new URL(location.href);
const code = here.searchParams.get("code");

/** Where to go afterwards: only ever a path of this very site. */
function next() {
  const wanted = new URL(here.searchParams.get("next") ?? "/", location.origin);
  // A path that begins with two slashes is another host's address.
  return wanted.origin === location.origin && !wanted.pathname.startsWith("//") ? wanted.pathname + wanted.search : "/";
}

/** Whether this browser is signed in as it is: a link that was used may be opened again. */
const isSignedIn = () => fetch("/api/status", { headers: { accept: "application/json", ...keyHeader() } }).then(({ ok }) => ok, () => false);

async function signIn(body, refused) {
  said.hidden = true;
  try {
    const response = await fetch("/api/login", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) {
      keepKey((await response.json()).page_key);
      location.replace(next());
      return;
    }
    if (body.code && (await isSignedIn())) return void location.replace(next());
    const problem = await response.json().catch(() => ({}));
    say(response.status === 401 || response.status === 422 ? refused : problem.detail || `Lattice refused (${response.status}).`);
  } catch {
    say("Lattice did not answer. It may have been stopped: start it with “lattice up”, then try again.");
  }
}

function say(words) {
  said.textContent = words;
  said.hidden = false;
  document.querySelector("#token").focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void signIn(
    { token: form.elements.token.value.trim() },
    "This is not the token. Copy it again from the terminal where Lattice was started for the first time, all of it.",
  );
});

const SOUGHT = "lattice-session-sought";
const JUST_NOW = 10_000; // ms

/** Once: whether there is a session after all. Without one we are back here in a moment. */
function seekSession() {
  if (Date.now() - Number(sessionStorage.getItem(SOUGHT)) < JUST_NOW) return;
  sessionStorage.setItem(SOUGHT, String(Date.now()));
  location.replace(next());
}

if (code) {
  here.searchParams.delete("code");
  history.replaceState(null, "", here.pathname + here.search);
  void signIn({ code }, "This link was used already, or is too old. Run “lattice open” for a new one, or enter the token.");
} else if (here.searchParams.has("next")) {
  seekSession();
}
