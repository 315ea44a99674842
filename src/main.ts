import { ConfigError, readConfig } from "./config.ts";
import { Problem } from "./errors.ts";
import { DataDirectoryError } from "./platform/data-directory.ts";
import { printOpenAPI, serve } from "./serve.ts";
import { userCommand } from "./users/commands.ts";
import { version } from "./version.ts";

const usage = `Usage: vitrine [command]

  serve                              start the server (the default)
  user add NAME [--role ROLE]        make an account; the password is asked for, or read from standard input
  user list                          list the accounts
  user role NAME ROLE                change a role: reader, author or admin
  user password NAME                 set a new password, and end all sign-ins
  openapi                            print the OpenAPI document
  --help, --version

Settings are environment variables, or a .env file: PORT, DATA_DIR and more; the README lists them.`;

/** Answers the exit code: 0 done, 1 failed, 2 not understood. */
async function run([command = "serve", ...rest]: string[]): Promise<number> {
  if (command === "--help" || command === "-h" || command === "help") return print(usage);
  if (command === "--version" || command === "-v") return print(version);
  if (command === "user") return (await userCommand(rest, readConfig())) ?? misunderstood();
  if (rest.length > 0) return misunderstood();
  if (command === "serve") return serve(readConfig());
  if (command === "openapi") return print(await printOpenAPI(readConfig()));
  return misunderstood();
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
  const isForPeople = error instanceof ConfigError || error instanceof DataDirectoryError || error instanceof Problem;
  console.error(isForPeople ? `vitrine: ${error.message}` : error);
  process.exit(1);
}
