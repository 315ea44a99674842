import { readdirSync } from "node:fs";

/** The directory of the newest PostgreSQL programs, or null. Debian does not add them to the path. */
export const postgresPrograms = findPostgres();

function findPostgres(): string | null {
  try {
    const versions = readdirSync("/usr/lib/postgresql").map(Number);
    return `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
  } catch {
    return null;
  }
}

/** The command as an unprivileged user: PostgreSQL and PgBouncer refuse to run as root. */
export function asDaemon(...words: string[]): string[] {
  if (process.getuid?.() !== 0) return words;
  const drop = 'exec setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"';
  return ["bash", "-c", drop, "as-daemon", ...words];
}
