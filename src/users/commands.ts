import { type Command, dataOption, UsageError } from "../command.ts";
import type { Config } from "../config.ts";
import { openExclusively, openDatabase, refuseMissingSite } from "../engines.ts";
import { invalid, missing } from "../errors.ts";
import { hashPassword } from "../platform/auth/passwords.ts";
import type { Database } from "../platform/database/database.ts";
import type { Role } from "../platform/http/route.ts";
import { validate } from "../platform/http/validate.ts";
import { isTerminal, openPrompt } from "../platform/prompt.ts";
import { describeRecords, ownsRecords, removeUser } from "./remove.ts";
import { askNewPassword } from "./ask-password.ts";
import { addUser, checkNameIsFree, findUserByName, listUsers, setPassword, setRole } from "./store.ts";
import { credentialsSchema, roles } from "./user.ts";

const passwordDetails = "The password is asked for, or read from standard input. Works also while the server runs.";

export const userCommands: Command[] = [
  {
    name: "user add",
    arguments: ["NAME"],
    summary: "make an account",
    details: passwordDetails,
    options: {
      role: { value: "ROLE", summary: "reader, author (the default) or admin" },
      create: { summary: "make the site, where the server has not been started yet" },
      ...dataOption,
    },
    run: async ({ words: [name = ""], options, config }) => {
      const role = readRole(options.role ?? "author");
      if (options.create === undefined) await refuseMissingSite(config, "add --create to make one");
      return withDatabase(openDatabase(config), (db) => add(db, name, role));
    },
  },
  {
    name: "user list",
    summary: "list the accounts",
    options: dataOption,
    run: ({ config }) => withDatabase(openSite(config), list),
  },
  {
    name: "user role",
    arguments: ["NAME", "ROLE"],
    summary: "change a role: reader, author or admin",
    options: dataOption,
    run: ({ words: [name = "", role = ""], config }) => {
      const newRole = readRole(role);
      return withDatabase(openSite(config), (db) => changeRole(db, name, newRole));
    },
  },
  {
    name: "user password",
    arguments: ["NAME"],
    summary: "set a new password, and end all sign-ins",
    details: passwordDetails,
    options: dataOption,
    run: ({ words: [name = ""], config }) => withDatabase(openSite(config), (db) => changePassword(db, name)),
  },
  {
    name: "user remove",
    arguments: ["NAME"],
    summary: "remove an account; its records go to another one",
    details: "With --give-to and SQLite, stop the server first. Asks before it removes anything.",
    options: {
      "give-to": { value: "OTHER", summary: "who gets the records of the account, those in the trash included" },
      yes: { summary: "do not ask" },
      ...dataOption,
    },
    async run({ words: [name = ""], options, config }) {
      const heir = options["give-to"];
      await refuseMissingSite(config);
      // Who owns a record is in answers that a server has in memory.
      const opening = heir === undefined ? openDatabase(config) : openExclusively(config);
      return withDatabase(opening, (db) => remove(db, name, heir, options.yes !== undefined));
    },
  },
];

function readRole(word: string): Role {
  const role = roles.find((candidate) => candidate === word);
  if (role) return role;
  throw new UsageError(`Unknown role ${word}: use reader, author or admin.`);
}

async function openSite(config: Config): Promise<Database> {
  await refuseMissingSite(config);
  return openDatabase(config);
}

async function withDatabase(opening: Promise<Database>, work: (db: Database) => Promise<void>): Promise<number> {
  const db = await opening;
  try {
    await work(db);
    return 0;
  } finally {
    await db.close();
  }
}

async function add(db: Database, name: string, role: Role): Promise<void> {
  const { username } = validate(credentialsSchema.pick({ username: true }), { username: name });
  // Before the password is asked for; when the account is added, the name is checked again.
  await checkNameIsFree(db, username);
  const user = await addUser(db, username, await hashPassword(await askNewPassword()), role);
  console.log(`${user.username} is now ${role === "reader" ? "a" : "an"} ${role}.`);
}

async function list(db: Database): Promise<void> {
  for (const user of await listUsers(db)) {
    console.log(`${String(user.id).padStart(5)}  ${user.role.padEnd(6)}  ${user.createdAt}  ${user.username}`);
  }
}

async function changeRole(db: Database, name: string, role: Role): Promise<void> {
  const user = await getUserByName(db, name);
  await setRole(db, user.id, role);
  console.log(`${user.username} is now ${role === "reader" ? "a" : "an"} ${role}.`);
}

async function changePassword(db: Database, name: string): Promise<void> {
  const user = await getUserByName(db, name);
  await setPassword(db, user.id, await hashPassword(await askNewPassword()));
  console.log(`The password of ${user.username} is changed; all sign-ins have ended.`);
}

async function remove(db: Database, name: string, heirName: string | undefined, isConfirmed: boolean): Promise<void> {
  const user = await getUserByName(db, name);
  const heir = heirName === undefined ? null : await getUserByName(db, heirName);
  if (heir?.id === user.id) throw invalid("--give-to needs another account.");
  const records = await describeRecords(db, user);
  if (records && !heir) throw ownsRecords(user, records);
  const gift = records && heir ? ` and give ${heir.username} the records (${records})` : "";
  if (!isConfirmed && !(await confirm(`Remove ${user.username}${gift}? [y/N] `))) throw invalid("Nothing was removed.");
  await removeUser(db, user, heir);
  console.log(`${user.username} is removed.`);
}

async function confirm(question: string): Promise<boolean> {
  if (!isTerminal()) throw new UsageError("user remove needs --yes where it cannot ask.");
  const prompt = openPrompt();
  try {
    return /^y(es)?$/i.test(await prompt.ask(question));
  } finally {
    prompt.close();
  }
}

async function getUserByName(db: Database, name: string) {
  const user = await findUserByName(db, name);
  if (!user) throw missing(`user ${name}`);
  return user;
}
