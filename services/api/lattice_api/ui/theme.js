// Sets light or dark before the first paint; loaded by itself, and not as a module, so that nothing flashes.
// What is stored is the person's choice: "light", "dark", or nothing when the system decides.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen !== "light" && chosen !== "dark") return;
  document.documentElement.dataset.theme = chosen;
  const paper = { light: "#fbfaf8", dark: "#151513" }[chosen]; // as in app.css, which is not read yet
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = paper;
})();
