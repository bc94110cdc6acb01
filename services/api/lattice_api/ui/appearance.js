// Light or dark: the system's, until the person switches; switching back follows the system again. theme.js applies it at start.

const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const PAPER = { light: "#fbfaf8", dark: "#151513" }; // as in app.css

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
  paintBrowser();
}

/** The browser's own bar has the colour of the page: the chosen one, or of the two that the system chooses from. */
function paintBrowser() {
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    meta.content = PAPER[root.dataset.theme ?? (meta.media.includes("dark") ? "dark" : "light")];
  }
}

/** Call `changed` when the system switches. */
export const whenSystemSwitches = (changed) => system.addEventListener("change", changed);
