// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { describeScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { isLong } from "../kit/long.ts";
import { type Measured, measureStatements } from "../rows/measure.ts";
import { type Limits, type MeasuredRequest, requests, usualLimits } from "../rows/requests.ts";
import { createLargeSite } from "../rows/site.ts";
import type { Site } from "../sql/lists.ts";

/*
 * What requests cost on a large site on PostgreSQL, counted instead of timed: how many statements they send, and how many rows
 * of tables and entries of indexes these read. With TEST_LONG, the site has 100,000 records.
 */

const photos = isLong ? 25_000 : 3000;
const attempts = 30;

describeScaled("on a large site", () => {
  let site: Site;
  let statements: ReturnType<typeof measureStatements>;
  beforeAll(async () => {
    statements = measureStatements();
    site = await createLargeSite(photos);
  });
  afterAll(async () => {
    statements.stop();
    await site?.server.close();
    rmSync(site?.server.dataDir ?? "", { recursive: true, force: true });
  });

  test("every list, page and change sends few statements, which read few rows", async () => {
    const tooMuch: string[] = [];
    for (const request of requests) {
      const limits = { ...usualLimits, ...request.limits?.(photos) };
      let found = await send(request);
      // Jobs of the server, which go on for some time, can only add to it.
      for (let attempt = 1; attempt < attempts && request.method === "GET" && isTooMuch(found, limits); attempt++) {
        await Bun.sleep(100);
        found = await send(request);
      }
      if (isTooMuch(found, limits)) tooMuch.push(describeCost(request, found));
    }
    expect(tooMuch).toEqual([]);
  });

  function send({ who, method, path, body }: MeasuredRequest): Promise<Measured[]> {
    const fill = (text: string) => text.replaceAll(/:([a-z]+)/g, (_, name: string) => String(site.ids[name]));
    const content = body && fill(JSON.stringify(body).replaceAll(/"(:[a-z]+)"/g, "$1"));
    // With a token that is not valid, a guest's request is not answered from memory.
    const sender = who === "guest" ? client(site.server, "none") : site.people[who];
    return statements.measure(async () => {
      const headers = { "Content-Type": "application/json" };
      const { status, body } = await sender.request(method, fill(path), content ? { body: content, headers } : {});
      if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${JSON.stringify(body)}`);
    });
  }
});

const countRows = (found: Measured[]) => found.reduce((sum, { rows }) => sum + rows, 0);

const isTooMuch = (found: Measured[], limits: Limits) =>
  countRows(found) > limits.rows || found.length > limits.statements;

function describeCost({ who, method, path }: MeasuredRequest, found: Measured[]): string {
  const [most] = found.toSorted((one, other) => other.rows - one.rows);
  const statement = most?.text.replaceAll(/\s+/g, " ").slice(0, 400);
  return `${who}: ${method} ${path}: ${found.length} statements, ${countRows(found)} rows; ${most?.rows} of them: ${statement}`;
}
