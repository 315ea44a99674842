import { describe, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import { isScaled } from "../../../tests/kit/engine.ts";
import { type Client, everything } from "../../../tests/kit/client.ts";
import { member } from "../../../tests/kit/people.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";
import {
  bytesOf,
  quadrants,
  secretExif,
  secretPlace,
  whileKilling,
  withExif,
} from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

const photos = "/api/v1/photos";
const load = (who: Client, path: string, more: object = {}) => who.post(`${photos}/import`, { path, ...more });
const counts = ({ body }: { body: any }) => [body.imported, body.left, body.files.length];
const flat = { recursive: false };

/** Waits until an import is no longer running, and returns it. */
async function waitUntilFinished(who: Client, id: number): Promise<any> {
  return (
    await until(
      () => who.get(`/api/v1/imports/${id}`),
      ({ body }) => body.status !== "running",
    )
  ).body;
}

/** A busy machine may answer before the import is finished. */
async function finish(...request: Parameters<typeof load>) {
  const answer = await load(...request);
  if (answer.body.status !== "running") return answer;
  const finished = await waitUntilFinished(request[0], answer.body.id);
  const { body: files } = await request[0].get(`/api/v1/imports/${answer.body.id}/files?pageSize=100`);
  return { ...answer, body: { ...finished, files } };
}

const server = useServer();
const { guest, owner, stranger, admin } = server.people();

async function fill(path: string, who = owner): Promise<any[]> {
  const jpeg = await bytesOf(quadrants(60, 40, 6).jpeg());
  const contents: [string, Uint8Array<ArrayBuffer> | string][] = [
    ["broken.jpg", jpeg.subarray(0, 100)],
    ["harbour_at-dusk.v2.jpg", withExif(await bytesOf(quadrants(60, 40).jpeg()), secretExif())],
    ["note.txt", "Not an image."],
    ["page.png", "<!doctype html><title>Not an image</title>"],
    ["turned.jpeg", jpeg],
    ["twin.gif", await bytesOf(quadrants(30, 20).gif())],
  ];
  const files = [];
  for (const [name, content] of contents) files.push((await who.upload(name, content, { path })).body);
  await who.upload("below.png", await bytesOf(quadrants(3, 3).png()), { path: `${path}/deeper` });
  return files;
}

describe("an import", () => {
  test("creates a photo from each image, and reports the outcome of each file", async () => {
    const files = await fill("/mixed");
    const { status, body } = await finish(owner, "/mixed", flat);
    expect([status, body.imported, body.left]).toEqual([200, 3, 0]);
    expect(body).toMatchObject({ path: "/mixed", recursive: false, status: "finished", refused: 3, existing: 0 });
    const report = body.files.map(({ fileID, name, path, outcome }: any) => [fileID, name, path, outcome]);
    const outcomes = ["refused", "imported", "refused", "refused", "imported", "imported"];
    expect(report).toEqual(files.map(({ id, name }, i) => [id, name, "/mixed", outcomes[i]]));
    const reasons = body.files.map(({ reason }: any) => reason);
    const sentence = expect.stringMatching(/^[A-Z].*\.$/);
    expect(reasons).toEqual([sentence, null, sentence, sentence, null, null]);

    const made = body.files.flatMap(({ photo }: any) => photo ?? []);
    expect(made.map(({ title, width, height }: any) => [title, width, height])).toEqual([
      ["harbour at-dusk.v2", 60, 40],
      ["turned", 60, 40],
      ["twin", 30, 20],
    ]);
    expect(made[0]).toMatchObject({ description: "", showLocation: false, ownerID: owner.userID });
    expect(made[0].exif.place).toEqual(secretPlace);
    for (const photo of made) {
      expect((await owner.get(`${photos}/${photo.id}`)).body).toEqual(photo);
      expect((await guest.get(`${photos}/${photo.id}`)).body.exif?.place ?? null).toBeNull();
      expect((await fetch(guest.url(photo.variants[0].url))).status).toBe(200);
    }
  });

  test("includes subdirectories unless the request says otherwise", async () => {
    await fill("/top/a");
    await fill("/top/b/c");
    await owner.upload("alone.png", await bytesOf(quadrants(9, 9).png()), { path: "/top" });
    expect(counts(await finish(owner, "/top", flat))).toEqual([1, 0, 1]);
    const { body } = await finish(owner, "/top");
    expect([body.recursive, body.imported, body.existing, body.refused]).toEqual([true, 8, 1, 6]);
    const below = body.files.filter(({ name }: any) => name === "below.png").map(({ path }: any) => path);
    expect(below).toEqual(["/top/a/deeper", "/top/b/c/deeper"]);
  });

  test("skips files of which the same user already has a photo", async () => {
    await fill("/again");
    const first = await finish(owner, "/again", flat);
    const before = await everything(server);
    const second = await finish(owner, "again/", flat);
    expect(counts(second)).toEqual([0, 0, 6]);
    expect(second.body.files[1]).toMatchObject({ outcome: "exists", reason: expect.any(String), photo: null });
    expect(await everything(server)).toEqual(before);

    await owner.delete(`${photos}/${first.body.files[1].photo.id}`);
    expect(counts(await finish(owner, "/again", flat))).toEqual([1, 0, 6]);
    // A photo of another user does not count.
    expect(counts(await finish(admin, "/again", flat))).toEqual([3, 0, 6]);
  });

  test("leaves out the files of others, except for admins", async () => {
    await fill("/hers");
    const before = await everything(server);
    const { status, body } = await finish(stranger, "/hers");
    expect([status, body.imported, body.existing, body.refused, body.left]).toEqual([200, 0, 0, 0, 0]);
    expect(body.files).toEqual([]);
    expect((await load(guest, "/hers")).status).toBe(401);
    expect((await load(await member(server, "reader", "reader"), "/hers")).status).toBe(403);
    expect(await everything(server)).toEqual(before);

    const byAdmin = (await finish(admin, "/hers")).body.files[1].photo;
    expect(byAdmin).toMatchObject({ ownerID: admin.userID, exif: { model: "X-T5", place: null } });
    // The root contains files of several users.
    const own = (await stranger.upload("own.png", await bytesOf(quadrants(9, 9).png()))).body;
    await owner.upload("not own.png", await bytesOf(quadrants(9, 9).png()));
    const root = (await finish(stranger, "/", flat)).body.files;
    expect(root.filter(({ outcome }: any) => outcome === "imported").map(({ fileID }: any) => fileID)).toEqual([
      own.id,
    ]);
  });

  test("requires an existing directory", async () => {
    await owner.upload("file.png", await bytesOf(quadrants(9, 9).png()), { path: "/there" });
    for (const path of ["/nowhere", "/there/file.png", "/there/file.png/below"]) {
      const { status, body } = await load(owner, path);
      expect([path, status, body.error]).toEqual([path, 404, expect.stringContaining("directory")]);
    }
    const deleted = (await owner.post("/api/v1/directories", { name: "gone" })).body;
    await owner.delete(`/api/v1/files/${deleted.id}`);
    expect((await load(owner, "/gone")).status).toBe(404);
    const wrong = [
      {},
      { path: 5 },
      { path: null },
      [],
      "/there",
      { path: "/a/../b" },
      { path: "/there", recursive: 1 },
    ];
    for (const body of wrong) {
      const answer = await owner.post(`${photos}/import`, body);
      expect([answer.status, typeof answer.body.error]).toEqual([400, "string"]);
    }
    expect(counts(await finish(owner, "/there"))).toEqual([1, 0, 1]);
  });

  test("requested several times at once creates each photo once", async () => {
    const { body: file } = await owner.upload("0.png", await bytesOf(quadrants(9, 9).png()), { path: "/busy" });
    for (let i = 1; i < 30; i++) await owner.post(`/api/v1/files/${file.id}/copy`, { path: "/busy", name: `${i}.png` });
    const answers = await Promise.all([1, 2, 3, 4].map(() => load(owner, "/busy")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const made = answers.flatMap(({ body }) => body.files.flatMap(({ photo }: any) => photo ?? []));
    expect(answers.reduce((sum, { body }) => sum + body.imported, 0)).toBe(30);
    expect(new Set(made.map(({ fileID }) => fileID)).size).toBe(30);
    const listed = (await guest.get(`${photos}?pageSize=1000`)).body.filter(({ file }: any) => file?.path === "/busy");
    expect(listed.length).toBe(30);
  });

  test.if(isLong && process.platform === "linux" && (isLong || !isScaled))(
    "does not refuse a file that cannot be read temporarily: it waits, is retried, and counts towards a limit",
    async () => {
      const unread = async (path: string) => {
        await whileKilling(async () => owner.upload("unread.png", await bytesOf(quadrants(40, 30).png()), { path }));
        return (await whileKilling(() => load(owner, path))).body;
      };
      const started = [];
      for (let i = 0; i < 5; i++) started.push(await unread(`/later/${i}`));
      for (const { status, imported, refused, left, files } of started) {
        expect([status, imported, refused, left]).toEqual(["running", 0, 0, 1]);
        expect(files).toMatchObject([
          { outcome: "waiting", reason: expect.stringContaining("try again"), photo: null },
        ]);
      }
      const ids = started.map(({ id }) => id);
      const tooMany = await load(owner, "/later");
      expect([tooMany.status, tooMany.body.error]).toEqual([409, expect.stringContaining(ids.join(", "))]);

      const cancelled = await owner.delete(`/api/v1/imports/${ids[0]}`);
      expect([cancelled.status, cancelled.body.status, cancelled.body.left]).toEqual([200, "cancelled", 1]);
      expect(counts(await finish(owner, "/later/1"))).toEqual([1, 0, 1]);
      for (const [index, id] of ids.entries()) {
        const { status, imported, existing, left } = await waitUntilFinished(owner, id);
        const expected = [
          ["cancelled", 0, 0, 1],
          ["finished", 0, 1, 0],
        ][index] ?? ["finished", 1, 0, 0];
        expect([index, status, imported, existing, left]).toEqual([index, ...expected]);
      }
      const again = await owner.delete(`/api/v1/imports/${ids[2]}`);
      expect([again.status, again.body.status]).toEqual([200, "finished"]);
    },
  );

  test("is visible only to its owner and admins", async () => {
    await fill("/asked");
    const { id } = (await load(owner, "/asked")).body;
    const paths = [`/api/v1/imports/${id}`, `/api/v1/imports/${id}/files`];
    for (const path of paths) {
      expect((await guest.get(path)).status).toBe(401);
      expect((await stranger.get(path)).status).toBe(404);
      expect((await owner.get(path)).status).toBe(200);
      expect((await admin.get(path)).status).toBe(200);
    }
    expect((await guest.delete(paths[0] as string)).status).toBe(401);
    expect((await stranger.delete(paths[0] as string)).status).toBe(404);
    expect((await owner.get("/api/v1/imports/999999")).status).toBe(404);
    const place = async (who: Client) =>
      (await who.get(`${paths[1]}?outcome=imported`)).body.find(({ name }: any) => name.startsWith("harbour")).photo
        .exif.place;
    expect([await place(owner), await place(admin)]).toEqual([secretPlace, null]);
  });
});

describe("an import of thousands of files", () => {
  testLong("needs no second request, and lists all of them in pages", async () => {
    const copies = isScaled ? 10 : 80;
    const each = 15 * copies;
    const { body: image } = await owner.upload("0.png", await bytesOf(quadrants(9, 9).png()), { path: "/wide/0" });
    for (let i = 1; i < 15; i++)
      await owner.post(`/api/v1/files/${image.id}/copy`, { path: "/wide/0", name: `${i}.png` });
    for (let i = 0; i < 15; i++) await owner.upload(`${i}.txt`, "Not an image.", { path: "/wide/0" });
    const directory = (await owner.get("/api/v1/files/dir/wide")).body.find(({ name }: any) => name === "0");
    for (let i = 1; i < copies; i++)
      await owner.post(`/api/v1/files/${directory.id}/copy`, { path: i % 2 ? "/wide" : `/wide/1/${i}`, name: `${i}` });

    const begun = (await load(owner, "/wide")).body;
    expect(begun.files.length).toBeLessThanOrEqual(100);
    const end = await waitUntilFinished(owner, begun.id);
    expect(end).toMatchObject({ status: "finished", imported: each, refused: each, existing: 0, left: 0 });
    const files = `/api/v1/imports/${begun.id}/files`;
    const seen = [];
    for (let page = 1; page <= 3; page++) {
      const { body, headers } = await owner.get(`${files}?pageSize=1000&page=${page}`);
      expect(headers.get("x-total-count")).toBe(String(2 * each));
      seen.push(...body);
    }
    expect(new Set(seen.map(({ fileID }) => fileID)).size).toBe(2 * each);
    expect(new Set(seen.flatMap(({ photo }) => photo?.id ?? [])).size).toBe(each);
    const refused = await owner.get(`${files}?outcome=refused&pageSize=5`);
    expect(refused.headers.get("x-total-count")).toBe(String(each));
    expect(refused.headers.get("link")).toContain(`<${files}?page=2&pageSize=5&outcome=refused>; rel="next"`);
    expect(refused.body.every(({ name }: any) => name.endsWith(".txt"))).toBe(true);
    expect((await visitPages(owner, files, 700)).flat()).toEqual(seen);
    expect((await visitPages(owner, `${files}?outcome=refused`, 300)).flat()).toEqual(
      seen.filter(({ outcome }) => outcome === "refused"),
    );
    expect((await owner.get(`${files}?cursor=&page=2`)).status).toBe(400);
    for (const wrong of ["outcome=lost", "page=0", "pageSize=1001"])
      expect((await owner.get(`${files}?${wrong}`)).status).toBe(400);
  });
});
