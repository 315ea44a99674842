import { describe, expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { takenPicture } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";

const server = useServer({ QUOTA_BYTES: "200000" });
const { guest, owner, stranger, admin } = server.people();

const made = async (path: string, body: object) => (await owner.post(api + path, body)).body;
const shareAlbum = async (options: object = {}) => {
  const { id } = await made("/albums", { name: "Party", visibility: "private" });
  return { albumID: id, ...(await made("/shares", { kind: "album", id, allowUpload: true, ...options })) };
};

/** Sends a picture as a guest. */
function send(
  token: string,
  content: Bun.BlobPart = png(4, 3),
  name = "party.png",
  fields: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set("file", new File([content], name));
  return guest.request("POST", `${api}/shared/uploads`, { body: form, headers: { "X-Share-Token": token } });
}

describe("a picture from a guest", () => {
  test("waits, and is in the album when the owner has approved it", async () => {
    const { id, token, albumID } = await shareAlbum();
    const album = async () => (await guest.get(`${api}/albums/${albumID}`, { "X-Share-Token": token })).body;
    const { status, body: sent } = await send(token, png(4, 3), "party.png", { guestName: "Ada" });
    expect([status, sent]).toEqual([
      201,
      {
        id: sent.id,
        name: "party.png",
        guestName: "Ada",
        size: png(4, 3).length,
        contentType: "image/png",
        createdAt: sent.createdAt,
      },
    ]);
    expect((await album()).photos).toEqual([]);
    expect((await owner.get(`${api}/photos?owner=me`)).body).toEqual([]);
    expect((await owner.get(`${api}/shares/${id}/uploads`)).body).toEqual([sent]);
    const path = `${api}/shares/${id}/uploads/${sent.id}`;
    for (const who of [stranger, guest]) {
      const refused = who === guest ? 401 : 404;
      expect((await who.get(`${api}/shares/${id}/uploads`)).status).toBe(refused);
      expect((await who.get(`${path}/content`)).status).toBe(refused);
      expect((await who.post(`${path}/approve`, {})).status).toBe(refused);
      expect((await who.delete(path)).status).toBe(refused);
    }
    const content = await owner.get(`${path}/content`);
    expect([content.status, content.headers.get("content-type")]).toEqual([200, "image/png"]);
    const approved = await owner.post(`${path}/approve`, {});
    expect([approved.status, approved.body.error]).toEqual([200, undefined]);
    expect((await album()).photos).toMatchObject([{ id: approved.body.photoID, title: "party", width: 4, height: 3 }]);
    expect((await owner.get(`${api}/files/${approved.body.fileID}`)).body).toMatchObject({
      visibility: "private",
      ownerID: owner.userID,
    });
    expect((await owner.get(`${api}/shares/${id}/uploads`)).body).toEqual([]);
    expect((await owner.post(`${path}/approve`, {})).status).toBe(404);
  });

  test("is filed by the year in which it was taken, if the owner wants that", async () => {
    const { id, token } = await shareAlbum();
    const year = String(new Date().getUTCFullYear());
    for (const [content, directory] of [
      [await takenPicture("2019:06:12 20:41:07", "Camera"), "2019"],
      [png(5, 3), year],
    ] as const) {
      const { body: sent } = await send(token, content, `of-${directory}.jpg`);
      const approval = { path: "/photos", byYear: true };
      const { body } = await owner.post(`${api}/shares/${id}/uploads/${sent.id}/approve`, approval);
      const { body: file } = await owner.get(`${api}/files/${body.fileID}`);
      expect([directory, file.path]).toEqual([directory, `/photos/${directory}`]);
    }
  });

  test("goes into a shared directory, of which a guest need not see anything", async () => {
    const directory = await made("/directories", { name: crypto.randomUUID(), visibility: "private" });
    const { id, token } = await made("/shares", {
      kind: "directory",
      id: directory.id,
      allowUpload: true,
      allowDownload: false,
    });
    const headers = { "X-Share-Token": token };
    expect((await guest.get(`${api}/shared`, headers)).body).toMatchObject({
      title: directory.name,
      allowUpload: true,
    });
    expect((await guest.get(`${api}/files/${directory.id}`, headers)).status).toBe(404);
    expect((await guest.get(`${api}/files/${directory.id}/entries`, headers)).status).toBe(404);
    const { body: sent } = await send(token);
    const approved = await admin.post(`${api}/shares/${id}/uploads/${sent.id}/approve`, {});
    expect([approved.status, approved.body.photoID]).toEqual([200, null]);
    const { body: file } = await owner.get(`${api}/files/${approved.body.fileID}`);
    expect(file).toMatchObject({ name: "party.png", path: `/${directory.name}`, ownerID: owner.userID });
    expect((await guest.get(`${api}/files/${file.id}`, headers)).status).toBe(404);
  });

  test("is refused if it is no picture, if the link takes none, and without a link", async () => {
    const { id, token } = await shareAlbum();
    const closed = await shareAlbum({ allowUpload: false });
    expect((await send(closed.token)).status).toBe(403);
    expect((await send("x".repeat(43))).status).toBe(404);
    expect((await guest.request("POST", `${api}/shared/uploads`, { body: new FormData() })).status).toBe(404);
    for (const [content, name] of [
      ["<!doctype html>", "page.png"],
      ["plain text", "text.txt"],
      ["<svg xmlns='http://www.w3.org/2000/svg'/>", "drawing.svg"],
      ["", "empty.png"],
    ] as const) {
      const { status, body } = await send(token, content, name);
      expect([name, status, body.field]).toEqual([name, 400, "file"]);
    }
    expect((await send(token, png(2, 2), "..")).status).toBe(400);
    expect((await send(token, png(2, 2), "a.png", { guestName: "x".repeat(101) })).status).toBe(400);
    expect((await send(token, png(2, 2), "a.png", { guestName: "a\u0000b" })).status).toBe(400);
    const empty = new FormData();
    empty.set("guestName", "Ada");
    const init = { body: empty, headers: { "X-Share-Token": token } };
    expect((await guest.request("POST", `${api}/shared/uploads`, init)).status).toBe(400);
    expect((await owner.get(`${api}/shares/${id}/uploads`)).body).toEqual([]);
  });

  test("is deleted for good if the owner does not want it, and with the link", async () => {
    const { id, token } = await shareAlbum();
    const used = async () => (await owner.get(`${api}/storage`)).body.owners[0].unfinishedUploads.count as number;
    const before = await used();
    const [one, other] = [(await send(token, png(20, 20))).body, (await send(token, png(30, 30))).body];
    expect(await used()).toBe(before + 2);
    expect((await owner.delete(`${api}/shares/${id}/uploads/${one.id}`)).status).toBe(200);
    expect((await owner.get(`${api}/shares/${id}/uploads`)).body).toEqual([other]);
    expect((await owner.delete(`${api}/shares/${id}`)).status).toBe(200);
    expect(await used()).toBe(before);
  });

  test("counts towards the quota of the link's owner, once", async () => {
    const { id, token } = await shareAlbum();
    const big = new Blob([png(2, 2), crypto.getRandomValues(new Uint8Array(60_000))]);
    const bytes = new Uint8Array(await big.arrayBuffer());
    const sent = await send(token, bytes, "big.png");
    expect(sent.status).toBe(201);
    const answers = [];
    for (let index = 0; index < 4; index++) {
      bytes[bytes.length - 1] = index;
      answers.push(await send(token, bytes, "big.png"));
    }
    expect(answers.map(({ status }) => status)).toContain(201);
    expect(answers.at(-1)).toMatchObject({ status: 400, body: { field: "file" } });
    // How much the owner has is not told.
    expect(answers.at(-1)?.body.error).not.toMatch(/\d|storage/);
    const approved = await owner.post(`${api}/shares/${id}/uploads/${sent.body.id}/approve`, {});
    expect([approved.status, approved.body.error]).toEqual([200, undefined]);
  });

  test("is limited in number and rate", async () => {
    const { id, token } = await shareAlbum({});
    for (const { id: upload } of (await owner.get(`${api}/shares/${id}/uploads`)).body) {
      await owner.delete(`${api}/shares/${id}/uploads/${upload}`);
    }
    const answers = [];
    for (let index = 0; index < 70 && answers.at(-1)?.status !== 429; index++)
      answers.push(await send(token, "no picture"));
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
