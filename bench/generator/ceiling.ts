import { bun, startServer } from "../processes.ts";
import { get, toWire } from "../request.ts";
import type { Generator } from "./generator.ts";

/** The maximum rate of the generator, measured on a socket that sends a fixed response. */
export async function measureCeiling(generator: Generator, connections: number): Promise<number> {
  const { printed } = await startServer(bun(new URL("fixed-response-server.ts", import.meta.url)), {
    on: "stderr",
    pattern: /Listening: (\d+)/,
  });
  const port = Number(printed);
  const job = { port, connections, most: Infinity, requests: [toWire(port, get("/"))], status: 200, bodyBytes: 2 };
  await generator.run({ ...job, milliseconds: 500 });
  const { count, milliseconds } = await generator.run({ ...job, milliseconds: 1000 });
  return (count / milliseconds) * 1000;
}
