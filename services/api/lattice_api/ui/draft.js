// What stands in the box, kept in this tab, so that signing in again or a reload loses no words. Gone when it is sent.

const NAME = "draft";

export const kept = () => sessionStorage.getItem(NAME) ?? "";

export function keep(text) {
  if (text) sessionStorage.setItem(NAME, text);
  else sessionStorage.removeItem(NAME);
}
