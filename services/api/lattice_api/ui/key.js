// The half of the session that the browser keeps for this origin alone. The cookie goes to every port of the host, and so to
// whatever program listens there; this does not, and without it the cookie opens nothing.

const NAME = "lattice-page-key";

export const keepKey = (key) => localStorage.setItem(NAME, key);

/** What every call sends; nothing before signing in, or where nobody is asked to. */
export function keyHeader() {
  const key = localStorage.getItem(NAME);
  return key ? { "lattice-page-key": key } : {};
}
