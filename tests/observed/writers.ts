import { readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleOf, ownersOfTables, writersOfAnyTable } from "../kit/table-owners.ts";
import type { Sent } from "./observation.ts";
import { root } from "../kit/root.ts";

const written =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|DELETE\s+FROM|(?<!\b(?:DO|FOR|KEY)\s+)UPDATE)\s+"?([a-z_]+)/g;

/** Whoever calls them: they replace the rows of every table, and correct those of every table of counts. */
const writersForAll = new Set(["platform/database/copy-rows.ts", "platform/database/counts.ts"]);

/** They change the tables of all modules. */
const migrations = "platform/database/migrate.ts";

/** It lets the code of the modules correct their counts, and undoes all of that. */
const undone = "commands/doctor-database.ts";

/**
 * Code that has written to a table of another module, however the name of the table came into the statement. The code of
 * the platform writes to the table that its caller names.
 */
export async function findForeignWrites(observations: Sent[]): Promise<string[]> {
  const owners = await ownersOfTables();
  const found = new Set<string>();
  for (const { stack, text } of observations) {
    const files = stack
      .filter((place) => !isForwarded(place))
      .map((place) => place.replace(/^src\/(.*):\d+:\d+$/, "$1"));
    const sender = files.find((file) => moduleOf(file) !== "platform");
    for (const [, table = ""] of text.matchAll(written)) {
      const owner = owners.get(table);
      const writer = owner === "platform" || writersForAll.has(files[0] ?? "") ? files[0] : sender;
      if (writer === undone || files.includes(migrations)) continue;
      if (!owner || !writer || moduleOf(writer) === owner || writersOfAnyTable[`src/${writer}`] || isTest(writer))
        continue;
      found.add(`src/${writer} writes to ${table}, a table of ${owner}`);
    }
  }
  return [...found].toSorted();
}

/** Tests and benches fill whole tables. */
const isTest = (file: string) => /^(tests|bench)\//.test(file) || file.endsWith(".test.ts");

const sources = new Map<string, string[]>();

/** Whether the code at this place only passes on what it was given: a statement, `tx.run(query)`, or the work of a transaction, `work(tx)`. */
function isForwarded(place: string): boolean {
  const [file = "", line = "", column = ""] = place.split(":");
  const lines = sources.get(file) ?? readFileSync(join(root, file), "utf8").split("\n");
  sources.set(file, lines);
  return /^(\w+(<\w+>)?\(query\)|work\()/.test(lines[Number(line) - 1]?.slice(Number(column) - 1) ?? "");
}
