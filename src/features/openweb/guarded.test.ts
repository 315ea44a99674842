import { expect, test } from "bun:test";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { startReceiver } from "../../../tests/kit/servers/webhook-receiver.ts";
import { readPage } from "../../platform/outgoing/page.ts";
import type { Addresses } from "../../platform/outgoing/begin-request.ts";
import { PostError } from "../../platform/outgoing/post.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";

const home = "http://site.example";
const server = useServer({ BASE_URL: home, WEBHOOK_ALLOW_PRIVATE: "true" });
const { owner, admin, guest } = server.people();

test("no page of this machine or its network is read or told, whatever names it", async () => {
  await using inside = startReceiver();
  const { port } = new URL(inside.url);
  await admin.put("/api/v1/settings", { webmentions: true, webSubHub: `http://localhost:${port}/hub` });
  const hosts = [
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "127.0.0.1.",
  ];
  const links = hosts.map((host) => `[${host}](http://${host}:${port}/told)`).join(" ");
  const { body: post } = await owner.post("/api/v1/blog", { title: "Post", content: links });
  for (const host of hosts) {
    const body = { source: `http://${host}:${port}/page`, target: `${home}/blog/${post.slug}` };
    expect([host, (await guest.post("/webmention", body)).status]).toEqual([host, 202]);
  }
  // All of it was tried, and given up at once.
  const count = (rows: Sql) =>
    withDatabase(server, async (db) => (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows ${rows}`))?.rows);
  await until(
    async () => [await count(sql`FROM told_links`), await count(sql`FROM tasks WHERE queue = 'open web'`)],
    ([told, waiting]) => told !== 0 && waiting === 0,
  );
  expect(inside.received).toEqual([]);
  expect((await owner.get("/api/v1/comments/queue")).body).toEqual([]);
});

test("every address on the way to a page is looked up and checked", async () => {
  await using there = startReceiver();
  const { port } = new URL(there.url);
  there.responses.push(
    new Response("", { status: 302, headers: { Location: `http://inside.example:${port}/secret` } }),
  );
  const asked: string[] = [];
  const findAddresses = async (name: string): Promise<Addresses> => {
    asked.push(name);
    if (name === "inside.example") throw new PostError("inside.example is not a public address.");
    return [{ address: "127.0.0.1", family: 4 }];
  };
  const options = { maxBytes: 1000, allowPrivate: true, signal: new AbortController().signal, findAddresses };
  const reading = readPage(new URL(`http://outside.example:${port}/`), options);
  expect(reading).rejects.toThrow("inside.example is not a public address.");
  await reading.catch(() => {});
  expect(asked).toEqual(["outside.example", "inside.example"]);
  expect(there.received.length).toBe(1);
});
