// Sets light or dark before the first paint; loaded by itself, and not as a module, so that nothing flashes.
// What is stored is the person's choice: "light", "dark", or nothing when the system decides.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
