import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "./config.ts";
import { Problem } from "./errors.ts";
import { rebuildCommand } from "./images/commands.ts";
import { MoveError, migrateEngine } from "./migrate-engine.ts";
import { DatabaseError } from "./platform/database/database.ts";
import { DataDirectoryError } from "./platform/data-directory.ts";
import { printOpenAPI, serve } from "./serve.ts";
import { upgrade } from "./upgrade.ts";
import { userCommand } from "./users/commands.ts";
import { version } from "./version.ts";

const usage = `Usage: vitrine [command]

  serve                              start the server (the default)
  user add NAME [--role ROLE]        make an account; the password is asked for, or read from standard input
  user list                          list the accounts
  user role NAME ROLE                change a role: reader, author or admin
  user password NAME                 set a new password, and end all sign-ins
  rebuild pictures                   try again to decode the pictures that could not be decoded
  migrate [--dry-run]                run the migrations that this version needs, or only list them
  migrate-engine --to-database URL|sqlite --to-storage URL|disk [--to-dir DIR]
                                     copy the whole site to other engines; stop the server first
  openapi                            print the OpenAPI document
  --help, --version

Settings are environment variables, or a .env file: PORT, DATA_DIR and more; the README lists them.`;

/** Answers the exit code: 0 done, 1 failed, 2 not understood. */
async function run([command = "serve", ...rest]: string[]): Promise<number> {
  if (command === "--help" || command === "-h" || command === "help") return print(usage);
  if (command === "--version" || command === "-v") return print(version);
  if (command === "user") return (await userCommand(rest, readConfig())) ?? misunderstood();
  if (command === "rebuild") return (await rebuildCommand(rest, readConfig())) ?? misunderstood();
  if (command === "migrate-engine") return move(rest);
  if (command === "migrate") return migrate(rest);
  if (rest.length > 0) return misunderstood();
  if (command === "serve") return serve(readConfig());
  if (command === "openapi") return print(await printOpenAPI(readConfig()));
  return misunderstood();
}

async function migrate(words: string[]): Promise<number> {
  const isDryRun = words[0] === "--dry-run";
  if (words.length > (isDryRun ? 1 : 0)) return misunderstood();
  await upgrade(readConfig(), isDryRun, console.log);
  return 0;
}

async function move(words: string[]): Promise<number> {
  const target = readMoveTarget(words);
  if (!target) return misunderstood();
  await migrateEngine(readConfig(), readConfig(undefined, target), (line) => console.log(line));
  return 0;
}

/** The variables that tell the other engines, or null. */
function readMoveTarget(words: string[]): Record<string, string> | null {
  const text = { type: "string" } as const;
  const options = { "to-database": text, "to-storage": text, "to-dir": text };
  try {
    const { values } = parseArgs({ args: words, options });
    const { "to-database": database, "to-storage": storage, "to-dir": directory } = values;
    if (!database || !storage) return null;
    return {
      DATABASE_URL: database === "sqlite" ? "" : database,
      STORAGE_URL: storage === "disk" ? "" : storage,
      ...(directory && { DATA_DIR: directory }),
    };
  } catch {
    return null;
  }
}

function print(text: string): number {
  console.log(text);
  return 0;
}

function misunderstood(): number {
  console.error(`Unknown command: ${process.argv.slice(2).join(" ")}\n\n${usage}`);
  return 2;
}

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  const isForPeople = [ConfigError, DataDirectoryError, DatabaseError, MoveError, Problem].some(
    (kind) => error instanceof kind,
  );
  console.error(isForPeople ? `vitrine: ${(error as Error).message}` : error);
  process.exit(1);
}
