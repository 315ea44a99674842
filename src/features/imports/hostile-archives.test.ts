// Runs on the embedded engines only: what reads a source does not depend on the engines.
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostileSources } from "../../../tests/bad-sources/hostile.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { openSource } from "./open-source.ts";

const scratch = useScratch();
const mebibyte = 2 ** 20;
const options = { hasPhotos: true, hasAlbums: true, hasPeople: false, visibility: "private" as const };

/** How many items an archive has, or the sentence with which reading it ends. */
async function readArchive(bytes: Uint8Array, limits = { memoryBytes: 512 * mebibyte, processorMs: 30_000 }) {
  const directory = newDirectory(scratch);
  const path = join(directory, "archive.zip");
  writeFileSync(path, bytes);
  const site = { dataDir: directory, databaseDir: directory, importMemoryBytes: limits.memoryBytes };
  const origin = { paths: [path], without: [] };
  try {
    await using source = await openSource(site, { origin, options, siteID: null, limits });
    const items = await Array.fromAsync(source.items());
    return items.filter(({ kind }) => kind !== "directory").length;
  } catch (error) {
    return (error as Error).message;
  } finally {
    // Nothing is left of what it has written.
    expect(readdirSync(join(directory, "spool"))).toEqual(["1.lock"]);
  }
}

const hostile = (name: string) => hostileSources.find((one) => one.name.startsWith(name))?.make ?? (() => Buffer.of());

test.each(hostileSources.map(({ name, make }) => [name, make] as const))("%s: it ends", async (name, make) => {
  const limits = { memoryBytes: 512 * mebibyte, processorMs: name.startsWith("a database") ? 500 : 30_000 };
  const found = await readArchive(make(1 / 100), limits);
  if (name.startsWith("a database")) expect(found).toContain("0.5 seconds of processor time");
  else expect(found).toBeNumber();
});

test("what needs more memory than it may have ends in a sentence that says so", async () => {
  const found = await readArchive(hostile("five million")(1 / 3), { memoryBytes: 200 * mebibyte, processorMs: 30_000 });
  expect(found).toContain("more memory than 200 MiB");
});
