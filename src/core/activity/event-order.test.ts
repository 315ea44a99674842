import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { engineEnv, testScaled } from "../../../tests/kit/engine.ts";
import { openEvents, type StreamEvent, waitUntilSettled } from "../../../tests/kit/event-reader.ts";
import { client } from "../../../tests/kit/client.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

const scratch = useScratch();

const api = "/api/v1";
const isReady = ({ event }: StreamEvent) => event === "ready";

describe("events of other transactions and copies", () => {
  // On SQLite, transactions commit in the order in which they begin.
  testScaled("a change that commits after a later one is not lost", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const { body: early } = await owner.post(`${api}/blog`, { title: "Early", content: "…" });
    await waitUntilSettled(server);
    await using reader = await openEvents(server.url);
    await reader.until(isReady);
    const late = await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        // This takes an id and a place in the order, but others do not see it yet.
        await tx.run(sql`INSERT INTO activity (created_at, record_id, was_public, kind, action, name)
          VALUES (${Date.now()}, ${early.id}, 1, 'post', 'changed', 'Early')`);
        const { body } = await owner.post(`${api}/blog`, { title: "Late", content: "…" });
        await Bun.sleep(1000);
        return body;
      }),
    );
    const events = [await reader.next(), await reader.next()];
    expect(events.map(({ data }) => `${data.recordID} ${data.action}`)).toEqual([
      `${early.id} changed`,
      `${late.id} created`,
    ]);
    await using resumed = await openEvents(server.url, { lastEventID: events[0]?.id as string });
    expect((await resumed.next()).data.recordID).toBe(late.id);
  });

  testScaled("a change at one copy is an event at the other, where a client can also resume", async () => {
    const startCopy = async () => startVitrine({ ...(await engineEnv("events")), DATA_DIR: newDirectory(scratch) });
    await using first = await startCopy();
    await using second = await startCopy();
    await client(first).post("/signup", { username: "writer", password });
    const { token } = (await client(first).post("/signin", { username: "writer", password })).body;
    const write = async (title: string) =>
      (await client(first, token).post(`${api}/blog`, { title, content: "…" })).body;
    const reader = await openEvents(second.url);
    await reader.until(isReady);
    const one = await write("One");
    const seen = await reader.next();
    expect(seen.data).toMatchObject({ kind: "post", recordID: one.id, action: "created" });
    await reader.close();
    const two = await write("Two");
    await using resumed = await openEvents(first.url, { lastEventID: seen.id });
    const more = await resumed.until(({ event }) => event === "message");
    expect(more.at(-1)?.data.recordID).toBe(two.id);
  });

  test("a site that was moved or restored from elsewhere continues", async () => {
    const dataDir = newDirectory(scratch);
    const server = await startServer({ DATA_DIR: dataDir });
    const owner = await person(server, "owner");
    await owner.post(`${api}/blog`, { title: "There", content: "…" });
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE activity SET transaction_id = ${2 ** 48} + id`)),
    );
    await server.close();
    await using moved = await startServer({ DATA_DIR: dataDir });
    await using unknown = await openEvents(moved.url, { lastEventID: `${2 ** 48 + 1}-1` });
    expect((await unknown.until(isReady)).map(({ event }) => event)).toEqual(["reload", "ready"]);
    const { body } = await client(moved, owner.token).post(`${api}/blog`, { title: "Here", content: "…" });
    expect((await unknown.next()).data.recordID).toBe(body.id);
  });
});

describe("a client that does not read", () => {
  testLong("is disconnected before much is kept for it, and others do not wait", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const [quick, slow] = [await listen(server.url), await listen(server.url)];
    slow.socket.pause();
    const rows = 100_000;
    await withDatabase(server, (db) =>
      db.transaction(
        (tx) =>
          tx.run(sql`
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
            INSERT INTO activity (created_at, record_id, was_public, kind, action, name)
            SELECT CAST(${Date.now()} AS BIGINT), n, 1, 'album', 'trashed', '' FROM numbers`),
        { isLong: true },
      ),
    );
    await quick.wait(`"recordID":${rows},`);
    slow.socket.resume();
    await slow.closed;
    // Each event has more than 100 bytes.
    expect(quick.received()).toBeGreaterThan(rows * 100);
    expect(slow.received()).toBeLessThan(rows * 100);
    const { body } = await owner.post(`${api}/blog`, { title: "Still here", content: "…" });
    await quick.wait(`"kind":"post","recordID":${body.id},`);
    quick.socket.destroy();
  });
});

/** Reads events from a plain connection, whose buffers are those of the system. */
async function listen(url: string) {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  let [received, tail] = [0, ""];
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    received += bytes.length;
    tail = (tail + bytes.toString()).slice(-100_000);
  });
  const wait = (text: string) => until(() => tail.includes(text));
  socket.write(`GET ${api}/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await wait("event: ready");
  return { socket, closed, wait, received: () => received };
}
