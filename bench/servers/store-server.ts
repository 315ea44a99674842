import { mkdirSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";

// The least that a server does which stores a body: to disk while it arrives, with its hash, and the same flushes.
const directory = process.argv[2] ?? "";
const [incoming, stored] = [join(directory, "incoming"), join(directory, "stored")];
for (const path of [incoming, stored]) mkdirSync(path, { recursive: true });
const rows = await open(join(directory, "rows"), "a");

const { port } = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  async fetch(request) {
    if (request.body) await store(request.body);
    return new Response("{}", { status: 201 });
  },
});
console.error(`Listening: ${port}`);

async function store(body: ReadableStream<Uint8Array>): Promise<void> {
  const hasher = new Bun.CryptoHasher("sha256");
  const path = join(incoming, crypto.randomUUID());
  const file = await open(path, "wx");
  for await (const chunk of body) {
    hasher.update(chunk);
    await file.write(chunk);
  }
  await file.sync();
  await file.close();
  await rename(path, join(stored, hasher.digest("hex")));
  const names = await open(stored, "r");
  await names.sync();
  await names.close();
  await rows.write("a row\n");
  await rows.datasync();
}
