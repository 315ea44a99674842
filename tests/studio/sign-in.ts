import type { Tab } from "../kit/browser.ts";
import { password } from "../kit/people.ts";

/** Opens a session in this tab, as the form of the site does. */
export async function signIn({ context }: Tab, username: string): Promise<void> {
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const response = await context.request.post("/session", { data: { username, password }, headers });
  if (!response.ok()) throw new Error(`${username} cannot sign in: ${await response.text()}`);
}
