import { cpSync, rmSync } from "node:fs";
import { isScaled } from "../kit/engine.ts";
import { type Client, client, uncached } from "../kit/client.ts";
import { fillSite, type Records, setDays } from "./content.ts";
import { startCounting } from "./counting.ts";
import type { Line } from "./requests.ts";
import type { Counted } from "./server.ts";

/** What one request costs: what the server counts, and the bytes of its response. */
export type Cost = Counted & Bytes;
type Bytes = { headers: number; body: number };

/** Their length is another one each time. */
const random = new Set(["etag", "x-request-id"]);
const attempts = 6;
/** Of responses from memory on PostgreSQL: transactions of other tests on the same server end them. */
const mostAttempts = 200;
/** By so many objects, one request differs from the next. */
const tolerance = 3;

/** Measures requests to a server that has the same content every time. */
export async function openBudget() {
  const { server, count, close } = await startCounting();
  const [owner, admin] = server.people.map(({ token, userID }) => client(server, token, userID)) as [Client, Client];
  const people = { guest: client(server), owner, admin };
  const records = await fillSite(owner);
  if (!isScaled) setDays(server.dataDir);
  let number = 1000;
  let counted = await count();
  const counting = await measureLeast({ as: "guest", request: "nothing", job: "none" });
  return {
    /** What counting itself costs is subtracted. */
    measure: async (line: Line): Promise<Cost> =>
      line.isFirst ? measureFirst(line) : combine(await measureLeast(line), counting, subtract),
    [Symbol.asyncDispose]: close,
  };

  /** The first request to a server on a copy of the site. What counting costs is counted before. */
  async function measureFirst(line: Line): Promise<Cost> {
    const copy = `${server.dataDir}-copy`;
    cpSync(server.dataDir, copy, { recursive: true });
    const started = await startCounting({ EXISTING_DATA_DIR: copy });
    try {
      const [, before, ready] = [await started.count(), await started.count(), await started.count()];
      const bytes = await send(line, records, started.server.url);
      const own = combine(ready, before, subtract);
      return { ...combine(combine(await started.count(), ready, subtract), own, subtract), ...bytes };
    } finally {
      await started.close();
      rmSync(copy, { recursive: true });
    }
  }

  /** The least of some attempts, because other work of the server can only add to it. */
  async function measureLeast(line: Line): Promise<Cost> {
    const costs: Cost[] = [];
    for (let first = 0; first < (line.isFromMemory ? 3 : 1); first++) await measureOnce(line);
    while (costs.length < attempts && !(isRead(line) && isConfirmed(costs))) costs.push(await measureOnce(line));
    const isEnded = () => isScaled && line.isFromMemory && costs.every((cost) => cost.statements > counting.statements);
    while (costs.length < mostAttempts && isEnded()) costs.push(await measureOnce(line));
    return costs.reduce((least, cost) => combine(least, cost, Math.min));
  }

  async function measureOnce({ prepare, job, ...line }: Line): Promise<Cost> {
    number++;
    const known = prepare ? { ...records, new: await prepare(owner, number, records) } : records;
    const before = prepare ? await count() : counted;
    const bytes = job ? { headers: 0, body: 0 } : await send(line, known);
    counted = await count(job);
    return { ...combine(counted, before, subtract), ...bytes };
  }

  async function send(line: Line, known: Records, url = server.url): Promise<Bytes> {
    const { as, request, body, isFromMemory, isFirst } = line;
    const [method = "", path = ""] = request.replaceAll(/:(\w+)/g, (_, name: string) => `${known[name]}`).split(" ");
    const { token } = people[as];
    const { headers: own, ...content } = body?.(number, known) ?? {};
    const caller = token ? { Authorization: `Bearer ${token}` } : isFromMemory || isFirst ? {} : uncached;
    const headers = { "Accept-Encoding": "identity", ...caller, ...own };
    const response = await fetch(url + path, { method, redirect: "manual", headers, ...content });
    const sent = await response.bytes();
    if (response.status >= 300) throw new Error(`${request} returned ${response.status}.`);
    const fixed = [...response.headers].filter(([name]) => !random.has(name));
    return { headers: fixed.map(([name, value]) => `${name}: ${value}\r\n`).join("").length, body: sent.length };
  }
}

const subtract = (all: number, part: number) => all - part;

/** After as many writes, the database is the same in every run. */
const isRead = ({ request }: Line) => request.startsWith("GET") && !isScaled;

/** Whether the least was measured twice. */
function isConfirmed(costs: Cost[]): boolean {
  const [least = 0, next = Infinity] = costs.map(({ objects }) => objects).toSorted((a, b) => a - b);
  return next - least <= tolerance;
}

function combine<Counts extends Record<string, number>>(
  one: Counts,
  other: Counts,
  merge: (one: number, other: number) => number,
): Counts {
  return Object.fromEntries(Object.keys(one).map((name) => [name, merge(one[name]!, other[name]!)])) as Counts;
}
