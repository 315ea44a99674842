import type { Migration } from "./migrate.ts";

/** What a migration does, in one line: `add column records.place; create index records_by_place`. */
export function describeMigration({ statements }: Migration): string {
  const namesByAction = new Map<string, string[]>();
  for (const statement of statements) {
    const [action, name] = describeStatement(statement.replace(/\s+/g, " "));
    namesByAction.set(action, [...(namesByAction.get(action) ?? []), name]);
  }
  return [...namesByAction].map(([action, names]) => `${action} ${[...new Set(names)].join(", ")}`.trim()).join("; ");
}

const object =
  /^(CREATE|DROP) (?:OR REPLACE |UNIQUE |VIRTUAL |UNLOGGED )?(TABLE|INDEX|TRIGGER|FUNCTION|VIEW) (?:IF (?:NOT )?EXISTS )?(\w+)/;
const column = /^ALTER TABLE (\w+) (ADD|DROP|ALTER|RENAME) COLUMN (\w+)/;
const trigger = /^ALTER TRIGGER (\w+) ON \w+ RENAME/;
const lock = /^LOCK TABLE (\w+)/;
const rows = /^(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE) (\w+)/;

/** The action, and the name of the object it applies to. */
function describeStatement(text: string): [action: string, name: string] {
  const [, verb = "", kind = "", name = ""] = object.exec(text) ?? [];
  if (verb) return [`${verb} ${kind}`.toLowerCase(), name];
  const [, table = "", change = "", field = ""] = column.exec(text) ?? [];
  if (change) return [`${change} column`.toLowerCase(), `${table}.${field}`];
  const [, renamed = ""] = trigger.exec(text) ?? [];
  if (renamed) return ["rename trigger", renamed];
  const [, locked = ""] = lock.exec(text) ?? [];
  if (locked) return ["lock table", locked];
  const [, write = "", target = ""] = rows.exec(text) ?? [];
  if (write) return [write.toLowerCase(), target];
  return [text.slice(0, 60), ""];
}
