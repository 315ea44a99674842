import { readFileSync } from "node:fs";
import { SQL } from "bun";

export type Statement = { text: string; values: readonly (string | number | null)[] };
/** The database access of one request: single reads, then writes in a transaction. */
export type Script = { reads: Statement[]; writes: Statement[] };
export type Plan = {
  databaseURL: string;
  operations: Record<string, { status: number; text: string; scripts: Script[] }>;
};

// The same statements in the same order, one at a time, and a fixed response: the cost of the driver itself.
const { databaseURL, operations } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
const pool = new SQL({ url: databaseURL, max: 16, bigint: true });
const ports = Object.entries(operations).map(([name, operation]) => [name, listen(operation).port]);
console.log(`Listening: ${JSON.stringify(Object.fromEntries(ports))}`);

function listen({ status, text, scripts }: Plan["operations"][string]) {
  let next = 0;
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request) {
      if (request.method !== "GET") await request.arrayBuffer();
      await play(scripts[next++ % scripts.length] as Script);
      return new Response(text, { status, headers: { "Content-Type": "application/json" } });
    },
  });
}

async function play({ reads, writes }: Script): Promise<void> {
  for (const { text, values } of reads) await pool.unsafe(text, [...values]);
  if (writes.length === 0) return;
  await pool.begin(async (tx) => {
    let made: bigint | null = null;
    for (const { text, values } of writes) {
      // The search document of the new record, which has a different id each time.
      const [kind, , ...rest] = values;
      const isDocument = text.includes("INTO documents");
      const rows = (await tx.unsafe(text, isDocument ? [kind, made, ...rest] : [...values])) as { id: bigint }[];
      made ??= rows[0]?.id ?? null;
    }
  });
}
