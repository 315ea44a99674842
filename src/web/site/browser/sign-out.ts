/** Whoever signs out here does not leave the studio to the next person, either: it would open without a network. */
export function followSignOut(): void {
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.getAttribute("action") !== "/session/end") return;
    try {
      localStorage.removeItem("vitrine-offline");
    } catch {
      // A browser may forbid to keep anything.
    }
  });
}
