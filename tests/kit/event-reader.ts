import { sql } from "../../src/platform/database/sql.ts";
import { isScaled } from "./engine.ts";
import { until } from "./until.ts";
import { type TestServer, withDatabase } from "./server.ts";

/** One event of a stream: `event` is `message` unless the stream names another one. */
export type StreamEvent = { id: string; event: string; data: any };

type StreamEnd = "complete" | "cut off";

export type EventReader = {
  /** The next event; fails if none comes in time, or if the stream ends. */
  next(timeoutMs?: number): Promise<StreamEvent>;
  /** The next events up to the one that matches. */
  until(isLast: (event: StreamEvent) => boolean): Promise<StreamEvent[]>;
  /** Resolves when the stream has ended: completely, or because its connection was closed. */
  ended: Promise<StreamEnd>;
  response: Response;
  lastEventID(): string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Options = { token?: string | null; lastEventID?: string; headers?: Record<string, string> };

/** Reads the events of a server with fetch, as a client would. The first event, `ready`, has been read. */
export async function openEvents(url: string, { token, lastEventID, headers = {} }: Options = {}) {
  const aborting = new AbortController();
  const response = await fetch(`${url}/api/v1/events`, {
    signal: aborting.signal,
    headers: {
      ...headers,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(lastEventID && { "Last-Event-ID": lastEventID }),
    },
  });
  if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  return readEvents(response, aborting);
}

function readEvents(response: Response, aborting: AbortController): EventReader {
  const events: StreamEvent[] = [];
  const waiting: (() => void)[] = [];
  let lastID = "";
  let isEnded = false;
  const wake = () => waiting.splice(0).forEach((resume) => resume());

  const ended = (async () => {
    const decoder = new TextDecoder();
    let text = "";
    let end: StreamEnd = "complete";
    try {
      for await (const bytes of response.body as ReadableStream<Uint8Array>) {
        text += decoder.decode(bytes, { stream: true });
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        for (const part of parts) parse(part);
        wake();
      }
    } catch {
      // The connection was closed by either side.
      end = "cut off";
    }
    isEnded = true;
    wake();
    return end;
  })();

  function parse(part: string): void {
    const fields = part.split("\n").map((line) => line.split(/: (.*)/s));
    const find = (name: string) => fields.find(([field]) => field === name)?.[1];
    lastID = find("id") ?? lastID;
    const data = find("data");
    if (data !== undefined) events.push({ id: lastID, event: find("event") ?? "message", data: JSON.parse(data) });
  }

  async function next(timeoutMs = 20_000): Promise<StreamEvent> {
    const deadline = performance.now() + timeoutMs;
    while (events.length === 0) {
      if (isEnded) throw new Error("The stream has ended.");
      const left = deadline - performance.now();
      if (left <= 0) throw new Error("No event came in time.");
      await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), Bun.sleep(left)]);
    }
    return events.shift() as StreamEvent;
  }

  async function until(isLast: (event: StreamEvent) => boolean): Promise<StreamEvent[]> {
    const found: StreamEvent[] = [];
    do found.push(await next());
    while (!isLast(found.at(-1) as StreamEvent));
    return found;
  }

  const close = async () => {
    aborting.abort();
    await ended;
  };
  return { next, until, ended, response, lastEventID: () => lastID, close, [Symbol.asyncDispose]: close };
}

/** Waits until all changes so far can be sent: on PostgreSQL, transactions of other databases can delay that. */
export async function waitUntilSettled(server: TestServer): Promise<void> {
  if (!isScaled) return;
  const unsettled = sql`SELECT activity.id FROM activity JOIN activity_horizon ON transaction_id >= settled LIMIT 1`;
  await withDatabase(server, (db) =>
    until(
      () => db.get(unsettled),
      (row) => row === null,
    ),
  );
}
