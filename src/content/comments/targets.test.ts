import { beforeAll, describe, expect, test } from "bun:test";
import { api, uploadPicture } from "../../../tests/kit/every-kind.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const comments = `${api}/comments`;

const server = useServer();
const people = server.people();
const commenter = server.person("commenter", "reader");
const newcomer = server.person("newcomer", "reader");
const switchTo = (photoComments: boolean) => people.admin.put(`${api}/settings`, { photoComments });

const createPhoto = async (more = {}) =>
  (await people.owner.post(`${api}/photos`, { title: "Dusk", fileID: await uploadPicture(people.owner), ...more }))
    .body;
const createAlbum = async (more = {}) => (await people.owner.post(`${api}/albums`, { name: "Lisbon", ...more })).body;

/** One of each kind that comments on photos are about: its path, and the field that names it. */
const kinds = [
  { kind: "photo", path: "photos", field: "photoID", create: createPhoto },
  { kind: "album", path: "albums", field: "albumID", create: createAlbum },
] as const;
const ids = async (who: Client, query: string) => (await who.get(`${comments}?${query}`)).body.map(({ id }: any) => id);
const say = async (who: Client, fields: object) => (await who.post(comments, { content: "Cormorant", ...fields })).body;

describe("comments on photos and albums", () => {
  beforeAll(() => switchTo(true));

  test("have one target, and the fields of the others are null", async () => {
    const [photo, album] = [await createPhoto(), await createAlbum()];
    const { body: post } = await people.owner.post(`${api}/blog`, { title: "Post", content: "…" });
    const both = await commenter.post(comments, { content: "?", photoID: photo.id, albumID: album.id });
    expect([both.status, both.body.error]).toEqual([400, 'Send only one of "blogPostID", "photoID" and "albumID".']);
    expect((await commenter.post(comments, { content: "?" })).body).toMatchObject({
      error: '"blogPostID" is required.',
      field: "blogPostID",
    });
    expect((await people.guest.get(`${comments}?photoID=${photo.id}&blogPostID=${post.id}`)).status).toBe(400);
    const onPhoto = await say(commenter, { photoID: photo.id });
    const onAlbum = await say(commenter, { albumID: album.id });
    expect(onPhoto).toMatchObject({ blogPostID: null, photoID: photo.id, albumID: null, status: "visible" });
    expect(onAlbum).toMatchObject({ blogPostID: null, photoID: null, albumID: album.id });
    expect(await ids(people.guest, `photoID=${photo.id}`)).toEqual([onPhoto.id]);
    expect(await ids(people.guest, `albumID=${album.id}&cursor=`)).toEqual([onAlbum.id]);
    expect(await ids(people.guest, `blogPostID=${post.id}`)).toEqual([]);
    const reply = await say(people.owner, { photoID: photo.id, parentID: onPhoto.id });
    expect(reply.parentID).toBe(onPhoto.id);
    const elsewhere = await commenter.post(comments, { content: "?", albumID: album.id, parentID: onPhoto.id });
    expect([elsewhere.status, elsewhere.body.field]).toEqual([400, "parentID"]);
    for (const { field } of kinds)
      expect((await commenter.post(comments, { content: "?", [field]: 999_999 })).status).toBe(404);
  });

  for (const { kind, path, field, create } of kinds)
    test(`nobody learns of those on a private ${kind}, and they come back with it from the trash`, async () => {
      const { guest, owner, stranger, admin } = people;
      const record = await create();
      const comment = await say(commenter, { [field]: record.id });
      const found = async (who: Client) =>
        (await who.get(`${api}/search?q=cormorant&kind=comment&limit=100`)).body.map(({ id }: any) => id);
      expect(await found(guest)).toContain(comment.id);
      await owner.put(`${api}/${path}/${record.id}`, { visibility: "private" });
      for (const who of [guest, stranger, commenter]) {
        expect((await who.get(`${comments}?${field}=${record.id}`)).body).toEqual([]);
        expect((await who.get(`${comments}/${comment.id}`)).status).toBe(404);
        expect(await found(who)).not.toContain(comment.id);
        expect((await commenter.post(comments, { content: "?", [field]: record.id })).status).toBe(404);
      }
      for (const who of [owner, admin]) expect(await ids(who, `${field}=${record.id}`)).toEqual([comment.id]);
      await owner.put(`${api}/${path}/${record.id}`, { visibility: "public" });

      await owner.delete(`${api}/comments/${comment.id}`);
      await owner.delete(`${api}/${path}/${record.id}`);
      const entries = (await owner.get(`${api}/trash`)).body;
      const entryOf = (name: string, id: number) =>
        entries.find((entry: any) => entry.kind === name && entry.recordID === id).id;
      const restore = (id: number) => owner.post(`${api}/trash/${id}/restore`, {});
      const refused = await restore(entryOf("comment", comment.id));
      expect(refused.body.error).toBe(
        `The ${kind} this comment belongs to is in the trash: restore the ${kind} first.`,
      );
      await restore(entryOf(kind, record.id));
      await restore(entryOf("comment", comment.id));
      expect(await ids(guest, `${field}=${record.id}`)).toEqual([comment.id]);

      await owner.delete(`${api}/${path}/${record.id}`);
      const again = (await owner.get(`${api}/trash`)).body.find(
        (one: any) => one.kind === kind && one.recordID === record.id,
      );
      expect((await owner.delete(`${api}/trash/${again.id}`)).status).toBe(200);
      expect((await admin.get(`${comments}/${comment.id}`)).status).toBe(404);
    });

  test("their owner moderates them in the same queue, with what they are on", async () => {
    const { owner, stranger, admin } = people;
    const [photo, album] = [await createPhoto(), await createAlbum()];
    await admin.put(`${api}/settings`, { approveFirstComments: true });

    const waiting = [await say(newcomer, { photoID: photo.id }), await say(newcomer, { albumID: album.id })];
    await admin.put(`${api}/settings`, { approveFirstComments: false });
    expect(waiting.map(({ status }) => status)).toEqual(["waiting", "waiting"]);
    expect((await owner.get(`${api}/attention`)).body.waitingComments).toBe(2);
    expect((await stranger.get(`${api}/attention`)).body.waitingComments).toBe(0);
    const picture = photo.variants[0]?.url ?? null;
    expect((await owner.get(`${comments}/queue`)).body).toEqual([
      { ...waiting[0], post: null, photo: { id: photo.id, title: "Dusk", picture }, album: null },
      { ...waiting[1], post: null, photo: null, album: { id: album.id, name: "Lisbon", picture: null } },
    ]);
    expect((await stranger.get(`${comments}/queue`)).body).toEqual([]);
    expect((await stranger.put(`${comments}/${waiting[0].id}`, { status: "visible" })).status).toBe(404);
    await owner.post(`${comments}/batch`, { ids: waiting.map(({ id }) => id), status: "visible" });
    expect(await ids(people.guest, `photoID=${photo.id}`)).toEqual([waiting[0].id]);
  });

  test("switched off, there are no new ones, and only those concerned see the others", async () => {
    const { guest, owner, stranger, admin } = people;
    const photo = await createPhoto();
    const comment = await say(commenter, { photoID: photo.id });
    await switchTo(false);
    const { status, body } = await commenter.post(comments, { content: "?", photoID: photo.id });
    expect([status, body.error]).toEqual([403, "Comments on photos and albums are switched off on this site."]);
    for (const who of [guest, stranger]) {
      expect(await ids(who, `photoID=${photo.id}`)).toEqual([]);
      expect((await who.get(`${comments}/${comment.id}`)).status).toBe(404);
    }
    for (const who of [owner, commenter, admin]) expect(await ids(who, `photoID=${photo.id}`)).toEqual([comment.id]);
    await switchTo(true);
    expect(await ids(guest, `photoID=${photo.id}&cursor=`)).toEqual([comment.id]);
  });
});
