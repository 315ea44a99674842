import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isScaled } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const disk = useScratch();

const server = useServer({ IMPORT_DIR: join(disk, "allowed") });
const { owner, stranger, admin } = server.people();
const imports = "/api/v1/imports";

async function uploadZip(name: string, files: Record<string, string | Uint8Array>, who = owner): Promise<number> {
  const entries = Object.entries(files).map(([path, input]) => ({ name: path, input, lastModified: new Date(2e12) }));
  const bytes = new Uint8Array(await downloadZip(entries).arrayBuffer());
  return (await who.upload(name, bytes, { path: "/archives" })).body.id;
}

async function settled(who: Client, { body }: { body: any }): Promise<any> {
  const read = async () => (await who.get(`${imports}/${body.id}`)).body;
  return until(read, ({ status }) => status !== "running" && status !== "undoing", 120_000);
}

const outcomesOf = async (id: number, query = "") =>
  (await owner.get(`${imports}/${id}/items${query}`)).body.map(({ name, outcome }: any) => [name, outcome]);

test("an uploaded archive is tried, imported, known again and undone", async () => {
  const png = await bytesOf(quadrants(40, 30).png());
  // Large enough that not all of it is read at once.
  const large = crypto.getRandomValues(new Uint8Array(60_000));
  const files = { "trip/one.png": png, "trip/..": "no", "trip/notes.txt": "Notes", "large.bin": large };
  const fileIDs = [await uploadZip("holiday.zip", files)];
  const plan = { fileIDs, photos: true, albums: true, visibility: "private" };

  const tried = await settled(owner, await owner.post(imports, { ...plan, dryRun: true }));
  expect(tried).toMatchObject({ isDryRun: true, kind: "folder", phase: "finished", status: "finished" });
  expect(tried.items).toEqual({ added: 4, known: 0, changed: 0, refused: 1, noted: 0 });
  expect((await owner.get("/api/v1/files/dir/holiday")).status).toBe(404);
  expect(await outcomesOf(tried.id, "?outcome=refused")).toEqual([["trip/..", "refused"]]);
  expect((await owner.post(`${imports}/${tried.id}/undo`)).status).toBe(409);

  const begun = await owner.post(imports, plan);
  expect([begun.status, begun.headers.get("location")]).toEqual([201, `${imports}/${begun.body.id}`]);
  const done = await settled(owner, begun);
  expect(done).toMatchObject({ source: "holiday → /holiday", imported: 1, left: 0, items: tried.items, failure: null });
  expect([done.bytes, done.totalBytes]).toEqual([done.seenBytes, png.length + large.length + 5]);
  const { body: inside } = await owner.get("/api/v1/files?path=/holiday");
  const bin = inside.find((one: any) => one.name === "large.bin");
  expect([bin.size, bin.visibility]).toEqual([large.length, "private"]);
  expect(bin.sha256).toBe(sha256Of(large));
  expect((await outcomesOf(done.id, "?outcome=added&pageSize=2")).length).toBe(2);

  const again = await settled(owner, await owner.post(imports, plan));
  expect(again.items).toEqual({ added: 0, known: 4, changed: 0, refused: 1, noted: 0 });
  const { body: listed } = await owner.get(`${imports}?origin=elsewhere`);
  expect(listed.map(({ id }: any) => id)).toEqual([again.id, done.id, tried.id]);
  expect((await stranger.get(imports)).body).toEqual([]);
  expect((await admin.get(imports)).body.length).toBe(3);

  expect(await settled(owner, await owner.post(`${imports}/${done.id}/undo`))).toMatchObject({ status: "undone" });
  expect((await owner.post(`${imports}/${done.id}/undo`)).body.status).toBe("undone");
  expect((await owner.get("/api/v1/files/dir/holiday")).status).toBe(404);
  expect((await owner.get("/api/v1/photos?owner=me")).body).toEqual([]);
});

test("what is no archive, is cut off, or is gone fails with a sentence", async () => {
  const importOf = async (name: string, bytes: string | Uint8Array<ArrayBuffer>) => {
    const { id } = (await owner.upload(name, bytes, { path: "/archives" })).body;
    return settled(owner, await owner.post(imports, { fileIDs: [id] }));
  };
  expect(await importOf("poem.txt", "A poem.")).toMatchObject({
    status: "failed",
    failure: "poem.txt is neither an archive nor an export that can be recognised.",
  });
  expect((await importOf("cut.zip", "PK\u0003\u0004 and no more")).failure).toStartWith("cut.zip cannot be imported:");
  expect((await importOf("cut.tgz", gzipSync("no tar"))).failure).toStartWith("cut.tgz cannot be imported:");
  expect((await owner.post(imports, { fileIDs: [999_999] })).body).toMatchObject({ field: "fileIDs" });
  expect((await owner.post(imports, {})).status).toBe(400);
});

test("only admins import from the disk of the server, below one directory", async () => {
  for (const folder of ["allowed/album", "secret"]) mkdirSync(join(disk, folder), { recursive: true });
  for (const file of ["allowed/album/a.txt", "secret/b.txt"]) writeFileSync(join(disk, file), "text");
  symlinkSync(join(disk, "secret"), join(disk, "allowed/link"));
  expect((await owner.post(imports, { folder: "album" })).status).toBe(403);
  expect((await owner.post(imports, { fileIDs: [1], fetch: true })).body.error).toStartWith(
    "Only admins can have media",
  );
  for (const folder of ["../secret", "link", "none", "\0"])
    expect((await admin.post(imports, { folder })).status).toBe(400);
  const done = await settled(admin, await admin.post(imports, { folder: "album" }));
  expect([done.source, done.items.added]).toEqual(["album → /album", 1]);
});

// With several copies, another one takes over when the lease of the first has ended: after a minute.
test.skipIf(!isLong || isScaled)("an import goes on after a restart, and ends when it is cancelled", async () => {
  const env = { DATA_DIR: join(disk, "restarted") };
  const count = 600;
  const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
  const first = await startVitrine(env);
  const ada = await person(first, "ada");
  const id = await uploadZip("many.zip", Object.fromEntries(names.map((name) => [name, name])), ada);
  const begun = ada.post(imports, { fileIDs: [id] }).catch(() => null);
  const countItems = async (who: Client) => (await who.get(`${imports}/1/items?pageSize=1000`)).body.length ?? 0;
  await until(() => countItems(ada));
  first.process.kill("SIGKILL");
  await Promise.all([first.process.exited, begun]);

  await using second = await startServer(env);
  const after = client(second, ada.token);
  expect(await countItems(after)).toBeLessThan(count);
  // In the first minute after the start, nothing is resumed.
  const done = await settled(after, { body: { id: 1 } });
  expect([done.status, done.items.added, done.items.known]).toEqual(["finished", count, 0]);
  const { body: stored } = await after.get("/api/v1/files?path=/many&pageSize=1000&cursor=");
  expect(stored.length).toBe(count);

  const again = after.post(imports, { fileIDs: [id], to: "elsewhere" });
  await until(
    () => after.get(`${imports}/2/items?pageSize=1`),
    ({ body }) => body.length === 1,
  );
  expect((await after.delete(`${imports}/2`)).body.status).toBe("cancelled");
  await again;
  const { items, status } = (await after.get(`${imports}/2`)).body;
  expect([status, items.added < count]).toEqual(["cancelled", true]);
});
