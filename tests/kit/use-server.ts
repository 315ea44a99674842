import type { Role } from "../../src/platform/http/route.ts";
import { type Client, client } from "./client.ts";
import { addMembers } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";
import { useOpened } from "./use-opened.ts";

/** A server that is open while the tests run, and its callers. */
type UsedServer = TestServer & {
  guest: Client;
  /** A user who is created before the tests run. Like `useServer`, it is called outside of tests and hooks. */
  person(username: string, role?: Role): Client;
  /** The four kinds of callers that every permission test uses. */
  people(): Record<"guest" | "owner" | "stranger" | "admin", Client>;
  /** Also a reader, and an author who has nothing to do with the others. */
  everybody(): Record<"guest" | "owner" | "stranger" | "admin" | "reader" | "author", Client>;
};

/**
 * Starts a server before the tests of this file, or of the `describe` that calls this, and closes it after them. Its people are
 * created then, too, so that all hooks and tests can use them.
 */
export function useServer(...[env, modules]: Parameters<typeof startServer>): UsedServer {
  const wanted: { username: string; role: Role; caller: Client }[] = [];
  let isOpen = false;
  const server = useOpened(async () => {
    isOpen = true;
    const started = await startServer(env, modules);
    const callers = await addMembers(started, wanted);
    for (const [index, caller] of callers.entries()) Object.assign(wanted[index]?.caller as Client, caller);
    return started;
  });

  function person(username: string, role: Role = "author"): Client {
    if (isOpen) throw new Error(`The person ${username} is named after the server was started.`);
    const caller = {} as Client;
    wanted.push({ username, role, caller });
    return caller;
  }
  const guest = client(server);
  const people = () => ({
    guest,
    owner: person("owner"),
    stranger: person("stranger"),
    admin: person("root", "admin"),
  });
  const everybody = () => ({ ...people(), reader: person("reader", "reader"), author: person("author") });
  return Object.assign(server, { guest, person, people, everybody });
}
