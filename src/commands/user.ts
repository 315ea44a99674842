import { type Command, dataOption, UsageError } from "./command.ts";
import { openDatabase, openExclusively, refuseMissingSite, withDatabase, withSite } from "../engines.ts";
import { invalid, missing } from "../platform/errors.ts";
import type { Database, Reader } from "../platform/database/database.ts";
import type { Role } from "../platform/http/route.ts";
import { validate } from "../platform/http/validate.ts";
import type { Module } from "../module.ts";
import type { Config } from "../config.ts";
import { createAccountMails } from "../core/account-mail/mails.ts";
import { addPasswordLink, passwordPage } from "../core/account-mail/links.ts";
import { fixedSettings } from "../core/settings/store.ts";
import { finishRemovals } from "../core/users/finish-removal.ts";
import { removalDepsOf } from "./removal-deps.ts";
import { beginErasure, beginRemoval, describeRecords, ownsRecords, removeUser } from "../core/users/remove.ts";
import { askNewPassword } from "./ask-password.ts";
import { confirm } from "./confirm.ts";
import { resetFactors } from "../core/users/reset-factors.ts";
import { removeKeyFile } from "../core/users/first-admin.ts";
import {
  addUser,
  checkNameIsFree,
  findUserByName,
  listUsers,
  lockUsers,
  setPassword,
  setRole,
} from "../core/users/store.ts";
import { credentialsSchema, roles, type User } from "../core/users/user.ts";

const passwordDetails = "Prompts for a password, or reads it from standard input. The server may be running.";

export const userCommands = (modules: readonly Module[]): Command[] => [
  {
    name: "user add",
    arguments: ["NAME"],
    summary: "create an account",
    details: passwordDetails,
    options: {
      role: { value: "ROLE", summary: "reader, author (the default) or admin" },
      create: { summary: "create the site if the server has not been started yet" },
      ...dataOption,
    },
    run: async ({ words: [name = ""], options, config }) => {
      const role = readRole(options.role ?? "author");
      if (options.create === undefined) await refuseMissingSite(config, "add --create to create one");
      const code = await withDatabase(openDatabase(config), (db) => add(db, config, name, role));
      if (role === "admin") removeKeyFile(config.dataDir);
      return code;
    },
  },
  {
    name: "user list",
    summary: "list the accounts",
    options: dataOption,
    run: ({ config }) => withSite(config, list),
  },
  {
    name: "user role",
    arguments: ["NAME", "ROLE"],
    summary: "change a role: reader, author or admin",
    options: dataOption,
    run: async ({ words: [name = "", role = ""], config }) => {
      const newRole = readRole(role);
      const code = await withSite(config, (db) => changeRole(db, name, newRole));
      if (newRole === "admin") removeKeyFile(config.dataDir);
      return code;
    },
  },
  {
    name: "user password",
    arguments: ["NAME"],
    summary: "set a new password, sign out all sessions and remove all app keys",
    details: passwordDetails,
    options: dataOption,
    run: ({ words: [name = ""], config }) => withSite(config, (db) => changePassword(db, config, name)),
  },
  {
    name: "user reset-factors",
    arguments: ["NAME"],
    summary: "remove the second factors of somebody who has lost them, and sign out all sessions",
    details: "The password alone is enough to sign in again. The server may be running.",
    options: dataOption,
    run: ({ words: [name = ""], config }) => withSite(config, (db) => reset(db, config, name)),
  },
  {
    name: "user password-link",
    arguments: ["NAME"],
    summary: "print a link with which the person sets a new password, once and within 24 hours",
    details: "Setting it signs out all sessions and removes all app keys. The server may be running.",
    options: dataOption,
    run: ({ words: [name = ""], config }) => withSite(config, (db) => printPasswordLink(db, name, config.baseURL)),
  },
  {
    name: "user remove",
    arguments: ["NAME"],
    summary: "remove an account, and give its records to another one or delete them",
    details: "Asks for confirmation. With --give-to or --with-everything and SQLite, stop the server first.",
    options: {
      "give-to": { value: "OTHER", summary: "the account that gets the records, including those in the trash" },
      "with-everything": { summary: "delete the records permanently" },
      yes: { summary: "do not ask for confirmation" },
      ...dataOption,
    },
    async run({ words: [name = ""], options, config, schema }) {
      const newOwner = options["give-to"];
      const isErased = options["with-everything"] !== undefined;
      if (isErased && newOwner !== undefined) throw new UsageError("Choose --give-to or --with-everything, not both.");
      await refuseMissingSite(config);
      // A running server caches responses that contain the owner of a record.
      const isOnline = newOwner === undefined && !isErased;
      const opening = isOnline ? openDatabase(config, schema) : openExclusively(config, schema);
      return withDatabase(opening, async (db) => {
        const user = await remove(db, name, { newOwner, isErased, isConfirmed: options.yes !== undefined });
        await finishRemovals(db, removalDepsOf(modules), user.id);
        console.log(`${user.username} was removed.`);
      });
    },
  },
];

function readRole(word: string): Role {
  const role = roles.find((candidate) => candidate === word);
  if (role) return role;
  throw new UsageError(`Unknown role ${word}: use reader, author or admin.`);
}

async function add(db: Database, config: Config, name: string, role: Role): Promise<void> {
  const { username } = validate(credentialsSchema.pick({ username: true }), { username: name });
  // Checked before asking for the password, and again when the account is added.
  await checkNameIsFree(db, username);
  const password = await askNewPassword(db, fixedSettings(config), { username, role });
  const user = await addUser(db, username, password, role);
  console.log(`${user.username} is now ${role === "reader" ? "a" : "an"} ${role}.`);
}

async function list(db: Database): Promise<void> {
  for (const user of await listUsers(db)) {
    console.log(`${String(user.id).padStart(5)}  ${user.role.padEnd(6)}  ${user.createdAt}  ${user.username}`);
  }
}

async function changeRole(db: Database, name: string, role: Role): Promise<void> {
  const user = await db.transaction(async (tx) => {
    await lockUsers(tx);
    const found = await getUserByName(tx, name);
    await setRole(tx, found, role, null);
    return found;
  });
  console.log(`${user.username} is now ${role === "reader" ? "a" : "an"} ${role}.`);
}

async function changePassword(db: Database, config: Config, name: string): Promise<void> {
  const user = await getUserByName(db, name);
  await setPassword(db, user, await askNewPassword(db, fixedSettings(config), user));
  console.log(`Password changed for ${user.username}; all sessions have been signed out, and all app keys removed.`);
}

async function reset(db: Database, config: Config, name: string): Promise<void> {
  const user = await getUserByName(db, name);
  await db.transaction(async (tx) => {
    await resetFactors(tx, user, null);
    await createAccountMails(config).tell(tx, user.id, { name: "factorRemoved", words: [user.username] });
  });
  console.log(`${user.username} can sign in with the password alone; all sessions have been signed out.`);
}

async function printPasswordLink(db: Database, name: string, baseURL: string): Promise<void> {
  const user = await getUserByName(db, name);
  const token = await db.transaction((tx) => addPasswordLink(tx, user.id, true));
  console.log(baseURL + passwordPage(token ?? ""));
  if (baseURL === "") console.error("This is a path: put the address of the site before it, or set BASE_URL.");
}

/** Removes the user, or begins to. */
async function remove(
  db: Database,
  name: string,
  choice: { newOwner: string | undefined; isErased: boolean; isConfirmed: boolean },
): Promise<User> {
  const { isErased } = choice;
  const user = await getUserByName(db, name);
  const newOwner = choice.newOwner === undefined ? null : await getUserByName(db, choice.newOwner);
  if (newOwner?.id === user.id) throw invalid("--give-to must be a different account.");
  const records = await describeRecords(db, user);
  if (records && !newOwner && !isErased) throw ownsRecords(user, records);
  const fate = isErased ? "permanently delete" : `give ${newOwner?.username}`;
  const transfer = records ? ` and ${fate} the records (${records})` : "";
  if (!choice.isConfirmed && !(await confirm("user remove", `Remove ${user.username}${transfer}? [y/N] `)))
    throw invalid("Nothing was removed.");
  if (!isErased && (!records || !newOwner)) await removeUser(db, user);
  else {
    await db.transaction(async (tx) => {
      await lockUsers(tx);
      if (isErased) await beginErasure(tx, user, null);
      else if (newOwner) await beginRemoval(tx, { user, heirID: newOwner.id, records: "given", removedByID: null });
    });
  }
  return user;
}

async function getUserByName(db: Reader, name: string) {
  const user = await findUserByName(db, name);
  if (!user) throw missing(`user ${name}`);
  return user;
}
