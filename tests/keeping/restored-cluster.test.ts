// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { SQL } from "bun";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { postgresPrograms } from "../kit/servers/daemons.ts";
import { makeMigratedDatabase, scaledWith } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { type PostgresServer, postgresProgram, runAsDaemon, startPostgres } from "../kit/servers/postgres.ts";

const { describe: describeWanted } = scaledWith("PostgreSQL's programs", postgresPrograms !== null);
const scratch = useScratch();
beforeAll(() => chmodSync(scratch, 0o777));
const dump = join(scratch, "site.dump");
const blog = "/api/v1/blog";
const metricsToken = "a token of 24 characters or more";
/** A dump has as many rows of transactions that are still to come on the other server. */
const dumped = 40;
const earlier = 10_000;

describeWanted(
  "a site that was restored on a new PostgreSQL server, from a dump with the transactions of the old one",
  () => {
    let postgres: PostgresServer;
    let database: SQL;
    let copies: TestServer[];
    let writers: Client[];

    beforeAll(async () => {
      const source = await makeMigratedDatabase();
      const site = await startServer({ DATA_DIR: newDirectory(scratch), DATABASE_URL: source });
      const { token } = await person(site, "owner");
      await site.close();
      await leaveRows(source);
      await run("pg_dump", "--format=custom", `--file=${dump}`, source);
      await run("pg_dump", "--format=custom", "--no-unlogged-table-data", `--file=${dump}.without`, source);

      postgres = await startPostgres({ settings: "autovacuum = off\nmax_connections = 60" });
      await run("pg_restore", "--no-owner", "--exit-on-error", `--dbname=${postgres.url}`, dump);
      await moveCounter(postgres, (await readRows(postgres.url)).lowest - 2000n);
      const env = { DATABASE_URL: postgres.url, STORAGE_URL: "", METRICS_TOKEN: metricsToken };
      copies = [];
      for (let copy = 0; copy < 2; copy++) copies.push(await startServer({ ...env, DATA_DIR: newDirectory(scratch) }));
      writers = copies.map((copy) => client(copy, token));
      database = new SQL(postgres.url, { max: 1 });
    });
    afterAll(async () => {
      await database?.close();
      for (const copy of copies ?? []) await copy.close();
      await postgres?.[Symbol.asyncDispose]();
    });

    test("has none of those left after its start, and a dump as documented has none", async () => {
      expect((await readRows(postgres.url)).future).toBe(0);
      const rowsOf = (file: string) => run("pg_restore", "--data-only", "--table=written_tables", "--file=-", file);
      expect((await rowsOf(dump)).match(/^\d+\t/gm)?.length).toBeGreaterThanOrEqual(dumped);
      expect((await rowsOf(`${dump}.without`)).match(/^\d+\t/gm)).toBeNull();
    });

    test("does not take one of those for what another program has written", async () => {
      const { body: post } = await (writers[0] as Client).post(blog, { title: "-", content: "…" });
      const read = async () => (await guest(writers[1]).get(`${blog}/${post.id}`)).body.title;
      // In one round at least, no other transaction gets the id.
      for (let round = 0; round < 5; round++) {
        await addRows(database, 1);
        for (let time = 0; time < 3; time++) await read();
        await database`UPDATE posts SET title = ${`${round}`} WHERE id = ${post.id}`;
        expect(await read()).toBe(`${round}`);
      }
    });

    test("writes without a conflict when it reaches them, and shows what was written at once", async () => {
      await addRows(database, dumped);
      const { body: post } = await (writers[0] as Client).post(blog, { title: "0", content: "…" });
      for (let round = 0; (await readRows(postgres.url)).future > 0; round++) {
        const [writer, other] = round % 2 ? writers : writers.toReversed();
        // From the third time on, this comes from memory.
        for (let time = 0; time < 3; time++) await guest(other).get(`${blog}/${post.id}`);
        // Every third write is one of another program, which does not say what it has written.
        if (round % 3 === 0) await database`UPDATE posts SET title = ${`${round}`} WHERE id = ${post.id}`;
        else expect((await writer?.put(`${blog}/${post.id}`, { title: `${round}` }))?.status).toBe(200);
        expect((await guest(other).get(`${blog}/${post.id}`)).body.title).toBe(`${round}`);
      }
      for (const copy of copies) {
        const { body: metrics } = await client(copy).get("/metrics", { Authorization: `Bearer ${metricsToken}` });
        expect(metrics).toContain('vitrine_database_retries_total{reason="conflict"} 0\n');
      }
    });
  },
);

const guest = (like: Client | undefined) => client({ url: like?.url("") ?? "" });

const run = (name: string, ...words: string[]) => runAsDaemon(scratch, postgresProgram(name), ...words);

/** What many writes leave, on a server that has had more transactions than the other one will have. */
async function leaveRows(url: string): Promise<void> {
  const database = new SQL(url, { max: 1 });
  await database`DELETE FROM written_tables`;
  await database.unsafe(`
    DO $$ BEGIN FOR n IN 1..${earlier} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
      FOR n IN 1..${dumped} LOOP INSERT INTO written_tables (tables) VALUES ('sessions'); COMMIT; END LOOP; END $$`);
  await database.close();
}

/** As if rows for the next transactions had come after the start. The first one adds them. */
const addRows = (database: SQL, rows: number) =>
  database.unsafe(`
    INSERT INTO written_tables (transaction_id, tables)
    SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + n)::text::xid8, 'sessions'
    FROM generate_series(1, ${rows}) AS n`);

/** The lowest id of a row, and how many rows have ids that the server has not given yet. */
async function readRows(url: string): Promise<{ lowest: bigint; future: number }> {
  const database = new SQL(url, { max: 1 });
  const [{ lowest, future }] = await database`
    SELECT min(transaction_id)::text AS lowest,
      count(*) FILTER (WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))::int AS future
    FROM written_tables`;
  await database.close();
  return { lowest: BigInt(lowest ?? 0), future };
}

const [idsPerSegment, segmentBytes] = [2 ** 20, 2 ** 18];

/** Lets the server go on with this transaction, for whose state it needs a file. */
async function moveCounter({ data, run, start, stop }: PostgresServer, to: bigint) {
  await stop("fast");
  const name = Math.floor(Number(to) / idsPerSegment)
    .toString(16)
    .toUpperCase()
    .padStart(4, "0");
  const segment = join(data, "pg_xact", name);
  if (existsSync(segment)) truncateSync(segment, segmentBytes);
  else writeFileSync(segment, new Uint8Array(segmentBytes), { mode: 0o666 });
  chmodSync(segment, 0o666);
  await run("pg_resetwal", "-x", `${to}`);
  await start();
}
