import { parseArgs } from "node:util";
import { check } from "./check.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
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
  check [--hash]                     look for files that the storage has lost; with --hash, also for damaged ones
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
  if (command === "migrate") return runWithOption(upgrade, "--dry-run", rest);
  if (command === "check") return runWithOption(check, "--hash", rest);
  if (rest.length > 0) return misunderstood();
  if (command === "serve") return serve(readConfig());
  if (command === "openapi") return print(await printOpenAPI(readConfig()));
  return misunderstood();
}

type CommandWithOption = (config: Config, isSet: boolean, say: (line: string) => void) => Promise<number>;

function runWithOption(command: CommandWithOption, option: string, words: string[]): Promise<number> | number {
  const isSet = words[0] === option;
  return words.length > (isSet ? 1 : 0) ? misunderstood() : command(readConfig(), isSet, console.log);
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
