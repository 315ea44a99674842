import type { Config } from "../config.ts";
import { openDatabase } from "../engines.ts";
import { missing } from "../errors.ts";
import { hashPassword } from "../platform/auth/passwords.ts";
import type { Database } from "../platform/database/database.ts";
import type { Role } from "../platform/http/route.ts";
import { validate } from "../platform/http/validate.ts";
import { askPassword } from "./ask-password.ts";
import { addUser, findUserByName, listUsers, setPassword, setRole } from "./store.ts";
import { credentialsSchema, newPasswordSchema, roles } from "./user.ts";

/** `vitrine user …`, also while the server runs. Answers the exit code, or null for words it does not know. */
export async function userCommand([verb, ...rest]: string[], config: Config): Promise<number | null> {
  const command = parse(verb, rest);
  if (!command) return null;
  const db = await openDatabase(config);
  try {
    await command(db);
    return 0;
  } finally {
    await db.close();
  }
}

type Command = (db: Database) => Promise<void>;

function parse(verb: string | undefined, words: string[]): Command | null {
  const [name = "", second = "", third = "", ...more] = words;
  if (more.length > 0) return null;
  if (verb === "list" && words.length === 0) return list;
  if (verb === "add" && words.length === 1 && isName(name)) return (db) => add(db, name, "author");
  if (verb === "add" && words.length === 3 && second === "--role" && isRole(third)) return (db) => add(db, name, third);
  if (verb === "role" && words.length === 2 && isRole(second)) return (db) => changeRole(db, name, second);
  if (verb === "password" && words.length === 1 && isName(name)) return (db) => changePassword(db, name);
  return null;
}

const isName = (word: string) => !word.startsWith("-");
const isRole = (word: string): word is Role => (roles as string[]).includes(word);

async function add(db: Database, name: string, role: Role): Promise<void> {
  const { username, password } = validate(credentialsSchema, { username: name, password: await askPassword() });
  const user = await addUser(db, username, await hashPassword(password), role);
  console.log(`${user.username} is now ${role === "admin" || role === "author" ? "an" : "a"} ${role}.`);
}

async function list(db: Database): Promise<void> {
  for (const user of await listUsers(db)) {
    console.log(`${String(user.id).padStart(5)}  ${user.role.padEnd(6)}  ${user.createdAt}  ${user.username}`);
  }
}

async function changeRole(db: Database, name: string, role: Role): Promise<void> {
  const user = await getUserByName(db, name);
  await setRole(db, user.id, role);
  console.log(`${user.username} is now ${role}.`);
}

async function changePassword(db: Database, name: string): Promise<void> {
  const user = await getUserByName(db, name);
  const { password } = validate(newPasswordSchema, { password: await askPassword() });
  await setPassword(db, user.id, await hashPassword(password));
  console.log(`The password of ${user.username} is changed; all sign-ins have ended.`);
}

async function getUserByName(db: Database, name: string) {
  const user = await findUserByName(db, name);
  if (!user) throw missing(`user ${name}`);
  return user;
}
