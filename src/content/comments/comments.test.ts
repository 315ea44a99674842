import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, isoTime } from "../../../tests/kit/client.ts";
import { isScaled } from "../../../tests/kit/engine.ts";
import { serverConfig } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";
import { openDatabase } from "../../engines.ts";
import { schemaOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import { sql } from "../../platform/database/sql.ts";
import { insertComment } from "./store.ts";

let post: any;

const comments = "/api/v1/comments";

const server = useServer();
const { guest } = server;
const writer = server.person("writer");
const stranger = server.person("stranger");
const reader = server.person("reader", "reader");
beforeAll(async () => {
  post = (await writer.post("/api/v1/blog", { title: "Discuss", content: "…" })).body;
});

const freshPost = async () => (await writer.post("/api/v1/blog", { title: "Fresh", content: "…" })).body;
const comment = async (who: Client, blogPostID: number, content = "The second picture made my day.") =>
  (await who.post(comments, { content, blogPostID })).body;
const thread = async (blogPostID: number) => (await guest.get(`${comments}?blogPostID=${blogPostID}`)).body;

/** Somebody waits for a lock of somebody else. */
const isBlocked = sql`
  SELECT 1 AS one FROM pg_stat_activity
  WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0 LIMIT 1`;

describe("commenting", () => {
  test.skipIf(!isScaled)("a post is not deleted while a comment on it is written: none is left behind", async () => {
    const { id } = await freshPost();
    const db = await openDatabase(await serverConfig(server), schemaOf(modules));
    let isDeleted = false;
    const remove = async () => {
      await writer.delete(`/api/v1/blog/${id}`);
      await writer.delete("/api/v1/trash");
      isDeleted = true;
    };
    let removing = Promise.resolve();
    await db.transaction(async (tx) => {
      const author = { id: reader.userID, username: "reader", role: "reader" } as const;
      await insertComment(tx, author, { blogPostID: id, content: "Late", parentID: null });
      removing = remove();
      const isOver = async () => isDeleted || (await db.get(isBlocked)) !== null;
      await until(isOver, Boolean);
    });
    await removing;
    const left = sql`
      SELECT id FROM comments WHERE target_kind = 'post' AND target_id = ${id} UNION ALL SELECT id FROM posts WHERE id = ${id}`;
    expect(await db.all(left)).toEqual([]);
    await db.close();
  });

  test("a comment is returned complete, with the name of its author and nothing else about them", async () => {
    const { status, body } = await reader.post(comments, { content: "Lovely", blogPostID: post.id });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      content: "Lovely",
      blogPostID: post.id,
      photoID: null,
      albumID: null,
      parentID: null,
      status: "visible",
      ownerID: reader.userID,
      author: { id: reader.userID, username: "reader" },
      source: null,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: body.createdAt,
    });
    expect(await thread(post.id)).toContainEqual(body);
  });

  test("the list is complete, oldest first, and has only the comments on this post", async () => {
    const [here, there] = [await freshPost(), await freshPost()];
    expect(await thread(here.id)).toEqual([]);
    const written: unknown[] = [];
    for (let number = 1; number <= 25; number++) {
      written.push(await comment([reader, stranger, writer][number % 3] as Client, here.id, `Comment ${number}`));
      if (number % 5 === 0) await comment(reader, there.id, "Elsewhere");
    }
    expect(await thread(here.id)).toEqual(written);
    expect(await thread(there.id)).toHaveLength(5);
  });

  test("listing requires a post: none is 400, an unknown one has no comments", async () => {
    for (const query of ["", "?blogPostID=", "?blogPostID=x", "?blogPostID=0", "?blogpostid=1", "?page=1"]) {
      const { status, body } = await guest.get(comments + query);
      expect([query, status]).toEqual([query, 400]);
      expect(body.error).toContain("blogPostID");
    }
    expect(await guest.get(`${comments}?blogPostID=999999`)).toMatchObject({ status: 200, body: [] });
  });

  test("a comment on a post that does not exist is 404, and does not appear on a later post with that id", async () => {
    const next = (await freshPost()).id + 1;
    const { status, body } = await reader.post(comments, { content: "First!", blogPostID: next });
    expect(status).toBe(404);
    expect(body.error).toContain(String(next));
    expect((await freshPost()).id).toBe(next);
    expect(await thread(next)).toEqual([]);
  });

  test("a client cannot write as another user", async () => {
    const wish = {
      id: 4711,
      ownerID: writer.userID,
      author: { id: writer.userID, username: "writer" },
      createdAt: "1999",
    };
    const { body } = await reader.post(comments, { content: "Signed", blogPostID: post.id, ...wish });
    expect(body).toMatchObject({ ownerID: reader.userID, author: { id: reader.userID, username: "reader" } });
    expect(body.id).not.toBe(4711);
    expect(body.createdAt).not.toStartWith("1999");
    const changed = (await reader.put(`${comments}/${body.id}`, { content: "Signed again", ...wish })).body;
    expect(changed).toEqual({ ...body, content: "Signed again", updatedAt: changed.updatedAt });
  });

  test("a single comment is read by its id", async () => {
    const made = await comment(reader, post.id);
    expect((await guest.get(`${comments}/${made.id}`)).body).toEqual(made);
    expect((await guest.get(`${comments}/999999`)).status).toBe(404);
  });
});

describe("changing a comment", () => {
  test("changes its content, but not its post, author or position", async () => {
    const here = await freshPost();
    const [first, second] = [await comment(reader, here.id), await comment(stranger, here.id)];
    // So that the time of the change is another one.
    await until(() => Date.now() > Date.parse(first.updatedAt));
    const { status, body } = await reader.put(`${comments}/${first.id}`, { content: "Edited", blogPostID: post.id });
    expect(status).toBe(200);
    expect(body).toEqual({ ...first, content: "Edited", updatedAt: body.updatedAt });
    expect(body.updatedAt > first.updatedAt).toBe(true);
    expect(await thread(here.id)).toEqual([body, second]);
  });

  test("without content is refused and changes nothing", async () => {
    const mine = await comment(reader, post.id);
    for (const body of [{}, { blogPostID: post.id }, { text: "?" }]) {
      const answer = await reader.put(`${comments}/${mine.id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain("content");
    }
    expect(await thread(post.id)).toContainEqual(mine);
  });

  test("the author of the post may not change a comment of a reader", async () => {
    const theirs = await comment(reader, post.id);
    expect((await writer.put(`${comments}/${theirs.id}`, { content: "I agree" })).status).toBe(403);
    expect((await stranger.put(`${comments}/${theirs.id}`, { content: "Me too" })).status).toBe(403);
    expect(await thread(post.id)).toContainEqual(theirs);
  });
});

describe("deleting a comment", () => {
  test("is allowed for its author and the author of the post, but not for another reader", async () => {
    const here = await freshPost();
    const [first, second, third] = [
      await comment(reader, here.id),
      await comment(reader, here.id),
      await comment(writer, here.id),
    ];
    expect((await stranger.delete(`${comments}/${first.id}`)).status).toBe(403);
    expect((await reader.delete(`${comments}/${third.id}`)).status).toBe(403);
    expect(await thread(here.id)).toEqual([first, second, third]);

    const { status, body } = await reader.delete(`${comments}/${first.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });
    expect((await writer.delete(`${comments}/${second.id}`)).status).toBe(200);
    expect(await thread(here.id)).toEqual([third]);
    expect((await reader.put(`${comments}/${first.id}`, { content: "Back" })).status).toBe(404);
    expect((await reader.delete(`${comments}/${first.id}`)).status).toBe(404);
  });

  test("is not allowed for the author of another post", async () => {
    await stranger.post("/api/v1/blog", { title: "Mine", content: "…" });
    const theirs = await comment(reader, post.id);
    expect((await stranger.delete(`${comments}/${theirs.id}`)).status).toBe(403);
    expect(await thread(post.id)).toContainEqual(theirs);
  });
});
