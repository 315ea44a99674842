import { bun, startServer } from "../processes.ts";
import { get, toWire } from "../request.ts";
import type { Generator } from "./generator.ts";

/** The maximum rate of the generator, measured on a socket that sends a fixed response. */
export async function measureCeiling(generator: Generator, connections: number): Promise<number> {
  const port = Number(
    await startServer(bun(new URL("fixed-response-server.ts", import.meta.url)), {
      on: "stderr",
      pattern: /Listening: (\d+)/,
    }),
  );
  const job = { port, connections, most: Infinity, requests: [toWire(port, get("/"))], status: 200, bodyBytes: 2 };
  await generator.rate({ ...job, milliseconds: 500 });
  return generator.rate({ ...job, milliseconds: 1000 });
}
