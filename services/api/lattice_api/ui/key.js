// The half of the session that the browser keeps for this origin alone. The cookie goes to every port of the host, and so to
// whatever program listens there; this does not, and without it the cookie opens nothing.

const NAME = "lattice-page-key";
const SPACE = "lattice-space";

/** Of a new session, which begins in one's own memory. */
export function keepKey(key) {
  localStorage.setItem(NAME, key);
  localStorage.removeItem(SPACE);
}

/** What every call sends; nothing before signing in, or where nobody is asked to. */
export function keyHeader() {
  const key = localStorage.getItem(NAME);
  return { ...(key && { "lattice-page-key": key }), ...(space && { "lattice-space": space }) };
}

/** "shared" while this page is in the memory that all owners share; "" in one's own. Another one is another page. */
export const space = localStorage.getItem(SPACE) ?? "";

export function enter(another) {
  localStorage.setItem(SPACE, another);
  location.assign("/");
}
