import { readFileSync } from "node:fs";
import { SQL } from "bun";

export type Statement = { text: string; values: readonly (string | number | null)[] };
/** What one request asks of the database: reads one by one, then writes in a transaction. */
export type Script = { reads: Statement[]; writes: Statement[] };
export type Plan = { databaseURL: string; deeds: Record<string, { status: number; text: string; scripts: Script[] }> };

// The same statements in the same order, one at a time, and an answer that is ready: what the driver itself costs.
const { databaseURL, deeds } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
const pool = new SQL({ url: databaseURL, max: 16, bigint: true });
const ports = Object.entries(deeds).map(([name, deed]) => [name, listen(deed).port]);
console.log(`Listening: ${JSON.stringify(Object.fromEntries(ports))}`);

function listen({ status, text, scripts }: Plan["deeds"][string]) {
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
      // The search document of the new record: its id is another one each time.
      const [kind, , ...rest] = values;
      const isDocument = text.includes("INTO documents");
      const rows = (await tx.unsafe(text, isDocument ? [kind, made, ...rest] : [...values])) as { id: bigint }[];
      made ??= rows[0]?.id ?? null;
    }
  });
}
