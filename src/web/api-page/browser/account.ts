import { find, findInput, keep, readKept } from "./page.ts";

type Session = { token: string; expiresAt: string; user: { username: string; role: string } };

const storageKey = "vitrine.session";
let session = readSession();

export const currentToken = () => session?.token ?? null;

export function startAccount(): void {
  showSession();
  find("#sign-in").addEventListener("submit", (event) => void signIn(event));
  find("#sign-out").addEventListener("click", () => void signOut());
  document.addEventListener("click", (event) => {
    if (!(event.target as Element).closest('a[href="#account"]')) return;
    // If the banner stays visible, jumping to it would only lose the reader's position.
    if (getComputedStyle(find(".banner")).position === "sticky") event.preventDefault();
    setTimeout(() => find("#username").focus({ preventScroll: true }));
  });
}

async function signIn(event: SubmitEvent): Promise<void> {
  event.preventDefault();
  const path = (event.submitter as HTMLButtonElement | null)?.value ?? "/signin";
  const password = findInput("#password");
  const credentials = { username: findInput("#username").value, password: password.value };
  note(path === "/signup" ? "Signing up…" : "Signing in…");
  try {
    const signedUp = path === "/signup" ? await post("/signup", credentials) : {};
    keepSession((await post("/signin", credentials).catch(takeSecondStep)) as Session);
    password.value = "";
    note("warning" in signedUp ? String(signedUp.warning) : "");
    find("#sign-out").focus({ preventScroll: true });
  } catch (error) {
    note((error as Error).message, "failure");
  }
}

/** Asks for a code if the account has a second factor. */
async function takeSecondStep(error: Error & { cause?: { ticket?: string } }): Promise<object> {
  const ticket = error.cause?.ticket;
  const code = ticket && prompt("The code of your authenticator app, or a recovery code:");
  if (!code) throw error;
  return post("/api/v1/signin/factor", { ticket, code });
}

async function signOut(): Promise<void> {
  const token = currentToken();
  keepSession(null);
  find("#username").focus({ preventScroll: true });
  try {
    await post("/signout", null, token);
    note("Signed out.");
  } catch (error) {
    note((error as Error).message, "failure");
  }
}

async function post(path: string, body: object | null, token: string | null = null): Promise<object> {
  const headers: Record<string, string> = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body) }).catch(() => {
    throw new Error("The server cannot be reached.");
  });
  const answer = (await response.json().catch(() => ({}))) as { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `The server returned ${response.status}.`, { cause: answer });
  return answer;
}

function readSession(): Session | null {
  const kept = readKept(storageKey) as Session | null;
  return kept && Date.parse(kept.expiresAt) > Date.now() ? kept : null;
}

export function keepSession(next: Session | null): void {
  session = next;
  keep(storageKey, next);
  showSession();
}

function showSession(): void {
  document.documentElement.toggleAttribute("data-signed-in", Boolean(session));
  find("#sign-in").hidden = Boolean(session);
  find("#signed-in").hidden = !session;
  find("#who").textContent = session?.user.username ?? "";
  find("#role").textContent = session?.user.role ?? "";
}

function note(text: string, className = ""): void {
  Object.assign(find("#account-note"), { textContent: text, className });
}
