// Runs on other engines only with TEST_LONG: the statements of versions also run in versions.test.ts.
import { describe, expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { person, signedIn } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";
import { readConfig } from "../../config.ts";
import { openDatabase, openEngines } from "../../engines.ts";
import { schemaOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import { findUsedBlobs } from "../../core/storage/used-blobs.ts";
import { removeOldVersions } from "../../content/files/versions.ts";

const scratch = useScratch();

const day = 86_400_000;
const files = "/api/v1/files";
const configOf = async (dataDir: string) => readConfig({ ...(await engineEnv(dataDir)), DATA_DIR: dataDir });
const put = (who: Client, { id }: any, body: string) => who.request("PUT", `${files}/${id}/content`, { body });

async function createReplaced(who: Client, first: string, ...later: string[]) {
  const { body: file } = await who.upload(`${first}.txt`, first);
  for (const content of later) expect((await put(who, file, content)).status).toBe(200);
  return file;
}

async function contents(who: Client, { id }: any): Promise<string[]> {
  const { body } = await who.get(`${files}/${id}/versions`);
  return Promise.all(body.map(async ({ url }: any) => (await who.get(url)).body));
}

describe("how many versions are kept", () => {
  test("the newest VERSIONS_KEPT of each file, even if one is restored", async () => {
    await using server = await startServer({ VERSIONS_KEPT: "2" });
    const owner = await person(server, "owner");
    const other = await createReplaced(owner, "1", "2");
    const file = await createReplaced(owner, "a", "b", "c", "d");
    expect(await contents(owner, file)).toEqual(["c", "b"]);
    const [, oldest] = (await owner.get(`${files}/${file.id}/versions`)).body;
    expect((await owner.post(`${files}/${file.id}/versions/${oldest.id}/restore`)).status).toBe(200);
    expect(await contents(owner, file)).toEqual(["d", "c"]);
    await owner.upload("a.txt", "by a form", { onConflict: "replace" });
    expect(await contents(owner, file)).toEqual(["b", "d"]);
    await Promise.all(["e", "f", "g", "h"].map((content) => put(owner, file, content)));
    expect(await contents(owner, file)).toHaveLength(2);
    expect(await contents(owner, other)).toEqual(["1"]);
  });

  test("none with VERSIONS_KEPT=0, and twenty by default", async () => {
    await using none = await startServer({ VERSIONS_KEPT: "0" });
    const someone = await person(none, "someone");
    expect(await contents(someone, await createReplaced(someone, "a", "b", "c"))).toEqual([]);
    await using usual = await startServer();
    const owner = await person(usual, "owner");
    const later = Array.from({ length: 23 }, (_, index) => String(index));
    expect(await contents(owner, await createReplaced(owner, "a", ...later))).toEqual(later.slice(2, -1).toReversed());
  });

  test("for VERSION_DAYS after they were replaced", async () => {
    await using server = await startServer();
    const owner = await person(server, "owner");
    const file = await createReplaced(owner, "a", "b");
    await Bun.sleep(2);
    await put(owner, file, "c");
    await using db = {
      ...(await openDatabase(await configOf(server.dataDir))),
      [Symbol.asyncDispose]: () => db.close(),
    };
    await removeOldVersions(db, 365);
    await removeOldVersions(db, 365, Date.now() + 364 * day);
    expect(await contents(owner, file)).toEqual(["b", "a"]);
    const [newest] = (await owner.get(`${files}/${file.id}/versions`)).body;
    await removeOldVersions(db, 365, Date.parse(newest.replacedAt) + 365 * day);
    expect(await contents(owner, file)).toEqual(["b"]);
    await removeOldVersions(db, 365, Date.now() + 366 * day);
    expect([await contents(owner, file), (await owner.get(file.url)).body]).toEqual([[], "c"]);
  });
});

describe("the bytes of versions", () => {
  test("survive a sweep as long as the file exists, and are removed with it", async () => {
    const dataDir = newDirectory(scratch);
    const first = await startServer({ DATA_DIR: dataDir });
    const owner = await person(first, "owner");
    const kept = await createReplaced(owner, "kept, old", "kept, new");
    const trashed = await createReplaced(owner, "trashed, old", "trashed, new");
    const purged = await createReplaced(owner, "purged, old", "purged, new");
    const inner = (await owner.upload("inner.txt", "inner, old", { path: "/outer" })).body;
    await put(owner, inner, "inner, new");
    const cleared = await createReplaced(owner, "cleared, old", "cleared, new");
    const [version] = (await owner.get(`${files}/${cleared.id}/versions`)).body;
    await owner.delete(`${files}/${cleared.id}/versions/${version.id}`);
    const outer = (await owner.get(files)).body.find(({ name }: any) => name === "outer");
    for (const { id } of [purged, outer]) await owner.delete(`${files}/${id}`);
    await owner.delete("/api/v1/trash");
    await owner.delete(`${files}/${trashed.id}`);
    await first.close();

    const names = ["kept", "trashed", "purged", "inner", "cleared"].flatMap((name) => [`${name}, old`, `${name}, new`]);
    const expected = ["kept, old", "kept, new", "trashed, old", "trashed, new", "cleared, new"];
    const engines = await openEngines(await configOf(dataDir), schemaOf(modules));
    const find = (sha256: string[]) => findUsedBlobs(engines.db, sha256);
    expect(await find(names.map(sha256Of))).toEqual(new Set(expected.map(sha256Of)));
    // On disk they are removed immediately. In S3 they wait for a sweep, and their age cannot be changed.
    if (!isScaled) ageBlobs(dataDir);
    const swept = await engines.blobs.sweep(find);
    if (!isScaled) expect(swept.removed).toBe(0);
    for (const name of names) {
      expect([name, await engines.blobs.has(sha256Of(name))]).toEqual([name, isScaled || expected.includes(name)]);
    }
    await engines.close();

    await using second = await startServer({ DATA_DIR: dataDir });
    expect(await contents(await signedIn(second, "owner"), kept)).toEqual(["kept, old"]);
  });
});

function ageBlobs(dataDir: string): void {
  const past = new Date(Date.now() - 2 * 3_600_000);
  for (const shelf of readdirSync(join(dataDir, "blobs")))
    for (const name of readdirSync(join(dataDir, "blobs", shelf)))
      utimesSync(join(dataDir, "blobs", shelf, name), past, past);
}
