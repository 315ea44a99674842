// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about what is read of sources; what is stored of them is the same on both.
import { beforeAll, describe, expect, spyOn, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runImportCommand } from "../../src/commands/import-work.ts";
import { readConfig } from "../../src/config.ts";
import { explainFailure } from "../../src/platform/explain-failure.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { archiveCases } from "../bad-sources/archives.ts";
import { blogCases } from "../bad-sources/blogs.ts";
import type { BadSource } from "../bad-sources/bad-source.ts";
import { folderCases } from "../bad-sources/folders.ts";
import { takeoutCases } from "../bad-sources/takeouts.ts";
import { addMembers, signedIn } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { runVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";

const scratch = useScratch();
const dataDir = join(scratch, "data");

beforeAll(async () => {
  mkdirSync(dataDir);
  // In one process, a server and an import would wait for each other.
  await using server = await startServer({ DATA_DIR: dataDir });
  await addMembers(server, [
    { username: "ada", role: "admin" },
    { username: "bob", role: "author" },
  ]);
});

type Line = { name: string; outcome: string; reason: string | null };

/** The report of an import, or the sentence that refuses all of it. */
async function run(
  paths: string[],
  { options, config: more }: Pick<BadSource, "options" | "config">,
  to: string,
): Promise<{ code: number; lines: Line[] } | string> {
  const config = readConfig({ DATA_DIR: dataDir, ...more });
  const printed: string[] = [];
  const output = spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const call = { words: paths, options: { json: "", to, ...options }, config, schema: schemaOf(modules) };
    const code = await runImportCommand(call, modules);
    return { code, lines: JSON.parse(printed.join("")).report };
  } catch (error) {
    const sentence = explainFailure(error, { dataDir, databaseDir: dataDir }) ?? (error as Error).message;
    // Anything else is printed with its stack: a failure of the program.
    expect((error as Error).constructor.name).toBe("Problem");
    return sentence;
  } finally {
    output.mockRestore();
  }
}

const all = [...archiveCases, ...folderCases, ...takeoutCases, ...blogCases];

test("there are sixty and more", () => expect(all.length).toBeGreaterThanOrEqual(60));

describe("a bad source", () => {
  test.each(all.map((one, index) => [one.name, one, index] as const))("%s", async (_name, one, index) => {
    const directory = join(scratch, `${index}`);
    mkdirSync(directory);
    const made = await one.make(directory, dataDir);
    const result = await run([made].flat(), one, `/${index}`);
    if (typeof result === "string" || one.isRefused) {
      expect({ refused: result }).toEqual({ refused: expect.stringMatching(one.isRefused ?? /^nothing$/) });
      return;
    }
    const { code, lines } = result;
    const refused = Object.fromEntries(
      lines.filter(({ outcome }) => outcome === "refused").map(({ name, reason }) => [name, reason]),
    );
    const expected = Object.entries(one.refused ?? {}).map(([name, why]) => [name, expect.stringMatching(why)]);
    expect(refused).toEqual(Object.fromEntries(expected));
    expect(code).toBe(expected.length === 0 ? 0 : 1);
    const taken = lines.filter(({ outcome }) => outcome === "added").map(({ name }) => name);
    for (const name of one.taken ?? ["good.txt"]) expect(taken).toContain(name);
    // A second run adds nothing.
    if (one.isRepeated === false) return;
    const again = await run([made].flat(), one, `/${index}`);
    expect(again).not.toBeString();
    const added = (again as typeof result).lines.filter(({ outcome }) => outcome === "added" || outcome === "changed");
    expect(added).toEqual([]);
  });
});

test("afterwards, the server makes the photos, and nothing of the site is damaged", async () => {
  await using server = await startServer({ DATA_DIR: dataDir });
  const ada = await signedIn(server, "ada");
  await until(
    () => ada.get("/api/v1/attention"),
    ({ body }) => body.unfinishedImports === 0,
  );
  const { body: photos } = await ada.get("/api/v1/photos?owner=me&pageSize=1000");
  expect(photos.length).toBeGreaterThan(15);
  for (const photo of photos) expect(photo.tags.length).toBeLessThanOrEqual(20);
  const { body: albums } = await ada.get("/api/v1/albums?owner=me");
  expect(albums.length).toBe(9);
  expect(server.logged()).not.toContain("failed");
  await server.close();
  const { code, stdout } = await runVitrine(["doctor", "--hash"], { DATA_DIR: dataDir });
  expect([code, stdout]).toEqual([0, expect.any(String)]);
});
