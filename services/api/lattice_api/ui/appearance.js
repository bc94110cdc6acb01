// Light or dark: the system's, until the person switches; switching back follows the system again. theme.js applies it at start.

const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

export const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

export function switchTheme() {
  const dark = !isDark();
  if (dark === system.matches) {
    localStorage.removeItem("theme");
    delete root.dataset.theme;
  } else {
    root.dataset.theme = dark ? "dark" : "light";
    localStorage.setItem("theme", root.dataset.theme);
  }
}

/** Call `changed` when the system switches. */
export const whenSystemSwitches = (changed) => system.addEventListener("change", changed);
