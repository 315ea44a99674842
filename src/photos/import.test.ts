import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isScaled } from "../../tests/engine.ts";
import { cast, type Client, everything, member, startServer, type TestServer } from "../../tests/kit.ts";
import { bytesOf, quadrants, secretExif, secretPlace, withExif } from "../../tests/pictures.ts";

let server: TestServer;
let guest: Client;
let owner: Client;
let stranger: Client;
let admin: Client;

const photos = "/api/v1/photos";
const load = (who: Client, path: string) => who.post(`${photos}/import`, { path });
const counts = ({ body }: { body: any }) => [body.imported, body.left, body.files.length];

beforeAll(async () => {
  server = await startServer();
  ({ guest, owner, stranger, admin } = await cast(server));
});
afterAll(() => server.close());

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
  test("makes a photo of each image, and tells of each file what became of it", async () => {
    const files = await fill("/mixed");
    const { status, body } = await load(owner, "/mixed");
    expect([status, body.imported, body.left]).toEqual([200, 3, 0]);
    const report = body.files.map(({ fileID, name, outcome }: any) => [fileID, name, outcome]);
    const outcomes = ["refused", "imported", "refused", "refused", "imported", "imported"];
    expect(report).toEqual(files.map(({ id, name }, i) => [id, name, outcomes[i]]));
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

  test("passes over what is a photo of the same person already", async () => {
    await fill("/again");
    const first = await load(owner, "/again");
    const before = await everything(server);
    const second = await load(owner, "again/");
    expect(counts(second)).toEqual([0, 0, 6]);
    expect(second.body.files[1]).toMatchObject({ outcome: "exists", reason: expect.any(String), photo: null });
    expect(await everything(server)).toEqual(before);

    await owner.delete(`${photos}/${first.body.files[1].photo.id}`);
    expect(counts(await load(owner, "/again"))).toEqual([1, 0, 6]);
    // A photo of another person does not count.
    expect(counts(await load(admin, "/again"))).toEqual([3, 0, 6]);
  });

  test("of another's files is refused, file by file, except to an admin", async () => {
    await fill("/hers");
    const before = await everything(server);
    const { status, body } = await load(stranger, "/hers");
    expect([status, body.imported]).toEqual([200, 0]);
    for (const { outcome, reason } of body.files) {
      expect([outcome, reason]).toEqual(["refused", "It belongs to somebody else."]);
    }
    expect((await load(guest, "/hers")).status).toBe(401);
    expect((await load(await member(server, "reader", "reader"), "/hers")).status).toBe(403);
    expect(await everything(server)).toEqual(before);

    const byAdmin = (await load(admin, "/hers")).body.files[1].photo;
    expect(byAdmin).toMatchObject({ ownerID: admin.userID, exif: { model: "X-T5", place: null } });
    // At the root lie the files of many.
    const own = (await stranger.upload("own.png", await bytesOf(quadrants(9, 9).png()))).body;
    await owner.upload("not own.png", await bytesOf(quadrants(9, 9).png()));
    const root = (await load(stranger, "/")).body.files;
    expect(root.filter(({ outcome }: any) => outcome === "imported").map(({ fileID }: any) => fileID)).toEqual([
      own.id,
    ]);
  });

  test("needs a directory that is there", async () => {
    await owner.upload("file.png", await bytesOf(quadrants(9, 9).png()), { path: "/there" });
    for (const path of ["/nowhere", "/there/file.png", "/there/file.png/below"]) {
      const { status, body } = await load(owner, path);
      expect([path, status, body.error]).toEqual([path, 404, expect.stringContaining("directory")]);
    }
    const deleted = (await owner.post("/api/v1/directories", { name: "gone" })).body;
    await owner.delete(`/api/v1/files/${deleted.id}`);
    expect((await load(owner, "/gone")).status).toBe(404);
    for (const body of [{}, { path: 5 }, { path: null }, [], "/there", { path: "/a/../b" }]) {
      const answer = await owner.post(`${photos}/import`, body);
      expect([answer.status, typeof answer.body.error]).toEqual([400, "string"]);
    }
    expect(counts(await load(owner, "/there"))).toEqual([1, 0, 1]);
  });

  test("that is asked for several times at once makes each photo once", async () => {
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

  test.if(!isScaled)(
    "of very many files goes on where it ended, when it is asked for again",
    async () => {
      const { body: file } = await owner.upload("0.png", await bytesOf(quadrants(9, 9).png()), { path: "/many" });
      const copy = (i: number) => owner.post(`/api/v1/files/${file.id}/copy`, { path: "/many", name: `${i}.png` });
      for (let i = 1; i < 1025; i += 16) await Promise.all(Array.from({ length: 16 }, (_, j) => i + j).map(copy));
      const first = await load(owner, "/many");
      expect(first.body.imported).toBeGreaterThanOrEqual(1000);
      expect(first.body.left).toBe(1025 - first.body.imported);
      const second = await load(owner, "/many");
      expect(counts(second)).toEqual([first.body.left, 0, 1025]);
    },
    20_000,
  );
});
