/* Gives a heart, or takes it back, without loading the page again. */

const key = "vitrine-hearts";
type State = { hearts: number; hasHeart: boolean };

export function followHeart(form: HTMLFormElement): void {
  const button = form.querySelector("button");
  const count = form.querySelector("[data-count]");
  const { heart: url = "", guest } = form.dataset;
  if (!button || !count) return;

  /** Pages for guests are the same for all: those who have given a heart ask whether it was here. */
  if (guest !== undefined && hasGiven()) void ask("GET").catch(() => {});
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    ask(button.value === "take" ? "DELETE" : "PUT")
      // The form of the page says what is wrong.
      .catch(() => form.submit())
      .finally(() => {
        button.disabled = false;
        button.focus();
      });
  });

  async function ask(method: "GET" | "PUT" | "DELETE"): Promise<void> {
    const response = await fetch(url, { method });
    if (!response.ok) throw new Error(response.statusText);
    const { hearts, hasHeart } = (await response.json()) as State;
    if (method === "PUT") remember();
    button?.setAttribute("value", hasHeart ? "take" : "give");
    button?.setAttribute("aria-pressed", String(hasHeart));
    if (count) count.textContent = hearts === 0 ? "" : hearts.toLocaleString(document.documentElement.lang);
    form.querySelector("small")?.remove();
  }
}

function hasGiven(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(): void {
  try {
    localStorage.setItem(key, "1");
  } catch {
    // A browser may forbid to keep anything.
  }
}
