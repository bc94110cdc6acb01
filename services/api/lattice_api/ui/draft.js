// What stands in the box, kept in this tab, so that signing in again or a reload loses no words. Gone when it has arrived.

const NAME = "draft";

export const kept = () => sessionStorage.getItem(NAME) ?? "";

/** Words of the box that arrived; others have been begun meanwhile. */
export const arrived = (text) => kept() === text && keep("");

export function keep(text) {
  if (text) sessionStorage.setItem(NAME, text);
  else sessionStorage.removeItem(NAME);
}
