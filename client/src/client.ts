import type { Message, Operations, SignedIn, SignIn } from "../../build/client/api.ts";
import { createCall, readJSON, readRow } from "./call.ts";
import { createEvents } from "./events.ts";
import { findFetchWithProgress } from "./fetch-with-progress.ts";
import { operations } from "../../build/client/operations.ts";
import { type Connection, send } from "./send.ts";
import type { CallOptions, Client, ClientOptions } from "./types.ts";
import { createUpload } from "./upload.ts";
import { openUploadStore } from "./upload-store.ts";

export function createClient(options: ClientOptions = {}): Client {
  const { baseURL = "", session = false, share, retry = {}, fetch: given } = options;
  const connection: Connection = {
    baseURL: baseURL.replace(/\/+$/, ""),
    fetch: given ?? ((url, init) => fetch(url, init)),
    fetchWithProgress: given ? null : findFetchWithProgress(),
    retry,
    headers: () => (client.token ? { Authorization: `Bearer ${client.token}` } : {}),
  };
  const calls = Object.fromEntries(
    Object.entries(operations).map(([name, row]) => [name, createCall(connection, readRow(row), share)]),
  ) as Operations;

  const client: Client = {
    ...calls,
    token: options.token ?? null,
    async signIn(input, more) {
      // How long to wait after wrong passwords is for the person to know, not for the client.
      const once: CallOptions = { retry: { attempts: 1 }, ...more };
      if (session) return (await inSession("POST", once, input)) as SignedIn;
      const { token, ...answer } = await calls.signIn(input, once);
      client.token = token;
      return answer;
    },
    async signOut(more) {
      const answer = session ? ((await inSession("DELETE", more)) as Message) : await calls.signOut({}, more);
      client.token = null;
      return answer;
    },
    upload: createUpload(connection, options.uploads ?? openUploadStore()),
    events: createEvents(connection),
  };
  return client;

  /** The cookie is set and removed by the browser. */
  function inSession(method: string, { headers, ...more }: CallOptions = {}, input?: SignIn): Promise<unknown> {
    const isRepeatable = method === "DELETE";
    const body = input ? JSON.stringify(input) : null;
    const request = { method, path: "/session", body, isRepeatable, ...more };
    return send(connection, { ...request, headers: { "Content-Type": "application/json", ...headers } }, readJSON);
  }
}
