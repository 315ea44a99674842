/** What PostgreSQL does for each kind of request, counted by itself (pg_stat_statements), on a site with thousands of photos. */
import { SQL } from "bun";
import { readFileSync, writeFileSync } from "node:fs";
import { type Client, client, uncached } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { startPostgres } from "../kit/servers/postgres.ts";
import { create, fillSite, uploadPicture } from "./content.ts";
import { startCounting } from "./counting.ts";

/** Of one request: `log` in bytes, without those of the commit. Statements are also those of triggers and foreign keys. */
export type Work = { plans: number; statements: number; pages: number; log: number };
/** How long PostgreSQL takes for one request, and for the first one on new connections, in milliseconds. */
type Times = { planned: number; executed: number; first: number };

const photos = 3000;
const warmUps = 12;
const counted = 20;

const settings = `
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.track = all
pg_stat_statements.track_planning = on
full_page_writes = off
autovacuum = off
`;

/** Statements that do not belong to a request. */
const ofOthers =
  "^(BEGIN|COMMIT|ROLLBACK|SET|DELETE FROM written_tables)|pg_stat_statements|pg_postmaster_start_time| (programs|leases) ";

const text = "We arrived by train, late in the evening, and walked down to the water. ".repeat(12);

export type Kind = keyof ReturnType<typeof requestsOf>;

function requestsOf(owner: Client, guest: Client, { photo, post, file }: Record<string, number | string>) {
  let number = 0;
  const read = (path: string) => () => guest.get(`/api/v1/${path}`, uncached);
  return {
    "list photos": read("photos"),
    "list by cursor": read("photos?cursor="),
    "list by date": read("photos?sort=takenAt&cursor="),
    "read a photo": read(`photos/${photo}`),
    "read a post": read(`blog/${post}`),
    "list comments": read(`comments?blogPostID=${post}`),
    "create a post": () => owner.post("/api/v1/blog", { title: `Post number ${++number}`, content: text }),
    "create a comment": () => owner.post("/api/v1/comments", { content: `Remark ${++number}`, blogPostID: post }),
    "create a photo": () => owner.post("/api/v1/photos", { title: `Photo ${++number}`, fileID: file }),
    upload: () => owner.upload(`${++number}.txt`, `Text ${number}`, { path: "/a/b" }),
    "sign in": () => guest.post("/signin", { username: "owner", password }),
  };
}

/** Measures all kinds on a PostgreSQL of its own. */
export async function measureWork(): Promise<Map<Kind, Work & Times>> {
  await using postgres = await startPostgres({ settings });
  const { server, close } = await startCounting({
    TEST_ENGINE: "scaled",
    TEST_DATABASE_URL: postgres.url,
    TEST_S3_URL: "",
    TEST_REDIS_URL: "",
  });
  const [{ name }] = await postgres.ask(
    "SELECT datname AS name FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname <> 'postgres' LIMIT 1",
  );
  const database = new SQL(Object.assign(new URL(postgres.url), { pathname: name }).href, { max: 1, prepare: false });
  await database.unsafe("CREATE EXTENSION pg_stat_statements");
  const [person] = server.people;
  const owner = client(server, person?.token ?? null, person?.userID);
  const requests = requestsOf(owner, client(server), await fill(owner, database));
  const measured = new Map<Kind, Work & Times>();
  for (const [kind, send] of Object.entries(requests)) {
    const execute = async () => {
      const { status, body } = await send();
      if (status >= 300) throw new Error(`To ${kind} returned ${status}: ${JSON.stringify(body)}`);
    };
    await database.unsafe("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vitrine'");
    // What finds that its connection has ended is sent again.
    await client(server).get("/api/v1/albums", uncached);
    const first = await measure(database, execute, 1);
    for (let turn = 0; turn < warmUps; turn++) await execute();
    const { planned, executed, ...work } = await measure(database, execute, counted);
    measured.set(kind as Kind, { ...work, planned, executed, first: first.planned + first.executed });
  }
  await database.close();
  await close();
  return measured;
}

/** As many photos as planning depends on, by copies of one: nothing else of them is read. */
async function fill(owner: Client, database: SQL) {
  const records = await fillSite(owner);
  const photo = await create(owner, "photos", { title: "Copied", fileID: await uploadPicture(owner, 99) });
  const columns: { name: string }[] = await database.unsafe(`
    SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'photos' AND column_name <> 'id'`);
  const names = columns.map((column) => column.name).join();
  await database.unsafe(`
    INSERT INTO photos (${names}) SELECT ${names} FROM photos CROSS JOIN generate_series(1, ${photos}) WHERE id = ${photo}`);
  await database.unsafe("VACUUM ANALYZE");
  return records;
}

type Row = Work & { planned: number; executed: number };

async function measure(database: SQL, execute: () => Promise<void>, times: number): Promise<Row> {
  await database.unsafe("SELECT pg_stat_statements_reset()");
  for (let turn = 0; turn < times; turn++) await execute();
  const [row] = await database.unsafe(`
    SELECT sum(plans)::float8 AS plans, sum(calls)::float8 AS statements, sum(total_plan_time) AS planned,
      sum(shared_blks_hit + shared_blks_read) FILTER (WHERE toplevel)::float8 AS pages,
      sum(wal_bytes) FILTER (WHERE toplevel)::float8 AS log, sum(total_exec_time) FILTER (WHERE toplevel) AS executed
    FROM pg_stat_statements
    WHERE query !~ '${ofOthers}' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  return Object.fromEntries(Object.entries(row as Row).map(([name, sum]) => [name, sum / times])) as Row;
}

const file = new URL("postgres.txt", import.meta.url);
export const columns = ["plans", "statements", "pages", "log"] as const;

const introduction = `What PostgreSQL does for each kind of request once its plans are kept, on a site with ${photos} photos. If a change of these
numbers is intended, write them again with "npm run budget".

  plans        that it makes: one per execution is a mistake
  statements   that it executes, also for triggers and foreign keys, without BEGIN and COMMIT
  pages        of tables and indexes that it touches: a difference of 15 % passes
  log          bytes in its write-ahead log, without the commit and without whole pages: a difference of 15 % passes
`;

export function readWork(): Map<string, Work> {
  const [, table = ""] = readFileSync(file, "utf8").split(/\n\n(?=request )/);
  const [, ...lines] = table.trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [kind = "", ...cells] = line.split(/\s{2,}/);
      return [kind, Object.fromEntries(columns.map((name, index) => [name, Number(cells[index])])) as Work];
    }),
  );
}

export function writeWork(measured: Map<string, Work>): void {
  const rows = [...measured].map(([kind, work]) => [kind, ...columns.map((name) => String(Math.round(work[name])))]);
  const table = [["request", ...columns], ...rows];
  const print = ([kind = "", ...cells]: string[]) => kind.padEnd(16) + cells.map((cell) => cell.padStart(12)).join("");
  writeFileSync(file, `${introduction}\n${table.map(print).join("\n")}\n`);
}
