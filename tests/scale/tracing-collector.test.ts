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
  const { requests, span } = createSpans((one) => spans.push(one));
  const work = { name: "work", attributes: {} };
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
  const { requests, span } = createSpans((one) => spans.push(one));
  const fail = (_query?: unknown): never => {
    throw new TypeError(secret);
  };
  const { later } = observeStatements(span)("sqlite", { later: fail });
  await requests.run(null, async () => {
    expect(() => later(sql`DELETE FROM posts WHERE id = ${1}`)).toThrow(secret);
    const failed = await span({ name: "work", attributes: {} }, async () => fail()).catch(
      (error: Error) => error.message,
    );
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

test("what a collector does not take is dropped and counted, and the log says so once; the rest is sent when it closes", async () => {
  await using own = startCollector();
  let logged = "";
  const log = createLog("info", { pretty: false, output: { write: (text) => ((logged += text), true), close() {} } });
  const count = (text: string) => (log.flush(), logged.split(text).length - 1);
  const exporter = createExporter({ endpoint: own.url, headers: {}, delayMs: 5 }, {}, log);
  const add = (spans: number) => {
    for (let number = 0; number < spans; number++) exporter.add(span);
  };
  const release = own.hold();
  add(10_000);
  release();
  await until(() => own.spans.length === 256 + 2048);
  own.respondWith(503);
  add(256);
  await until(() => count("status 503") === 1);
  own.respondWith(200);
  add(700);
  await exporter.close();
  expect(own.spans).toHaveLength(256 + 2048 + 700);
  expect(count("spans are dropped")).toBe(2);
  expect(count("works again")).toBe(2);
  expect(count(`"spans":${10_000 - 2048}`)).toBe(1);
});

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

test("without a collector, the database stays as it is", async () => {
  const db = {} as never;
  const tracing = await openTracing(readConfig({}).tracing, createLog("silent"));
  expect(tracing.requests).toBeNull();
  expect(tracing.database(db)).toBe(db);
});
