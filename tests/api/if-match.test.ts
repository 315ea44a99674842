// Runs on other engines only with TEST_LONG: which state a request may change is decided before the engines.
import { describe, expect, test } from "bun:test";
import { append, tus } from "../../src/features/uploads/tus.test.ts";
import { type Client, everything } from "../kit/client.ts";
import { api, everybody, fresh, made, type People } from "../kit/permissions/records.ts";
import { rows } from "../kit/permissions/rows.ts";
import { useServer } from "../kit/use-server.ts";

const server = useServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
const people = server.everybody();
const { owner, admin } = people;

/** The same client, which sends If-Match with every request. */
function matching(who: Client, tag: string): Client {
  const request: Client["request"] = (method, path, init = {}) =>
    who.request(method, path, { ...init, headers: { ...(init.headers as Record<string, string>), "If-Match": tag } });
  const headers = { "Content-Type": "application/json" };
  return {
    ...who,
    request,
    put: (path, body) => request("PUT", path, { headers, body: JSON.stringify(body) }),
    delete: (path) => request("DELETE", path),
  };
}

/** What a guest sees of everything, and the admin of the record. */
async function stateOf({ watch = [] }: { watch?: string[] } = {}) {
  const watched = watch.map(async (path) => [path, (await admin.get(path, tus)).body]);
  return { ...(await everything(server)), watched: await Promise.all(watched) };
}

const tagOf = async (who: Client, path: string) => (await who.get(path)).headers.get("etag") as string;

/** Records that can be read, changed and deleted at the same path. */
const kinds: [kind: string, prepare: (people: People) => Promise<any>, change: (text: string) => object][] = [
  ["photos", fresh.photo, (title) => ({ title })],
  ["blog", fresh.post, (title) => ({ title })],
  ["albums", fresh.album, (name) => ({ name })],
  ["files", fresh.file, (name) => ({ name: `${name}-${crypto.randomUUID()}` })],
];

describe("If-Match", () => {
  const changing = rows.filter(({ route }) => /^(PUT|PATCH|DELETE) /.test(route));
  test.each(changing.map((row) => [row.route, row] as const))(
    "with another tag, %s changes nothing",
    async (_, row) => {
      expect(changing.length).toBeGreaterThanOrEqual(18);
      // All find the same record, because nobody before has changed anything.
      const record = await row.prepare?.(people);
      const before = await stateOf(record);
      for (const [index, who] of everybody.entries()) {
        const { status, body } = await row.send(matching(people[who], 'W/"another"'), record);
        const allowed = row.expected[index] as number;
        // Whether the caller may do this at all is decided first.
        expect([who, status, body.code]).toEqual(
          allowed < 300 ? [who, 412, "outdated"] : [who, allowed, expect.any(String)],
        );
      }
      expect(await stateOf(record)).toEqual(before);
    },
  );

  test.each(kinds)("with the ETag that the same caller was sent, %s can be changed", async (kind, prepare, change) => {
    for (const who of [owner, admin]) {
      const path = `${api}/${kind}/${(await prepare(people)).id}`;
      const first = await tagOf(who, path);
      expect(first).toMatch(/^W\/"\w+"$/);
      const forms = (tag: string) => [tag, tag.slice(2), `"other", ${tag}`, `${tag} , "other"`, "*", " * "];
      for (const [index] of forms(first).entries()) {
        const tag = forms(await tagOf(who, path))[index] as string;
        expect([tag, (await matching(who, tag).put(path, change(`Change ${index}`))).status]).toEqual([tag, 200]);
      }
      const last = await tagOf(who, path);
      const hostile = [first, "", ",", '""', '"', "W/", first.toUpperCase(), `${last}x`, `"${last}"`, "x".repeat(4000)];
      for (const tag of hostile) {
        expect([tag, (await matching(who, tag).put(path, change("Lost"))).status]).toEqual([tag, 412]);
        expect([tag, (await matching(who, tag).delete(path)).status]).toEqual([tag, 412]);
      }
      expect(await tagOf(who, path)).toBe(last);
      expect((await matching(who, last).delete(path)).status).toBe(200);
      expect((await matching(who, last).put(path, change("Gone"))).status).toBe(404);
      expect((await matching(who, "*").delete(path)).status).toBe(404);
    }
  });

  test.each(kinds)(
    "of a change of %s is what a GET has, so that it can be changed again",
    async (kind, prepare, change) => {
      for (const who of [owner, admin]) {
        const path = `${api}/${kind}/${(await prepare(people)).id}`;
        const unread = await who.put(path, change("Unread"));
        // The response to a change of an album has no photos: their tag costs reading them.
        expect(unread.headers.get("etag")).toBe(kind === "albums" ? null : await tagOf(who, path));
        let tag = await tagOf(who, path);
        for (let round = 0; round < 3; round++) {
          const { status, headers } = await matching(who, tag).put(path, change(`Again ${round}`));
          expect([status, headers.get("etag")]).toEqual([200, await tagOf(who, path)]);
          tag = headers.get("etag") as string;
        }
        const other = who === owner ? admin : owner;
        expect((await other.put(path, change("In between"))).status).toBe(200);
        expect((await matching(who, tag).put(path, change("Lost"))).status).toBe(412);
      }
    },
  );

  test("of a change of anything else that can be read is what a GET has, too", async () => {
    const album = await fresh.album(people);
    const { id: shareID } = (await owner.post(`${api}/shares`, { kind: "album", id: album.id })).body;
    const { id: hookID } = (await admin.post(`${api}/webhooks`, { url: "http://127.0.0.1:1/", events: ["none.none"] }))
      .body;
    const changes: [path: string, who: Client, body: object][] = [
      [`comments/${(await fresh.comment(people)).id}`, owner, { content: "Changed" }],
      [`shares/${shareID}`, owner, { allowDownload: true }],
      [`webhooks/${hookID}`, admin, { isActive: false }],
      ["settings", admin, { tagline: "Changed" }],
      [`users/${people.stranger.userID}`, admin, { role: "author" }],
    ];
    for (const [path, who, body] of changes) {
      const { status, headers } = await who.put(`${api}/${path}`, body);
      expect([path, status, headers.get("etag")]).toEqual([path, 200, await tagOf(who, `${api}/${path}`)]);
    }
    // The tag of the album whose photos were ordered.
    const path = `${api}/albums/${album.id}`;
    const ordered = await matching(owner, await tagOf(owner, path)).put(`${path}/photos`, { photoIDs: [] });
    expect([ordered.status, ordered.headers.get("etag")]).toEqual([200, await tagOf(owner, path)]);
  });

  test("is compared after the input is checked", async () => {
    const { id } = await fresh.post(people);
    expect((await matching(owner, '"another"').put(`${api}/blog/${id}`, { title: 1 })).status).toBe(400);
  });

  test.each(kinds)("lets exactly one of two concurrent changes of %s succeed", async (kind, prepare, change) => {
    const path = `${api}/${kind}/${(await prepare(people)).id}`;
    for (let round = 0; round < 20; round++) {
      const tags = [await tagOf(owner, path), await tagOf(admin, path)] as const;
      const sent = [owner, admin].map((who, index) =>
        matching(who, tags[index as 0 | 1]).put(path, change(`${round} by ${index}`)),
      );
      const answers = await Promise.all(sent);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await owner.get(path)).body).toMatchObject({ updatedAt: winner?.body.updatedAt });
    }
  });

  test.each(kinds)("lets either a change or a deletion of %s succeed, never both", async (kind, prepare, change) => {
    for (let round = 0; round < 5; round++) {
      const path = `${api}/${kind}/${(await prepare(people)).id}`;
      const who = matching(owner, await tagOf(owner, path));
      const [changed, deleted] = await Promise.all([who.put(path, change("Changed")), who.delete(path)]);
      const isChanged = changed.status === 200;
      expect([changed.status, deleted.status]).toEqual(isChanged ? [200, 412] : [404, 200]);
      expect((await owner.get(path)).status).toBe(isChanged ? 200 : 404);
    }
  });

  test("works on comments with the ETag of their creation or last change", async () => {
    const { id: blogPostID } = await fresh.post(people);
    const created = await owner.post(`${api}/comments`, { content: "First", blogPostID });
    const path = `${api}/comments/${created.body.id}`;
    const first = created.headers.get("etag") as string;
    let tag = first;
    for (let round = 0; round < 20; round++) {
      const sent = [owner, admin].map((who, index) =>
        matching(who, tag).put(path, { content: `${round} by ${index}` }),
      );
      const answers = await Promise.all(sent);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await owner.get(`${api}/comments?blogPostID=${blogPostID}`)).body.at(-1)).toEqual(winner?.body);
      tag = winner?.headers.get("etag") as string;
    }
    expect((await matching(owner, first).put(path, { content: "Lost" })).status).toBe(412);
    expect((await matching(owner, first).delete(path)).status).toBe(412);
    expect((await matching(people.stranger, tag).delete(path)).status).toBe(403);
    expect((await matching(owner, tag).delete(path)).status).toBe(200);
    expect((await matching(owner, tag).put(path, { content: "Gone" })).status).toBe(404);
  });

  test("protects the order of an album against photos that are added at the same time", async () => {
    const { id, photoID } = await fresh.album(people);
    const path = `${api}/albums/${id}`;
    const old = await tagOf(owner, path);
    const photo = await fresh.photo(people);
    await made(owner, `/albums/${id}/photos`, { photoID: photo.id });
    expect((await matching(owner, old).put(`${path}/photos`, { photoIDs: [photoID] })).status).toBe(412);
    expect((await matching(owner, old).delete(`${path}/photos/${photoID}`)).status).toBe(412);
    expect((await owner.get(path)).body.photos).toHaveLength(2);
    const order = { photoIDs: [photo.id, photoID] };
    expect((await matching(owner, await tagOf(owner, path)).put(`${path}/photos`, order)).status).toBe(200);
    expect((await matching(owner, await tagOf(owner, path)).delete(`${path}/photos/${photoID}`)).status).toBe(200);
    expect((await owner.get(path)).body.photos.map((one: any) => one.id)).toEqual([photo.id]);
  });

  test("works on uploads and imports", async () => {
    const upload = await fresh.upload(people);
    const old = (await owner.get(upload.path, tus)).headers.get("etag") as string;
    expect((await append(matching(owner, old), upload.path, 0, "first")).status).toBe(204);
    expect((await append(matching(owner, old), upload.path, 5, "again")).status).toBe(412);
    expect((await matching(owner, old).request("DELETE", upload.path, { headers: tus })).status).toBe(412);
    const { headers, body } = await owner.get(upload.path, tus);
    expect(body.offset).toBe(5);
    const cancelled = await matching(owner, headers.get("etag") as string).request("DELETE", upload.path, {
      headers: tus,
    });
    expect(cancelled.status).toBe(204);

    const { path } = await fresh.import(people);
    expect((await matching(owner, await tagOf(owner, path)).delete(path)).status).toBe(200);
  });

  test("is declared for every change in the API document", async () => {
    const { paths } = (await people.guest.get("/openapi.json")).body;
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, operation]) => ({ path, method, operation })),
    );
    for (const { path, method, operation } of all) {
      const isChange = ["put", "patch", "delete"].includes(method);
      if (isChange) expect([path, operation.responses[412]?.description]).toEqual([path, expect.any(String)]);
      const isCompared = operation.parameters.some(({ name }: any) => name === "If-Match");
      const isRecord = path.endsWith("{id}") && "get" in paths[path];
      if (isChange && isRecord) expect([path, isCompared]).toEqual([path, true]);
      if (method === "get" && isRecord) expect(operation.responses[200].headers.ETag).toBeDefined();
    }
  });
});
