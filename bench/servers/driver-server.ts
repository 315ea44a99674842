import { readFileSync } from "node:fs";
import { SQL } from "bun";

export type Statement = { text: string; values: readonly (string | number | null)[] };
/**
 * The database access of one request: single reads, then writes in a transaction. Where a value is the id or the slug of the
 * record that was created, each repetition has its own.
 */
export type Script = { reads: Statement[]; writes: Statement[]; id: number | null; slug: string | null };
export type Plan = {
  databaseURL: string;
  operations: Record<string, { status: number; text: string; scripts: Script[] }>;
};

// The same statements in the same order, one at a time, and a fixed response: the cost of the driver itself.
const { databaseURL, operations } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
let played = 0;
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

async function play({ reads, writes, id, slug }: Script): Promise<void> {
  for (const { text, values } of reads) await pool.unsafe(text, [...values]);
  if (writes.length === 0) return;
  const ownSlug = `${slug}-${process.pid}-${++played}`;
  await pool.begin(async (tx) => {
    let ownID: bigint | null = null;
    for (const { text, values } of writes) {
      const own = values.map((value) =>
        value === null ? null : value === id ? ownID : value === slug ? ownSlug : value,
      );
      const rows = (await tx.unsafe(text, own)) as { id?: bigint }[];
      ownID ??= rows[0]?.id ?? null;
    }
  });
}
