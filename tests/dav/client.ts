import type { Client } from "../kit/client.ts";

export type Sent = { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> | null };
export type Dav = (method: string, path: string, sent?: Sent) => Promise<Response>;

export const basic = (username: string, key: string) => `Basic ${btoa(`${username}:${key}`)}`;

export async function makeKey(person: Client, scope: string, more: object = {}): Promise<string> {
  const { body } = await person.post("/api/v1/keys", { name: "dav", scopes: [scope], ...more });
  return body.key;
}

/** Sends requests below `/dav/` as a person with a key for WebDAV. */
export async function davOf(server: { url: string }, person: Client, username: string): Promise<Dav> {
  return davWith(server, username, await makeKey(person, "dav"));
}

export function davWith(server: { url: string }, username: string, key: string): Dav {
  const Authorization = basic(username, key);
  return (method, path, { headers = {}, body = null } = {}) => {
    const init = { method, headers: { Authorization, ...headers }, body };
    return fetch(`${server.url}/dav/${path}`, init);
  };
}

export const lockBody = (scope = "exclusive") =>
  `<lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner>me</owner></lockinfo>`;

/** The hrefs of a multistatus, decoded. */
export const hrefsIn = (text: string): string[] =>
  Array.from(text.matchAll(/<d:response><d:href>([^<]+)<\/d:href>/g), ([, href = ""]) => decodeURI(href));
