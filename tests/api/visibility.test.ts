import { expect, test } from "bun:test";
import fc from "fast-check";
import { client, type Client } from "../kit/client.ts";
import { startServer } from "../kit/server.ts";
import { isLong } from "../kit/long.ts";
import {
  anyChoice,
  createWorld,
  isHidden,
  listRequests,
  removePrivate,
  someOfEach,
  type World,
} from "../kit/visibility.ts";

test("private records exist for nobody but their owner and admins", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyChoice, { minLength: 8, maxLength: 16 }), async (choices) => {
      await using whole = await startServer();
      await using without = await startServer();
      const full = await createWorld(whole, client(whole), [...someOfEach, ...choices]);
      const bare = await createWorld(without, client(without), [...someOfEach, ...choices]);
      await removePrivate(bare);
      await expectSame(full, bare);
      await expectSeen(full);
    }),
    { numRuns: isLong ? 2 : 1, endOnFailure: true },
  );
});

/** Guests and strangers get the same responses from a site with private records as from the same site without them. */
async function expectSame(full: World, bare: World): Promise<void> {
  for (const who of ["guest", "stranger"] as const) {
    for (const request of listRequests(full)) {
      const answers = await Promise.all([send(full[who], request), send(bare[who], request)]);
      expect([who, request, answers[0]]).toEqual([who, request, answers[1]]);
    }
  }
}

type Request = ReturnType<typeof listRequests>[number];

/** What a client can tell two responses apart by, but for times and what depends on them. */
async function send(who: Client, { method, path, body }: Request) {
  const headers = { "Content-Type": "application/json", ...(who.token && { Authorization: `Bearer ${who.token}` }) };
  const response = await fetch(who.url(path), { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    link: response.headers.get("link"),
    total: response.headers.get("x-total-count"),
    cache: response.headers.get("cache-control"),
    // An archive has the times of its files, too: its length in bytes tells which there are.
    body:
      path.endsWith("/zip") && response.ok
        ? bytes.length
        : bytes.toString().replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|"requestID":"[^"]*"|(?<=\bv=)[\w-]{22}/g, ""),
  };
}

/** The owner and admins see everything: what is hidden, and what refers to it. */
async function expectSeen({ owner, root, records }: World): Promise<void> {
  const paths = { directory: "files", file: "files", photo: "photos", album: "albums", post: "blog" };
  for (const record of records) {
    if (record.kind === "comment" || record.kind === "entry") continue;
    const path = `/api/v1/${paths[record.kind]}/${record.id}`;
    for (const who of [owner, root]) {
      const { status, body, headers } = await who.get(path);
      const isPrivate = body.visibility === "private" || body.publishedAt === null;
      expect([path, status, isPrivate]).toEqual([path, 200, record.isPrivate]);
      if (isHidden(records, record)) expect(headers.get("cache-control")).toContain("no-store");
      const found = (await who.get(`/api/v1/search?q=${record.words}`)).body as { kind: string; id: number }[];
      const kind = record.kind === "directory" ? "file" : record.kind;
      expect(found.filter((one) => one.kind === kind).map(({ id }) => id)).toEqual([record.id]);
    }
  }
  for (const [kind, name] of [
    ["photo", "photos"],
    ["post", "blog"],
    ["album", "albums"],
  ] as const) {
    const all = records
      .filter((record) => record.kind === kind)
      .map(({ id }) => id)
      .toSorted((one, other) => other - one);
    const listed = async (who: Client, query: string) =>
      ((await who.get(`/api/v1/${name}?pageSize=1000&${query}`)).body as { id: number }[]).map(({ id }) => id);
    expect(await listed(owner, "owner=me")).toEqual(all);
    expect(await listed(root, "visibility=all")).toEqual(all);
  }
  for (const { id } of records.filter(({ kind }) => kind === "album")) {
    const { body } = await owner.get(`/api/v1/albums/${id}`);
    expect(body.photoCount).toBe(body.photos.length);
  }
}
