import { writeSync } from "node:fs";
import { type Command, MoveError, UsageError } from "./commands/command.ts";
import {
  findCommand,
  listGroup,
  parseCommand,
  printHelp,
  printSynopsis,
  printUsage,
  variablesOf,
} from "./commands/command-line.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { BackupError } from "./platform/backups/place.ts";
import { Problem } from "./platform/errors.ts";
import { schemaOf } from "./module.ts";
import { modules } from "./modules.ts";
import { serveCommand } from "./commands/serve.ts";
import { DatabaseError } from "./platform/database/database.ts";
import { refuseUnsafePlace } from "./platform/database/place.ts";
import { DataDirectoryError } from "./platform/data-directory.ts";
import { becomeOwner } from "./platform/data-owner.ts";
import { explainFailure } from "./platform/explain-failure.ts";
import { Interrupted } from "./platform/prompt.ts";
import { setLibraryCache } from "./platform/libraries.ts";
import { programFiles } from "./platform/program-root.ts";
import { version } from "./platform/version.ts";

/** Returns the exit code: 0 done, 1 failed, 2 not understood, 130 ended by Ctrl-C. */
async function run(words: string[]): Promise<number> {
  const [first = ""] = words;
  if (first === "--version" || first === "-v") return print(version);
  if (first === "help") return run([...words.slice(1), "--help"]);
  const wantsHelp = words.includes("--help") || words.includes("-h");
  const isNamed = first !== "" && !first.startsWith("-");
  if (!isNamed && !wantsHelp) return run(["serve", ...words]);
  const commands = await loadCommands(first);
  if (!isNamed) return print(printUsage(commands));
  const command = findCommand(commands, words);
  if (!command) return explain(commands, words, wantsHelp);
  if (wantsHelp) return print(printHelp(command));
  let site: Config | null = null;
  try {
    const parsed = parseCommand(command, words);
    const config = readConfig(undefined, variablesOf(parsed));
    // Commands without this option do not use the data of a site.
    if (command.options?.data) {
      site = config;
      setLibraryCache(config.cacheDir);
      becomeOwner(config, programFiles, words);
      if (config.database.engine === "sqlite" && !config.acceptsShare) await refuseUnsafePlace(config.databaseDir);
    }
    return await command.run({ ...parsed, config, schema: schemaOf(modules) });
  } catch (error) {
    if (error instanceof UsageError) return misunderstood(error.message, printSynopsis(command));
    const sentence = site === null ? null : explainFailure(error, site);
    if (sentence === null) throw error;
    complain(sentence);
    return 1;
  }
}

/** A server needs no other command. */
async function loadCommands(first: string): Promise<Command[]> {
  return first === serveCommand.name ? [serveCommand] : (await import("./commands/commands.ts")).commands;
}

/** For words that are not the name of a command, but perhaps the beginning of one. */
function explain(commands: Command[], [first = "", second]: string[], wantsHelp: boolean): number {
  const group = listGroup(commands, first);
  if (group.length === 0) return misunderstood(`Unknown command ${first}.`, printUsage(commands));
  if (wantsHelp) return print(printUsage(group));
  const choice = `${first} needs one of ${group.map(({ name }) => name.slice(first.length + 1)).join(", ")}.`;
  return misunderstood(second === undefined ? choice : `Unknown command ${first} ${second}.`, printUsage(group));
}

function print(text: string): number {
  console.log(text);
  return 0;
}

function misunderstood(message: string, usage: string): number {
  complain(`${message}\n\n${usage}`);
  return 2;
}

/** The runtime's own `console.error` is red on a terminal. */
function complain(message: string): void {
  writeSync(2, `vitrine: ${message}\n`);
}

function report(error: unknown): number {
  if (error instanceof Interrupted) return 130;
  const isForPeople = [ConfigError, DataDirectoryError, DatabaseError, BackupError, MoveError, Problem].some(
    (kind) => error instanceof kind,
  );
  if (isForPeople) complain((error as Error).message);
  else console.error(error);
  return 1;
}

// Not awaited: the bundle is a CommonJS module.
void run(process.argv.slice(2))
  .catch(report)
  .then((code) => process.exit(code));
