import { describe, expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
const comments = `${api}/comments`;

const server = useServer();
const people = server.people();
const commenter = server.person("commenter", "reader");

const freshPost = async (fields: object = {}) =>
  (await people.owner.post(`${api}/blog`, { title: "Post", content: "…", ...fields })).body;
const say = async (who: Client, post: any, fields: object = {}) =>
  (await who.post(comments, { content: "A cormorant", blogPostID: post.id, ...fields })).body;
const thread = async (who: Client, post: any, query = "") =>
  (await who.get(`${comments}?blogPostID=${post.id}${query}`)).body.map(({ id }: any) => id);
const setStatus = (who: Client, { id }: any, status: string) => who.put(`${comments}/${id}`, { status });

describe("the status of a comment", () => {
  test("the author of the post hides a comment: then only they, its author and admins see it", async () => {
    const { guest, stranger, owner, admin } = people;
    const post = await freshPost();
    const [shown, hidden] = [await say(stranger, post), await say(commenter, post)];
    const { status, body } = await setStatus(owner, hidden, "hidden");
    expect([status, body]).toEqual([200, { ...hidden, status: "hidden", updatedAt: body.updatedAt }]);
    const found = async (who: Client) =>
      (await who.get(`${api}/search?q=cormorant&kind=comment&limit=100`)).body.map(({ id }: any) => id);
    for (const who of [guest, stranger]) {
      expect(await thread(who, post)).toEqual([shown.id]);
      expect(await thread(who, post, "&cursor=&pageSize=1")).toEqual([shown.id]);
      expect(await thread(who, post, "&status=hidden")).toEqual([]);
      expect((await who.get(`${comments}/${hidden.id}`)).status).toBe(404);
      expect(await found(who)).not.toContain(hidden.id);
    }
    expect((await stranger.put(`${comments}/${hidden.id}`, { content: "?" })).status).toBe(404);
    expect((await stranger.delete(`${comments}/${hidden.id}`)).status).toBe(404);
    for (const who of [owner, commenter, admin]) {
      expect(await thread(who, post)).toEqual([shown.id, hidden.id]);
      expect(await thread(who, post, "&cursor=")).toEqual([shown.id, hidden.id]);
      expect(await thread(who, post, "&status=hidden")).toEqual([hidden.id]);
      expect((await who.get(`${comments}/${hidden.id}`)).body).toEqual(body);
      expect(await found(who)).toContain(hidden.id);
    }
    await setStatus(admin, hidden, "visible");
    expect(await thread(guest, post)).toEqual([shown.id, hidden.id]);
  });

  test("its author changes the content but not the status, and the author of the post the other way round", async () => {
    const { owner, admin } = people;
    const comment = await say(commenter, await freshPost());
    expect((await setStatus(commenter, comment, "hidden")).status).toBe(403);
    expect((await owner.put(`${comments}/${comment.id}`, { content: "Mine" })).status).toBe(403);
    expect((await owner.put(`${comments}/${comment.id}`, { content: "Mine", status: "hidden" })).status).toBe(403);
    expect((await owner.get(`${comments}/${comment.id}`)).body).toEqual(comment);
    expect((await setStatus(owner, comment, "gone")).status).toBe(400);
    expect((await owner.put(`${comments}/${comment.id}`, {})).status).toBe(400);
    const both = await admin.put(`${comments}/${comment.id}`, { content: "Edited", status: "hidden" });
    expect(both.body).toMatchObject({ content: "Edited", status: "hidden", ownerID: commenter.userID });
    const own = await commenter.put(`${comments}/${comment.id}`, { content: "Again" });
    expect(own.body).toMatchObject({ content: "Again", status: "hidden" });
  });

  test("closed comments refuse new ones and keep the others", async () => {
    const { owner } = people;
    const post = await freshPost();
    const early = await say(commenter, post);
    await owner.put(`${api}/blog/${post.id}`, { commentsOpen: false });
    for (const who of [commenter, owner]) {
      const { status, body } = await who.post(comments, { content: "Late", blogPostID: post.id });
      expect([status, body.error]).toEqual([403, "Comments on this post are closed."]);
    }
    expect(await thread(commenter, post)).toEqual([early.id]);
    await owner.put(`${api}/blog/${post.id}`, { commentsOpen: true });
    expect((await commenter.post(comments, { content: "Again", blogPostID: post.id })).status).toBe(201);
  });
});

describe("replies", () => {
  test("name the comment they reply to, one level deep, on the same post", async () => {
    const { stranger } = people;
    const [post, other] = [await freshPost(), await freshPost()];
    const parent = await say(commenter, post);
    const reply = await say(stranger, post, { parentID: parent.id });
    expect(reply.parentID).toBe(parent.id);
    const elsewhere = await say(commenter, other);
    for (const parentID of [reply.id, elsewhere.id, 999_999, 0, "x"]) {
      const { status, body } = await stranger.post(comments, { content: "?", blogPostID: post.id, parentID });
      expect([parentID, status, body.field]).toEqual([parentID, 400, "parentID"]);
    }
    expect(await thread(stranger, post)).toEqual([parent.id, reply.id]);
  });

  test("stay when the comment is hidden or deleted, without naming it, and are its replies again afterwards", async () => {
    const { guest, stranger, owner } = people;
    const post = await freshPost();
    const parent = await say(commenter, post);
    const reply = await say(stranger, post, { parentID: parent.id });
    const parentFor = async (who: Client) => (await who.get(`${comments}/${reply.id}`)).body.parentID;
    await setStatus(owner, parent, "hidden");
    expect(await Promise.all([guest, stranger, commenter, owner].map(parentFor))).toEqual([
      null,
      null,
      parent.id,
      parent.id,
    ]);
    const refused = await stranger.post(comments, { content: "?", blogPostID: post.id, parentID: parent.id });
    expect(refused.status).toBe(400);
    await setStatus(owner, parent, "visible");
    await owner.delete(`${comments}/${parent.id}`);
    expect(await thread(guest, post)).toEqual([reply.id]);
    expect(await parentFor(owner)).toBeNull();
    const [entry] = (await owner.get(`${api}/trash`)).body;
    await owner.post(`${api}/trash/${entry.id}/restore`);
    expect(await parentFor(guest)).toBe(parent.id);
    await owner.delete(`${comments}/${parent.id}`);
    const [again] = (await people.admin.get(`${api}/trash`)).body.concat((await owner.get(`${api}/trash`)).body);
    expect((await people.admin.delete(`${api}/trash/${again.id}`)).status).toBe(200);
    expect(await parentFor(guest)).toBeNull();
  });
});

describe("first comments of new accounts", () => {
  test("wait for approval if the site says so; after one was approved, no more do", async () => {
    const { admin, owner, guest } = people;
    await admin.put(`${api}/settings`, { approveFirstComments: true });
    const newcomer = await person(server, "newcomer");
    const post = await freshPost();
    const [first, second] = [await say(newcomer, post), await say(newcomer, post)];
    expect([first.status, second.status]).toEqual(["waiting", "waiting"]);
    expect(await thread(guest, post)).toEqual([]);
    expect(await thread(newcomer, post)).toEqual([first.id, second.id]);
    for (const who of [owner, admin, commenter]) expect((await say(who, post)).status).toBe("visible");

    const waiting = async (who: Client) => (await who.get(`${comments}?status=waiting`)).body.map(({ id }: any) => id);
    for (const who of [owner, admin]) expect(await waiting(who)).toEqual([first.id, second.id]);
    for (const who of [people.stranger, newcomer]) expect(await waiting(who)).toEqual([]);
    expect((await guest.get(`${comments}?status=waiting`)).status).toBe(401);
    expect((await owner.get(`${comments}?status=visible`)).status).toBe(400);
    expect((await guest.get(comments)).status).toBe(400);

    expect((await setStatus(newcomer, first, "visible")).status).toBe(403);
    await setStatus(owner, first, "visible");
    expect((await say(newcomer, post)).status).toBe("visible");
    await setStatus(owner, first, "hidden");
    await owner.delete(`${comments}/${first.id}`);
    expect((await say(newcomer, post)).status).toBe("visible");
    expect((await say(await person(server, "another"), post)).status).toBe("waiting");
    await admin.put(`${api}/settings`, { approveFirstComments: false });
    expect((await say(await person(server, "third"), post)).status).toBe("visible");
  });
});

describe("many comments at once", () => {
  test("those that one may change are changed together, and the others are reported", async () => {
    const { stranger, owner, admin, guest } = people;
    const post = await freshPost();
    const own: number[] = [];
    for (let number = 0; number < 3; number++) own.push((await say(commenter, post)).id);
    const elsewhere = (await stranger.post(`${api}/blog`, { title: "Theirs", content: "…" })).body;
    const foreign = (await say(commenter, elsewhere)).id;
    const batch = (who: Client, body: object) => who.post(`${comments}/batch`, body);
    const { status, body } = await batch(owner, { ids: [...own, foreign, 999_999], status: "hidden" });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      ...own.map((id) => ({ id, status: 200, error: null })),
      { id: foreign, status: 403, error: expect.any(String) },
      { id: 999_999, status: 404, error: expect.any(String) },
    ]);
    expect(await thread(guest, post)).toEqual([]);
    expect(await thread(guest, elsewhere)).toEqual([foreign]);
    expect(
      (await batch(commenter, { ids: own, status: "visible" })).body.results.map(({ error }: any) => error),
    ).toEqual(own.map(() => expect.any(String)));
    await batch(admin, { ids: [...own, foreign], status: "visible" });
    expect(await thread(guest, post)).toEqual(own);
    await batch(commenter, { ids: own.slice(0, 2), trash: true });
    expect(await thread(guest, post)).toEqual(own.slice(2));
    expect((await commenter.get(`${api}/trash`)).body.map(({ recordID }: any) => recordID)).toEqual(
      own.slice(0, 2).toReversed(),
    );
    for (const wrong of [
      {},
      { ids: own },
      { ids: [], status: "hidden" },
      { ids: [0], status: "hidden" },
      { ids: own, status: "gone" },
      { ids: own, trash: false },
      { ids: Array.from({ length: 1001 }, (_, index) => index + 1), trash: true },
    ]) {
      expect([wrong, (await batch(admin, wrong)).status]).toEqual([wrong, 400]);
    }
    expect((await batch(client(server), { ids: own, trash: true })).status).toBe(401);
  });
});
