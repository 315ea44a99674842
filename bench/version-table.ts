import type { RequestResults } from "./requests.ts";
import { layOut } from "./table.ts";

type Table = Pick<RequestResults, "requests" | "memory">;

/** Each server in requests per second, microseconds of processor time per request, and the 50th and 99th percentile. */
export function printServers({ requests, memory }: Table): string {
  const servers = [...new Set(requests.map(({ server }) => server))];
  const names = [...new Set(requests.map(({ name }) => name))];
  const head = ["", ...servers.flatMap((server) => [server, "µs", "p50", "p99"])];
  const lines = names.map((name) => [
    name,
    ...servers.flatMap((server) => {
      const found = requests.find((one) => one.server === server && one.name === name);
      if (!found) return ["–", "–", "–", "–"];
      return [print(found.rate), print(found.processor), found.p50.toFixed(1), found.p99.toFixed(1)];
    }),
  ]);
  const used = memory.map(({ server, idle, after }) => `${server} ${print(idle)} and ${print(after)} MiB`);
  return [
    "Requests per second, microseconds of processor time per request, and milliseconds until the response:\n",
    layOut([head, ...lines]),
    `\nMemory with child processes, idle and after all requests: ${used.join("; ")}.`,
  ].join("\n");
}

const print = (number: number) => Math.round(number).toLocaleString("en-US");
