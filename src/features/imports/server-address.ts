import { invalid } from "../../platform/errors.ts";
import type { Plan } from "./import.ts";

type Named = NonNullable<Plan["server"]>;

export const isServer = (word: string): boolean => /^https?:\/\//i.test(word);

/** The address without a slash at its end, and the user that it names: `https://ada@cloud.example.org`. */
export function parseServer(word: string): { url: string; user: string } {
  if (!URL.canParse(word) || !isServer(word)) throw invalid(`${word} is not the address of a server.`, "server");
  const { password, username, origin, pathname } = new URL(word);
  if (password !== "")
    throw invalid("A password in an address can be seen by others: give it as the key instead.", "server");
  return { url: [origin, ...pathname.split("/").filter(Boolean)].join("/"), user: decode(username) };
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A server that an admin has named in a request, by its address as it is stored. */
export function tidyServer({ kind, url, username }: Named): Named {
  const found = parseServer(/^https?:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`);
  const user = username?.trim() || found.user;
  return { ...(kind && { kind }), url: found.url, ...(user && { username: user }) };
}
