import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { insertComment } from "../src/content/comments/store.ts";
import { newPostSchema } from "../src/content/blog/post.ts";
import { insertPost } from "../src/content/blog/write.ts";
import { schemaOf } from "../src/module.ts";
import { modules } from "../src/modules.ts";
import { getPhoto, listPhotos } from "../src/content/photos/store.ts";
import type { Database, Queries } from "../src/platform/database/database.ts";
import { openPostgres } from "../src/platform/database/postgres.ts";
import { type Sql, sql } from "../src/platform/database/sql.ts";
import { measureDatabaseCost, metricsToken } from "../tests/kit/database-cost.ts";
import { findCaller } from "../src/core/users/sessions.ts";
import type { Plan as DriverPlan, Script, Statement } from "./servers/driver-server.ts";
import { hasLargeEngines, largeEngines, startCopy } from "./servers/vitrine.ts";
import { type MeasuredServer, photo, post, type Target } from "./operations.ts";
import { startGenerator } from "./generator/generator.ts";
import { counter } from "./generator/job.ts";
import { bun, startServer } from "./processes.ts";
import { ask, type Call, getUncached, postJSON } from "./request.ts";
import { measure, type Plan, progress } from "./rounds.ts";
import { missingRow, rateOf, ratios, type Row, rowOf } from "./row.ts";
import { layOut, renderRates } from "./table.ts";

const photoCount = 100;
/** Recordings per operation, because counts that many writers change are spread over rows at random. */
const recordings = 32;
const firstRecorded = 1_000_000_007;

const titles = {
  list: "LIST, true miss",
  get: "GET, true miss",
  create: "CREATE a post",
  comment: "COMMENT on a post",
};
type Name = keyof typeof titles;
type Site = { url: string; port: number; token: string; userID: number; photoIDs: number[]; postID: number };

const phases: Name[][] = [
  ["list", "get"],
  ["create", "comment"],
];

export async function postgres(directory: string, plan: Plan): Promise<void> {
  const { turns, roundTrips } = await measureTurns(directory, plan);
  console.log(`\n${layOut([["", "statements", "round trips"], ...roundTrips])}`);
  console.log(`\nRequests per second, median of ${plan.rounds} rounds, and Vitrine's ratio to the bare driver:\n`);
  const comparison = { title: "to the driver", of: "Vitrine", to: "driver" };
  console.log(renderRates(titles, turns, ["Vitrine", "driver"], [comparison]));
}

export async function measurePostgres(directory: string, plan: Plan): Promise<Row[]> {
  const describe = (name: Name) => ({
    name: `${titles[name]} on PostgreSQL`,
    unit: "rate, Vitrine / the bare driver",
    goal: { atLeast: 0.8 },
  });
  if (!hasLargeEngines()) {
    const note = "needs PostgreSQL, S3 and Redis: bin/test-servers";
    return phases.flat().map((name) => missingRow(describe(name), note));
  }
  const { turns } = await measureTurns(directory, plan);
  return phases.flat().map((name) => {
    const { Vitrine = [], driver = [] } = turns[name];
    return rowOf(describe(name), ratios(Vitrine, driver, rateOf));
  });
}

/** Vitrine on PostgreSQL, and a server that only sends the same statements through the driver. */
async function measureTurns(directory: string, plan: Plan) {
  const engines = await largeEngines();
  const dataDir = join(directory, "vitrine");
  const { port, pid } = await startCopy(dataDir, { ...engines, METRICS_TOKEN: metricsToken });
  progress("filling the site");
  const site = await fill(port);
  const calls = callsOf(site);
  const roundTrips = await countRoundTrips(site, calls);
  const vitrine = { name: "Vitrine", pid, targets: targetsOf(port, calls) };
  const driver = await startDriver(directory, engines.DATABASE_URL ?? "", site, vitrine);
  return { turns: await measure<Name>(startGenerator(), [vitrine, driver], phases, plan), roundTrips };
}

async function fill(port: number): Promise<Site> {
  const url = `http://127.0.0.1:${port}`;
  const send = <Body>(path: string, json: unknown) => ask<Body>(`${url}${path}`, { method: "POST", token, json });
  const user = { username: "bench", password: "correct horse battery" };
  let token = "";
  await send("/signup", user);
  const session = await send<{ token: string; user: { id: number } }>("/signin", user);
  token = session.token;
  const form = new FormData();
  form.set("path", "/photos/2026");
  form.set("file", new File(["bytes"], "photo.bin"));
  const file = await ask<{ id: number }>(`${url}/api/v1/files`, { method: "POST", token, form });
  const photoIDs: number[] = [];
  for (let number = 1; number <= photoCount; number++) {
    photoIDs.push((await send<{ id: number }>("/api/v1/photos", { ...photo(number), fileID: file.id })).id);
  }
  const { id: postID } = await send<{ id: number }>("/api/v1/blog", post("0"));
  return { url, port, token, userID: session.user.id, photoIDs, postID };
}

function callsOf({ token, photoIDs, postID }: Site): Record<Name, Call[]> {
  return {
    list: [getUncached("/api/v1/photos?page=1")],
    get: photoIDs.map((id) => getUncached(`/api/v1/photos/${id}`)),
    create: [postJSON("/api/v1/blog", token, post(counter))],
    comment: [postJSON("/api/v1/comments", token, { blogPostID: postID, content: `A remark, ${counter}.` })],
  };
}

function targetsOf(port: number, calls: Record<Name, Call[]>): Record<Name, Target> {
  const entries = Object.entries(calls).map(([name, calls]) => {
    return [name, { port, calls, status: calls[0]?.method === "GET" ? 200 : 201 }];
  });
  return Object.fromEntries(entries) as Record<Name, Target>;
}

async function countRoundTrips(site: Site, calls: Record<Name, Call[]>): Promise<string[][]> {
  const rows: string[][] = [];
  for (const name of Object.keys(titles) as Name[]) {
    let number = 0;
    const call = calls[name][0] as Call;
    const cost = await measureDatabaseCost(site.url, 5, () => send(site.url, call, number++));
    rows.push([titles[name], String(cost.statements), String(cost.roundTrips)]);
  }
  return rows;
}

async function send(url: string, { method, path, headers, body }: Call, number: number): Promise<string> {
  const fill = (text: string) => text.replaceAll(counter, String(number).padStart(counter.length, "9"));
  const init = { method, headers, ...(body && { body: fill(Buffer.from(body).toString()) }) };
  const response = await fetch(`${url}${fill(path)}`, init);
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
  return response.text();
}

async function startDriver(
  directory: string,
  databaseURL: string,
  site: Site,
  model: MeasuredServer<Name>,
): Promise<MeasuredServer<Name>> {
  const scripts = await record(databaseURL, site);
  const plan: DriverPlan = { databaseURL, operations: {} };
  for (const name of Object.keys(titles) as Name[]) {
    const { calls, status } = model.targets[name] as Target;
    plan.operations[name] = { status, text: await send(site.url, calls[0] as Call, 99), scripts: scripts[name] };
  }
  const path = join(directory, "driver.json");
  writeFileSync(path, JSON.stringify(plan));
  const { printed, pid } = await startServer(bun(new URL("servers/driver-server.ts", import.meta.url), path), {
    on: "stdout",
    pattern: /Listening: (.+)\n/,
  });
  const ports = JSON.parse(printed) as Record<Name, number>;
  const targets = Object.entries(model.targets).map(([name, target]) => [
    name,
    { ...target, port: ports[name as Name] },
  ]);
  return { name: "driver", pid, targets: Object.fromEntries(targets) as Record<Name, Target> };
}

/** The statements that Vitrine sends for each request, as the driver receives them. */
async function record(databaseURL: string, { token, userID, photoIDs, postID }: Site): Promise<Record<Name, Script[]>> {
  const db = await openPostgres(databaseURL, { schema: schemaOf(modules) });
  const { jti } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { jti: string };
  // Ids that no other value in a statement is equal to.
  for (const table of ["posts", "comments"])
    await db.get(sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${firstRecorded}) AS id`);
  const owner = { id: userID, username: "bench", role: "author" } as const;
  const repeat = (count: number, work: (db: Database, number: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, number) => recordOne(db, (recorded) => work(recorded, number))));
  const scripts = {
    list: await repeat(1, (recorded) => listPhotos(recorded, null, { offset: 0, size: 10 })),
    get: await repeat(photoIDs.length, (recorded, index) => getPhoto(recorded, null, photoIDs[index] as number)),
    create: await repeat(recordings, async (recorded, number) => {
      await findCaller(recorded, jti, userID);
      await recorded.transaction((tx) => insertPost(tx, owner, newPostSchema.parse(post(String(number))), null));
    }),
    comment: await repeat(recordings, async (recorded, number) => {
      await findCaller(recorded, jti, userID);
      await recorded.transaction((tx) =>
        insertComment(tx, owner, { blogPostID: postID, parentID: null, content: `A remark, ${number}.` }),
      );
    }),
  };
  await db.close();
  return scripts;
}

async function recordOne(db: Database, work: (db: Database) => Promise<unknown>): Promise<Script> {
  const script: Script = { reads: [], writes: [], id: null, slug: null };
  const listen =
    <Result>(statements: Statement[], send: (query: Sql) => Result) =>
    (query: Sql) => {
      const text = query.text.reduce((before, piece, index) => `${before}$${index}${piece}`);
      statements.push({ text, values: query.values });
      if (text.includes("INTO post_slugs")) script.slug = String(query.values[0]);
      return send(query);
    };
  const listenForID =
    (send: (query: Sql) => Promise<unknown>) =>
    async (query: Sql): Promise<unknown> => {
      const result = await send(query);
      const row = (Array.isArray(result) ? result[0] : result) as { id?: number } | null | undefined;
      script.id ??= row?.id ?? null;
      return result;
    };
  const listenToAll = (tx: Queries): Queries => ({
    ...tx,
    all: listen(script.writes, listenForID(tx.all)) as Queries["all"],
    get: listen(script.writes, listenForID(tx.get)) as Queries["get"],
    run: listen(script.writes, tx.run),
    later: listen(script.writes, tx.later),
  });
  await work({
    ...db,
    all: listen(script.reads, db.all) as Database["all"],
    get: listen(script.reads, db.get) as Database["get"],
    transaction: (run, options) => db.transaction((tx) => run(listenToAll(tx)), options),
  });
  return script;
}
