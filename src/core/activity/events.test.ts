import { describe, expect, test } from "bun:test";
import { type EventReader, openEvents, type StreamEvent, waitUntilSettled } from "../../../tests/kit/event-reader.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";

const server = useServer({ TRUST_PROXY: "loopback" });
const people = server.people();

const api = "/api/v1";
const open = async (who: Client, lastEventID?: string) => {
  await waitUntilSettled(server);
  return openEvents(server.url, { token: who.token, ...(lastEventID && { lastEventID }) });
};
const write = async (who: Client, title: string) => (await who.post(`${api}/blog`, { title, content: "…" })).body;
const isReady = ({ event }: StreamEvent) => event === "ready";
const brief = ({ data }: StreamEvent) => `${data.kind} ${data.recordID} ${data.action}`;

/** All events up to a post that is written now. */
async function eventsSoFar(reader: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const last = await write(people.owner, "The last one");
  const events = await reader.until(({ data }) => data.kind === "post" && data.recordID === last.id);
  return events.slice(0, -1).map(brief);
}

describe("private records", () => {
  test("have events for their owner and admins only, until they are public", async () => {
    const readers = await Promise.all(Object.values(people).map((who) => open(who)));
    const [guest, owner, stranger, admin] = readers as [EventReader, EventReader, EventReader, EventReader];
    await Promise.all(readers.map((reader) => reader.until(isReady)));
    const create = async (path: string, body: object) =>
      (await people.owner.post(`${api}/${path}`, { ...body, visibility: "private" })).body;
    const { body: file } = await people.owner.upload("secret.png", png(2, 2), { visibility: "private" });
    const photo = await create("photos", { title: "Secret", fileID: file.id });
    const album = await create("albums", { name: "Secret" });
    const post = await create("blog", { title: "Secret", content: "…" });
    const comment = (await people.owner.post(`${api}/comments`, { content: "Secret", blogPostID: post.id })).body;
    await people.owner.put(`${api}/albums/${album.id}`, { name: "Still secret" });
    await people.owner.delete(`${api}/photos/${photo.id}`);
    await people.owner.put(`${api}/blog/${post.id}`, { visibility: "public" });

    const last = await write(people.owner, "The end");
    const seenBy = async (reader: EventReader) => {
      const events = await reader.until(({ data }) => data.kind === "post" && data.recordID === last.id);
      return events.slice(0, -1).map(brief);
    };
    const everything = [
      `file ${file.id} created`,
      `photo ${photo.id} created`,
      `album ${album.id} created`,
      `post ${post.id} created`,
      `comment ${comment.id} created`,
      `album ${album.id} changed`,
      `photo ${photo.id} trashed`,
      `post ${post.id} changed`,
    ];
    for (const reader of [owner, admin]) expect(await seenBy(reader)).toEqual(everything);
    for (const reader of [guest, stranger]) {
      const seen = await seenBy(reader);
      expect(seen).toContain(`post ${post.id} changed`);
      expect(seen.filter((event) => !/^(post|comment) /.test(event))).toEqual([]);
    }
    await Promise.all(readers.map((reader) => reader.close()));
    // Those who resume see no more than those who were there.
    await using resumed = await open(people.stranger, stranger.lastEventID());
    await resumed.until(isReady);
    const replay = await open(people.guest, "0-0").then(async (reader) => {
      const events = await reader.until(isReady);
      await reader.close();
      return events.filter(({ event }) => event === "message").map(brief);
    });
    expect(replay.filter((event) => /^(file|photo|album) /.test(event) && everything.includes(event))).toEqual([]);
  });

  test("that were trashed before a client resumes have all their events for their owner and admins, and none for others", async () => {
    const first = await open(people.guest);
    await first.until(isReady);
    await first.close();
    const { body: hidden } = await people.owner.post(`${api}/albums`, { name: "Hidden", visibility: "private" });
    const { body: shown } = await people.owner.post(`${api}/albums`, { name: "Shown" });
    await people.owner.put(`${api}/albums/${hidden.id}`, { name: "Still hidden" });
    for (const { id } of [hidden, shown]) await people.owner.delete(`${api}/albums/${id}`);
    const missedBy = async (who: Client) => {
      await using reader = await open(who, first.lastEventID());
      return (await reader.until(isReady)).slice(0, -1).map(brief);
    };
    for (const who of [people.owner, people.admin]) {
      expect(await missedBy(who)).toEqual([
        `album ${hidden.id} created`,
        `album ${shown.id} created`,
        `album ${hidden.id} changed`,
        `album ${hidden.id} trashed`,
        `album ${shown.id} trashed`,
      ]);
    }
    for (const who of [people.guest, people.stranger])
      expect(await missedBy(who)).toEqual([`album ${shown.id} trashed`]);
  });

  test("that are trashed are unknown to strangers, and their names in the activity, too", async () => {
    await using guest = await open(people.guest);
    await guest.until(isReady);
    const { body: album } = await people.owner.post(`${api}/albums`, { name: "Hidden", visibility: "private" });
    await people.admin.delete(`${api}/albums/${album.id}`);
    expect(await eventsSoFar(guest)).toEqual([]);
    expect((await people.stranger.get(`${api}/activity?recordID=${album.id}&kind=album`)).body).toEqual([]);
    const { body: rows } = await people.owner.get(`${api}/activity?recordID=${album.id}&kind=album`);
    expect(rows.map(({ action, name }: any) => [action, name])).toEqual([
      ["trashed", "Hidden"],
      ["created", "Hidden"],
    ]);
  });
});

describe("a stream of events", () => {
  test("has an event for each change of a public record, also for guests", async () => {
    await using reader = await open(people.guest);
    const { headers } = reader.response;
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("cache-control")).toContain("no-store");
    expect([headers.get("x-accel-buffering"), headers.get("content-encoding")]).toEqual(["no", null]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    await reader.until(isReady);

    const post = await write(people.owner, "News");
    const { id, data } = await reader.next();
    expect(id).toMatch(/^\d+-\d+$/);
    expect(data).toEqual({ action: "created", kind: "post", recordID: post.id, createdAt: expect.any(String) });
    // Each is read before the next one: a change of a record that is in the trash by then would not be told.
    const next = async () => brief(await reader.next());
    await people.owner.put(`${api}/blog/${post.id}`, { title: "Newer" });
    expect(await next()).toBe(`post ${post.id} changed`);
    await people.owner.delete(`${api}/blog/${post.id}`);
    expect(await next()).toBe(`post ${post.id} trashed`);
    const [entry] = (await people.owner.get(`${api}/trash`)).body;
    await people.owner.post(`${api}/trash/${entry.id}/restore`);
    expect(await next()).toBe(`post ${post.id} restored`);
  });

  test("does not tell strangers about accounts, or about what was deleted permanently", async () => {
    await using guest = await open(people.guest);
    await using admin = await open(people.admin);
    await Promise.all([guest.until(isReady), admin.until(isReady)]);
    await people.guest.post("/signup", { username: "newcomer", password: "correct horse battery" });
    const album = (await people.owner.post(`${api}/albums`, { name: "Short" })).body;
    await people.owner.delete(`${api}/albums/${album.id}`);
    const [entry] = (await people.owner.get(`${api}/trash`)).body;
    await people.owner.delete(`${api}/trash/${entry.id}`);
    // the album is public while it exists: whether its creation is read before it is trashed is a matter of time
    const told = (await eventsSoFar(guest)).filter((event) => event !== `album ${album.id} created`);
    expect(told).toEqual([`album ${album.id} trashed`]);
    const seen = (await admin.until(({ data }) => data.action === "deleted")).map(brief);
    expect(seen).toContainEqual(expect.stringMatching(/^user \d+ signedUp$/));
    expect(seen).toContain(`album ${album.id} deleted`);
  });

  test("resumes after the last event that was received, without a gap and without a repetition", async () => {
    const first = await open(people.guest);
    await first.until(isReady);
    const known = await write(people.owner, "Seen");
    await first.next();
    await first.close();
    const missed = [await write(people.owner, "Missed"), await write(people.owner, "Missed, too")];

    await using second = await open(people.guest, first.lastEventID());
    const replayed = (await second.until(isReady)).slice(0, -1);
    expect(replayed.map(brief)).toEqual(missed.map(({ id }) => `post ${id} created`));
    expect(replayed.map(brief)).not.toContain(`post ${known.id} created`);
    const later = await write(people.owner, "Live");
    expect(brief(await second.next())).toBe(`post ${later.id} created`);

    await waitUntilSettled(server);
    const header = await fetch(`${server.url}${api}/events?lastEventID=${first.lastEventID()}`);
    const body = (header.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await body.read()).value)).toContain(`"recordID":${missed[0].id}`);
    await body.cancel();
  });

  test("loses nothing to a client that connects again and again while records are written", async () => {
    let reader = await open(people.guest);
    await reader.until(isReady);
    const written: number[] = [];
    const writer = (async () => {
      for (let index = 0; index < 60; index++) written.push((await write(people.owner, `Number ${index}`)).id);
    })();
    const seen: number[] = [];
    while (seen.length < 60) {
      const { id, event, data } = await reader.next();
      if (event !== "message") continue;
      seen.push(data.recordID);
      if (seen.length % 7 !== 0) continue;
      await reader.close();
      reader = await open(people.guest, id);
    }
    await writer;
    await reader.close();
    expect(seen).toEqual(written);
  });

  test("tells a client to reload if what it has missed is no longer known, or too much", async () => {
    await using old = await open(people.guest, "0-999999999");
    expect((await old.until(isReady)).map(({ event }) => event)).toEqual(["reload", "ready"]);
    const before = await open(people.guest);
    await before.until(isReady);
    await before.close();
    await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        for (let index = 0; index < 1300; index++) {
          tx.later(sql`INSERT INTO activity (created_at, record_id, was_public, kind, action, name)
            VALUES (${Date.now()}, 1, 0, 'nothing', 'changed', 'x')`);
        }
      }),
    );
    await using late = await open(people.guest, before.lastEventID());
    expect((await late.until(isReady)).map(({ event }) => event)).toEqual(["reload", "ready"]);
  });

  test("refuses a last event ID that is malformed", async () => {
    for (const lastEventID of ["x", "1", "-1", "1-", "1-2-3", "1e3-1", "9".repeat(400), "1-%00", "٣-٣"]) {
      const { status, body } = await people.guest.get(`${api}/events?lastEventID=${lastEventID}`);
      expect([lastEventID, status, body.field]).toEqual([lastEventID, 400, "lastEventID"]);
    }
  });

  test("ends when its user signs out, before the next event", async () => {
    const { body } = await people.guest.post("/signin", { username: "stranger", password: "correct horse battery" });
    await using reader = await openEvents(server.url, { token: body.token });
    await reader.until(isReady);
    await client(server, body.token).post("/signout");
    await write(people.owner, "After the end");
    await reader.ended;
    expect(reader.next()).rejects.toThrow("ended");
  });

  test("are limited per address, and a stream that was closed makes room", async () => {
    const headers = { "X-Forwarded-For": "192.0.2.77" };
    const readers = await Promise.all(Array.from({ length: 50 }, () => openEvents(server.url, { headers })));
    const refused = await fetch(`${server.url}${api}/events`, { headers });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(((await refused.json()) as any).error).toContain("50 event streams");
    await using elsewhere = await openEvents(server.url, { headers: { "X-Forwarded-For": "192.0.2.78" } });
    await elsewhere.until(isReady);
    await Promise.all(readers.map((reader) => reader.close()));
    const open = () => openEvents(server.url, { headers }).catch((error: Error) => error);
    const again = await until(open, (opened) => !(opened instanceof Error));
    await (again as EventReader).close();
  });

  test("HEAD returns the headers only, and leaves no stream open", async () => {
    for (let index = 0; index < 60; index++) {
      const { status, headers } = await fetch(`${server.url}${api}/events`, {
        method: "HEAD",
        headers: { "X-Forwarded-For": "192.0.2.79" },
      });
      expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    }
  });

  test("ends at once when the server stops, so that the client can go to another one", async () => {
    const other = await startServer();
    const reader = await openEvents(other.url);
    await reader.until(isReady);
    await other.close();
    // Requests that are still running are cut off.
    expect(await reader.ended).toBe("complete");
  });

  test("a photo, its file and its album have events, too", async () => {
    await using reader = await open(people.guest);
    await reader.until(isReady);
    const { body: file } = await people.owner.upload("event.png", png(2, 2));
    const { body: photo } = await people.owner.post(`${api}/photos`, { title: "Event", fileID: file.id });
    const { body: album } = await people.owner.post(`${api}/albums`, { name: "Events" });
    await people.owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
    expect(await eventsSoFar(reader)).toEqual([
      `file ${file.id} created`,
      `photo ${photo.id} created`,
      `album ${album.id} created`,
      `album ${album.id} changed`,
    ]);
  });
});
