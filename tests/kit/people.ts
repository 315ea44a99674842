import { hashSync } from "@node-rs/argon2";
import { removeKeyFile } from "../../src/core/users/first-admin.ts";
import { addUser } from "../../src/core/users/store.ts";
import type { Role } from "../../src/platform/http/route.ts";
import { type Client, client } from "./client.ts";
import { type TestServer, withDatabase } from "./server.ts";

export const password = "correct horse battery";

/** Signs a user up and in. */
export async function person(server: { url: string }, username: string): Promise<Client> {
  const guest = client(server);
  await guest.post("/signup", { username, password });
  return signedIn(server, username);
}

export async function signedIn(server: { url: string }, username: string): Promise<Client> {
  const { body } = await client(server).post("/signin", { username, password });
  return client(server, body.token, body.user.id);
}

export const admin = (server: TestServer, username = "root"): Promise<Client> => member(server, username, "admin");

/** To check a password against this hash costs almost nothing. */
const cheapHash = hashSync(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

let lastAddition: Promise<unknown> = Promise.resolve();

/** A user with this role. */
export async function member(server: TestServer, username: string, role: Role): Promise<Client> {
  const [caller] = await addMembers(server, [{ username, role }]);
  return caller as Client;
}

/** Users, created as the command line does it: by a process that has opened the same database. */
export async function addMembers(
  server: TestServer,
  people: readonly { username: string; role: Role }[],
): Promise<Client[]> {
  if (people.length === 0) return [];
  // One after the other: in one process, two that write to a file of SQLite would block each other.
  const add = () =>
    withDatabase(server, async (db) => {
      for (const { username, role } of people) await addUser(db, username, { hash: cheapHash, warning: null }, role);
    });
  await (lastAddition = lastAddition.then(add, add));
  if (people.some(({ role }) => role === "admin")) removeKeyFile(server.dataDir);
  return Promise.all(people.map(({ username }) => signedIn(server, username)));
}

/** The four kinds of callers that every permission test uses. */
export async function createPeople(server: TestServer) {
  const [owner, stranger, chief] = (await addMembers(server, [
    { username: "owner", role: "author" },
    { username: "stranger", role: "author" },
    { username: "root", role: "admin" },
  ])) as [Client, Client, Client];
  return { guest: client(server), owner, stranger, admin: chief };
}
