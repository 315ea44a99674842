import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { findProgram } from "../optional.ts";

const postgres = findProgram("postgres");
/** The directory of the newest PostgreSQL programs, or null. What is in PATH may be links to some of them. */
export const postgresPrograms = postgres && dirname(realpathSync(postgres));

/** The command as an unprivileged user: PostgreSQL and PgBouncer refuse to run as root. */
export function asDaemon(...words: string[]): string[] {
  if (process.getuid?.() !== 0) return words;
  const drop = 'exec setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"';
  return ["bash", "-c", drop, "as-daemon", ...words];
}
