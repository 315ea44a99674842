// Runs on other engines only with TEST_LONG: the tests of photos use the same statements.
import { describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";

const server = useServer();
const { owner, stranger, guest } = server.people();

const createMany = (who: Client, body: object, headers?: Record<string, string>) =>
  who.post(`${photos}/many`, body, headers);
const upload = async (who: Client, name: string, fields: Record<string, string> = {}) =>
  (await who.upload(name, png(3, 2), fields)).body.id as number;
const listTitles = async (who: Client, query: string) =>
  (await who.get(`${photos}?${query}`)).body.map(({ title }: any) => title);

describe("creating many photos", () => {
  test("creates each as one request would, and adds them to an album in this order", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Many" });
    const files = [await upload(owner, "a.png"), await upload(owner, "b.png"), await upload(owner, "c.png")];
    const more = { tags: ["Sea"], takenAt: "2021-05-06T07:08:09.000Z", visibility: "private", isFavourite: true };
    const { status, body } = await createMany(owner, {
      albumID: album.id,
      photos: files.map((fileID, index) => ({ title: `Photo ${index}`, fileID, ...(index === 1 && more) })),
    });
    expect([status, body.created]).toEqual([200, 3]);
    expect(body.results).toEqual(
      files.map((fileID) => ({ fileID, photoID: expect.any(Number), status: 201, error: null, reason: null })),
    );
    const { body: shown } = await owner.get(`/api/v1/albums/${album.id}`);
    expect(shown.photos.map(({ id, title }: any) => [id, title])).toEqual(
      body.results.map(({ photoID }: any, index: number) => [photoID, `Photo ${index}`]),
    );
    expect(shown.photos[1]).toMatchObject({ ...more, width: 3, height: 2, fileID: files[1] });
    expect(await listTitles(guest, `albumID=${album.id}`)).toEqual(["Photo 2", "Photo 0"]);
    expect(await listTitles(owner, "owner=me&tag=sea")).toEqual(["Photo 1"]);
    const { body: found } = await guest.get("/api/v1/search?q=Photo");
    expect(found.map(({ title }: any) => title).toSorted()).toEqual(["Photo 0", "Photo 2"]);
    const { body: activity } = await owner.get("/api/v1/activity?pageSize=5");
    expect(activity.map(({ action, kind }: any) => `${action} ${kind}`)).toEqual([
      "changed album",
      "created photo",
      "changed file",
      "created photo",
      "created photo",
    ]);
  });

  test("reports each that cannot be created, and creates the others", async () => {
    const good = await upload(owner, "good.png");
    const hidden = await upload(stranger, "hidden.png", { visibility: "private" });
    const { body: text } = await owner.upload("text.txt", "no picture");
    const { body: directory } = await owner.post("/api/v1/directories", { name: "directory" });
    // The headers of a bitmap: its length, where its pixels are, and the length of the second header.
    const headers = Buffer.concat([Buffer.from("BM"), Buffer.alloc(78)]);
    for (const [at, value] of [
      [2, 80],
      [10, 54],
      [14, 40],
    ] as const)
      headers.writeUInt32LE(value, at);
    const { body: bitmap } = await owner.upload("old.bmp", Uint8Array.from(headers));
    const { status, body } = await createMany(owner, {
      photos: [hidden, text.id, good, directory.id, 99_999, bitmap.id].map((fileID) => ({ title: "One", fileID })),
    });
    expect([status, body.created]).toEqual([200, 1]);
    expect(body.results.map(({ fileID, status, error }: any) => [fileID, status, error])).toEqual([
      [hidden, 400, `"fileID" is invalid: there is no file ${hidden}.`],
      [text.id, 400, expect.stringContaining(`cannot be read from "text.txt"`)],
      [good, 201, null],
      [directory.id, 400, `"fileID" must be a file, not a directory.`],
      [99_999, 400, `"fileID" is invalid: there is no file 99999.`],
      [bitmap.id, 400, expect.stringContaining(`cannot be read from "old.bmp"`)],
    ]);
    expect(body.results[1].reason).toBe("It is not a supported image or video.");
    expect(body.results[5].reason).toBe("BMP is not supported yet.");
    expect((await guest.get(`${photos}/${body.results[2].photoID}`)).body).toMatchObject({ title: "One", width: 3 });
  });

  test("is refused as a whole for a malformed photo, and for an album that is not the caller's", async () => {
    const fileID = await upload(owner, "refused.png");
    const total = async () => (await guest.get(photos)).headers.get("x-total-count");
    const before = await total();
    const send = (more: object, photo: object = {}) =>
      createMany(owner, { photos: [{ title: "No", fileID, ...photo }], ...more });
    expect((await send({}, { title: " " })).status).toBe(400);
    expect((await send({ photos: [] })).status).toBe(400);
    expect((await send({ photos: Array.from({ length: 1001 }, () => ({ title: "No", fileID })) })).status).toBe(400);
    const { body: foreign } = await stranger.post("/api/v1/albums", { name: "Not yours" });
    const { body: secret } = await stranger.post("/api/v1/albums", { name: "Secret", visibility: "private" });
    expect((await send({ albumID: foreign.id })).status).toBe(403);
    expect((await send({ albumID: secret.id })).status).toBe(404);
    expect(await total()).toBe(before);
  });

  test("happens once for one Idempotency-Key", async () => {
    const fileID = await upload(owner, "once.png");
    const send = () => createMany(owner, { photos: [{ title: "Once", fileID }] }, { "Idempotency-Key": "many-1" });
    const [first, second] = [await send(), await send()];
    expect([first.body.created, second.body]).toEqual([1, first.body]);
    expect((await owner.get(`${photos}?owner=me`)).body.filter(({ title }: any) => title === "Once").length).toBe(1);
  });

  test("creates a thousand by one request", async () => {
    const fileID = await upload(owner, "thousand.png");
    const { body: album } = await owner.post("/api/v1/albums", { name: "Thousand" });
    const { status, body } = await createMany(owner, {
      albumID: album.id,
      photos: Array.from({ length: 1000 }, (_, index) => ({ title: `T${index}`, fileID })),
    });
    expect({ status, ...body }).toMatchObject({ status: 200, created: 1000 });
    expect(body.results).toHaveLength(1000);
    expect((await guest.get(`/api/v1/albums/${album.id}?page=1&pageSize=1`)).body).toMatchObject({ photoCount: 1000 });
  });
});
