import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { metricsToken } from "../tests/kit/database-cost.ts";
import { ask } from "./request.ts";
import { type Plan, progress } from "./rounds.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { layOut } from "./table.ts";

const counts = [1, 100, 1000];
const user = { username: "bench", password: "correct horse battery" };

/** How long it takes until all listeners have an event, and what each listener costs. */
export async function libraryEvents(directory: string, { rounds }: Plan): Promise<void> {
  // Each listener has an address of its own, because streams are limited per address.
  const settings = { TRUST_PROXY: "loopback", METRICS_TOKEN: metricsToken };
  const { port, url } = await startVitrine(join(directory, "events"), "embedded", settings);
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  const write = () =>
    ask<{ id: number }>(`${url}/api/v1/blog`, { method: "POST", token, json: { title: "Event", content: "…" } });

  const rows: string[][] = [
    ["listeners", "all have it after", "ratio", "last after first", "processor time per listener"],
  ];
  let single = Number.NaN;
  for (const count of counts) {
    progress(`${count} listeners: ${rounds} events`);
    const listeners = await Promise.all(Array.from({ length: count }, (_, index) => listen(port, index)));
    const taken: { all: number; spread: number }[] = [];
    const before = await readCPU(url);
    for (let round = 0; round < rounds; round++) {
      const arrivals = Promise.all(listeners.map((listener) => listener.next()));
      const started = performance.now();
      await write();
      const times = (await arrivals).toSorted((one, other) => one - other);
      const [first = 0, last = 0] = [times.at(0), times.at(-1)];
      taken.push({ all: last - started, spread: last - first });
    }
    const spent = (await readCPU(url)) - before;
    for (const listener of listeners) listener.close();
    const all = median(taken.map((one) => one.all));
    if (count === 1) single = all;
    const spread = median(taken.map((one) => one.spread));
    const each = (spent / rounds / count) * 1e6;
    const numbers = [
      `${all.toFixed(0)} ms`,
      (all / single).toFixed(2),
      `${spread.toFixed(1)} ms`,
      `${each.toFixed(0)} µs`,
    ];
    rows.push([String(count), ...numbers]);
  }
  console.log("\nOne event to many listeners; the server looks for new events four times a second:\n");
  console.log(`${layOut(rows)}\n`);
}

type Listener = { next(): Promise<number>; close(): void };

/** Resolves when the server has said that all later events will come. */
async function listen(port: number, index: number): Promise<Listener> {
  const socket: Socket = connect(port, "127.0.0.1");
  const ready = Promise.withResolvers<void>();
  let arrived: ((time: number) => void) | null = null;
  socket.on("error", ready.reject);
  socket.on("data", (bytes) => {
    const text = bytes.toString();
    if (text.includes("event: ready")) ready.resolve();
    if (text.includes('"action"')) arrived?.(performance.now());
  });
  const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  await ready.promise;
  return {
    next: () => new Promise((resolve) => (arrived = resolve)),
    close: () => socket.destroy(),
  };
}

/** The processor time of the server, in seconds. */
async function readCPU(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(await response.text())?.[1]);
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
