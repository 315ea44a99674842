import { SQL } from "bun";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../src/engines.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { observe } from "../../src/platform/database/observe.ts";
import { print } from "../../src/platform/database/postgres-statements.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";
import { isScaled } from "../kit/engine.ts";
import { serverConfig, startServer, type TestServer } from "../kit/server.ts";
import { fillLargeSite, filledTables } from "../sql/large-site.ts";
import { layOut } from "../sql/lay-out.ts";
import { createSite, lists, type Site } from "../sql/lists.ts";
import { explainPlan } from "../sql/plans.ts";

/*
 * The statements that lists send, and their plans, are files in `tests/sql`, for each engine. After a change of a statement,
 * `npm run sql` writes them again; the difference is part of the review.
 */

const engine = isScaled ? "postgres" : "sqlite";
const isWriting = process.env.WRITE_SQL === "true";

let site: Site;
let large: TestServer;
let db: Database;
let version: string;
let sent: Sql[] = [];

beforeAll(async () => {
  const stop = observe((_engine, queries) => ({
    ...queries,
    ...(queries.all && { all: <Row>(query: Sql) => (sent.push(query), queries.all!<Row>(query)) }),
    ...(queries.get && { get: <Row>(query: Sql) => (sent.push(query), queries.get!<Row>(query)) }),
  }));
  site = await createSite();
  stop();
  large = await startServer();
  const config = await serverConfig(large);
  db = await openDatabase(config);
  await fillLargeSite(db);
  if (config.database.engine === "postgres") await vacuum(config.database.url);
  version = await readVersion();
}, 180_000);
afterAll(async () => {
  await db.close();
  await large.close();
  await site.server.close();
});

test.each(Object.entries(lists))("%s: the statements and their plans are those in the file", async (name, requests) => {
  const file = fileURLToPath(new URL(`../sql/${engine}/${name}.sql`, import.meta.url));
  const text = await describeRequests(requests);
  if (isWriting) writeFileSync(file, text);
  const expected = readFileSync(file, "utf8");
  // Another version of the engine may plan in another way.
  const isComparable = expected.startsWith(versionLine());
  if (!isComparable) console.warn(`Not compared: the plans in ${file}, because this is ${version}.`);
  const compared = (text: string) => (isComparable ? text : text.replaceAll(/^--.*\n/gm, ""));
  expect(compared(text)).toBe(compared(expected));
});

/** PostgreSQL plans by statistics, which it would otherwise collect at some time. */
async function vacuum(url: string): Promise<void> {
  const connection = new SQL(url, { max: 1 });
  await connection.unsafe(`VACUUM ANALYZE ${filledTables.join(", ")}`);
  await connection.close();
}

const versionLine = () => `-- The plans are those of ${version}.\n`;

/** `SQLite 3.53`, `PostgreSQL 15`: the part of the version that may change plans. */
async function readVersion(): Promise<string> {
  const name = db.engine === "sqlite" ? sql`SELECT sqlite_version() AS version` : sql`SELECT version() AS version`;
  const { version = "" } = (await db.get<{ version: string }>(name)) ?? {};
  return db.engine === "sqlite" ? `SQLite ${version.split(".", 2).join(".")}` : version.replace(/^(\w+ \d+).*$/s, "$1");
}

async function describeRequests(requests: (typeof lists)[string]): Promise<string> {
  const known = new Map<string, number>();
  let text = versionLine();
  for (const [who, path] of requests) {
    text += `\n\n-- GET ${path}, as ${who === "guest" ? "a guest" : `the ${who}`}\n`;
    for (const query of await recordStatements(who, path)) {
      const printed = layOut(print(query.text));
      const number = known.get(printed);
      if (number === undefined) known.set(printed, known.size + 1);
      text += number ? `-- Statement ${number}\n` : `\n-- Statement ${known.size}\n${printed}\n${await planOf(query)}`;
    }
  }
  return text;
}

/** Sent by the removal of unused bytes, which may go on during all attempts. */
const ofSweeps = /\bblob_holds\b/;

/**
 * What this request sends every time, in the order that is most common. What it starts in the background, and jobs, may send other
 * statements beside it.
 */
async function recordStatements(who: Parameters<Site["read"]>[0], path: string): Promise<Sql[]> {
  const attempts: Sql[][] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    sent = [];
    await site.read(who, path);
    attempts.push(sent.filter(({ text }) => !ofSweeps.test(print(text))));
  }
  const always = attempts.toReversed().map((queries) => {
    const others = attempts.filter((one) => one !== queries);
    const counts = others.map((other) => Map.groupBy(other, ({ text }) => print(text)));
    return queries.filter(({ text }) => counts.every((found) => found.get(print(text))?.pop()));
  });
  const orders = [...Map.groupBy(always, (queries) => queries.map(({ text }) => print(text)).join("\n")).values()];
  return orders.toSorted((one, other) => other.length - one.length)[0]?.[0] ?? [];
}

const planOf = async (query: Sql) => (await explainPlan(db, query)).map((line) => `--   ${line}\n`).join("");
