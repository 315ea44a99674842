// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { describe, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/platform/log.ts";
import { createExporter } from "../../src/platform/tracing/export.ts";
import { openTracing } from "../../src/platform/tracing/open.ts";
import type { Span } from "../../src/platform/tracing/otlp.ts";
import { createSpans } from "../../src/platform/tracing/spans.ts";
import { observeStatements } from "../../src/platform/tracing/statements.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { client, uncached } from "../kit/client.ts";
import { startServer } from "../kit/server.ts";
import { startCollector } from "../kit/servers/trace-collector.ts";
import { until } from "../kit/until.ts";

/** A value that must not leave the server. */
const secret = "Marienkäfer-7319";

describe("requests are not disturbed by a collector that", () => {
  const read = async (url: string) => {
    const other = await startServer({ OTEL_BSP_SCHEDULE_DELAY: "10", OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const statuses = new Set<number>();
    for (let number = 0; number < 200; number++)
      statuses.add((await client(other).get("/api/v1/photos", uncached)).status);
    const logged = () =>
      other
        .logged()
        .split("\n")
        .filter((line) => line.includes("collector"));
    return { other, statuses: [...statuses], logged };
  };

  test("does not respond, and the server still stops", async () => {
    await using own = startCollector();
    const release = own.hold();
    const { other, statuses } = await read(own.url);
    expect(statuses).toEqual([200]);
    await other.close();
    expect(other.logged()).toContain("spans were dropped");
    release();
  });

  test("refuses, which is logged once", async () => {
    await using own = startCollector();
    own.respondWith(503);
    const { other, statuses, logged } = await read(own.url);
    await other.close();
    expect(statuses).toEqual([200]);
    expect(logged().filter((line) => line.includes("failed"))).toHaveLength(1);
    expect(logged().join("")).toContain("status 503");
  });

  test("is unavailable, which is logged once", async () => {
    const { other, statuses, logged } = await read("http://127.0.0.1:9");
    await other.close();
    expect(statuses).toEqual([200]);
    expect(logged().filter((line) => line.includes("failed"))).toHaveLength(1);
  });
});

test("a request has at most 500 spans, and none after its response", async () => {
  const spans: Span[] = [];
  const { requests, span } = createSpans({ ratio: 1, followsParent: true }, (one) => spans.push(one));
  const work = { name: "work" };
  await span(work, async () => {});
  await requests.run(null, async () => {
    for (let number = 0; number < 600; number++) await span(work, async () => {});
    requests.end(null, "GET", 200);
    await span(work, async () => {});
  });
  expect(spans).toHaveLength(501);
  expect(spans.at(-1)).toMatchObject({ kind: "server", attributes: { "vitrine.spans_left_out": 100 } });
});

test("what fails in a span fails as it would without one, and its message is not recorded", async () => {
  const spans: Span[] = [];
  const { requests, span } = createSpans({ ratio: 1, followsParent: true }, (one) => spans.push(one));
  const fail = (_query?: unknown): never => {
    throw new TypeError(secret);
  };
  const { later } = observeStatements(span)("sqlite", { later: fail });
  await requests.run(null, async () => {
    expect(() => later(sql`DELETE FROM posts WHERE id = ${1}`)).toThrow(secret);
    const failed = await span({ name: "work" }, async () => fail()).catch((error: Error) => error.message);
    expect(failed).toBe(secret);
  });
  expect(spans.map(({ name, isFailure }) => [name, isFailure])).toEqual([
    ["DELETE posts", true],
    ["work", true],
  ]);
  expect(spans[0]?.attributes).toMatchObject({
    "error.type": "TypeError",
    "db.query.text": "DELETE FROM posts WHERE id = ?",
  });
  expect(JSON.stringify(spans)).not.toContain(secret);
});

describe("the queue of spans", () => {
  const span: Span = {
    traceID: "0af7651916cd43dd8448eb211c80319c",
    spanID: "b7ad6b7169203331",
    parentSpanID: null,
    name: "GET",
    kind: "server",
    started: 1,
    ended: 2,
    attributes: {},
    isFailure: false,
  };
  const open = (url: string, delayMs: number) => {
    let logged = "";
    const write = (text: string) => ((logged += text), true);
    const log = createLog("info", { pretty: false, output: { write, close() {} } });
    const exporter = createExporter({ endpoint: url, headers: {}, delayMs }, {}, log);
    const count = (text: string) => (log.flush(), logged.split(text).length - 1);
    return { ...exporter, count };
  };

  test("is bounded: what does not fit is dropped, counted and logged once", async () => {
    await using own = startCollector();
    const release = own.hold();
    const { add, close, count } = open(own.url, 5);
    for (let number = 0; number < 10_000; number++) add(span);
    release();
    await close();
    expect(own.spans).toHaveLength(2048);
    expect(count("spans are dropped")).toBe(1);
    expect(count(`"spans":${10_000 - 2048}`)).toBe(1);
  });

  test("keeps what a failing collector could not take, until it works again", async () => {
    await using own = startCollector();
    own.respondWith(503);
    const { add, close, count } = open(own.url, 5);
    for (let number = 0; number < 300; number++) add(span);
    await until(() => own.headers.length >= 3);
    own.respondWith(200);
    await until(() => own.spans.length >= 300);
    expect([count("the trace collector failed"), count("the trace collector works again")]).toEqual([1, 1]);
    await close();
    expect(own.spans).toHaveLength(300);
  });

  test("drops what a collector does not accept", async () => {
    await using own = startCollector();
    own.respondWith(400);
    const { add, close, count } = open(own.url, 5);
    add(span);
    await until(() => own.headers.length >= 1);
    await close();
    expect(own.headers).toHaveLength(1);
    expect(count('"spans":1')).toBe(1);
  });

  test("is sent when the server stops", async () => {
    await using own = startCollector();
    const { add, close } = open(own.url, 600_000);
    for (let number = 0; number < 700; number++) add(span);
    await close();
    expect(own.spans).toHaveLength(700);
  });
});

test("without a collector, every part of the server stays as it is", async () => {
  const part = {} as never;
  const tracing = await openTracing(readConfig({}).tracing, createLog("silent"));
  expect(tracing.requests).toBeNull();
  for (const name of ["database", "blobs", "decoder", "renderer"] as const) expect(tracing[name](part)).toBe(part);
});
