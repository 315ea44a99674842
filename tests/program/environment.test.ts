// Runs on the embedded engines only: what processes know of their environment does not depend on the engines.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { png } from "../kit/files/png.ts";
import { person } from "../kit/people.ts";
import { readUntil, spawnVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { main } from "../kit/spawn.ts";

const directory = useScratch();

type Seen = { program: string; names: string[] };

/** Each process writes down what it sees: the runtime loads this file before the program. */
const witness = `
import { writeFileSync } from "node:fs";
const seen = { program: Bun.main, names: Object.keys(process.env) };
writeFileSync(\`seen/\${process.pid}\`, JSON.stringify(seen));
`;

test("the server reads a .env file in the current directory, and the processes for pictures and Markdown see nothing of it", async () => {
  mkdirSync(join(directory, "seen"));
  writeFileSync(join(directory, ".env"), `JWT_SECRET=${"secret".repeat(10)}\nDATA_DIR=chosen\n`);
  writeFileSync(join(directory, "bunfig.toml"), 'preload = ["./witness.ts"]\n');
  writeFileSync(join(directory, "witness.ts"), witness);
  const env = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "warn", DRAIN_SECONDS: "0", RATE_LIMIT_BURST: "1000" };
  const server = spawnVitrine(["serve"], env, { cwd: directory });
  try {
    const announced = await readUntil(server.stdout, "Data is in");
    expect(announced).toContain(join(directory, "chosen"));
    const ada = await person({ url: /running at (\S+)\n/.exec(announced)?.[1] ?? "" }, "ada");
    const { body: file } = await ada.upload("harbour.png", png(20, 10));
    expect((await ada.post("/api/v1/photos", { title: "Harbour", fileID: file.id })).body.width).toBe(20);
    const content = "A footnote[^1]\n\n[^1]: is rendered in another process.";
    expect((await ada.post("/api/v1/blog", { title: "A walk", content })).status).toBe(201);
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
  const seen = readdirSync(join(directory, "seen")).map((name): Seen =>
    JSON.parse(readFileSync(join(directory, "seen", name), "utf8")),
  );
  const find = (program: string) => seen.find((one) => basename(one.program) === program)?.names;
  expect(find(basename(main))).toContain("JWT_SECRET");
  for (const program of ["decoder-process.ts", "render-process.ts"]) {
    expect(find(program)).toEqual(["BUN_OPTIONS"]);
  }
});
