import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Reader } from "../../src/platform/database/database.ts";
import { raw, sql } from "../../src/platform/database/sql.ts";
import { png } from "../kit/files/png.ts";
import { runBeside, withDatabase } from "../kit/server.ts";
import { takenPicture } from "../kit/files/pictures.ts";
import { useServer } from "../kit/use-server.ts";
import { until } from "../kit/until.ts";

const api = "/api/v1";
const lists = { photos: "photos", blog: "posts", albums: "albums" };
let fileID: number;

const server = useServer();
const owner = server.person("owner");
beforeAll(async () => {
  fileID = (await owner.upload("image.png", png(2, 2), { path: "/pictures" })).body.id;
});

test("counts are those of the records after any series of writes", async () => {
  const step = fc.record({ what: fc.constantFrom(...Object.keys(writes)), one: fc.nat(99), other: fc.nat(99) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      for (let start = 0; start < steps.length; start += 4) {
        // Some at the same time: what one deletes, another may miss.
        const some = steps.slice(start, start + 4).map(({ what, one, other }) => writes[what]!(one, other));
        for (const { status } of await Promise.all(some)) expect(status).toBeOneOf([200, 201, 400, 403, 404]);
      }
      await expectCounted();
    }),
    { numRuns: 6, endOnFailure: true },
  );
  for (const [name, table] of Object.entries(lists)) {
    const { body, headers } = await owner.get(`${api}/${name}?pageSize=1000`);
    expect([table, headers.get("x-total-count")]).toEqual([table, String(body.length)]);
  }
});

test("vitrine rebuild counts corrects counts that are wrong, while records are written", async () => {
  for (let number = 0; number < 3; number++) await writes.createAlbum!(number, 0);
  await writes.createPhoto!(0, 0);
  await writes.createPost!(3, 0);
  await owner.post(`${api}/comments`, { blogPostID: await idOf(`${api}/blog`, 0), content: "x" });
  await writes.attach!(0, 0);
  await owner.post(`${api}/photos/import`, { path: "/pictures" });
  await withDatabase(server, (db) =>
    db.transaction(async (tx) => {
      await tx.run(sql`UPDATE list_counts SET live = live + 7 WHERE list = 'photos'`);
      await tx.run(sql`DELETE FROM list_counts WHERE list = 'posts'`);
      await tx.run(sql`DELETE FROM list_counts WHERE list = 'albums' AND size = 1024`);
      await tx.run(sql`
        INSERT INTO list_counts (list, size, block, lane, live)
        VALUES ('albums', 65536, 90, 99, 5), ('albums', 1024, 800, 99, 5), ('albums', 0, 0, 99, 5)`);
      await tx.run(sql`UPDATE album_counts SET photos = photos + 1`);
      await tx.run(sql`UPDATE album_blocks SET photos = photos + 1 WHERE size = 28`);
      await tx.run(sql`UPDATE album_photos SET seen_by = 77 WHERE album_id % 2 = 1`);
      await tx.run(sql`UPDATE comment_counts SET comments = comments + 1`);
      await tx.run(sql`UPDATE imports SET refused = 9`);
      await tx.run(sql`UPDATE post_tags SET is_private = 1 - is_private WHERE tag_key = 'a'`);
      await tx.run(sql`DELETE FROM post_tags WHERE tag_key = 'b'`);
      await tx.run(sql`UPDATE photo_lists SET seen_by = 77 WHERE photo_id % 3 = 1`);
      await tx.run(sql`DELETE FROM photo_lists WHERE photo_id % 3 = 2`);
      await tx.run(sql`UPDATE photos SET camera_key = 'wrong' WHERE id % 2 = 1`);
      await tx.run(sql`UPDATE photo_months SET photos = photos + 2`);
      await tx.run(sql`UPDATE stored_bytes SET bytes = bytes + 2`);
      await tx.run(sql`UPDATE post_bytes SET bytes = bytes + 2`);
      await tx.run(
        sql`INSERT INTO photo_months (owner_id, is_private, month, lane, photos) VALUES (0, 0, '1999-12', 99, 1)`,
      );
    }),
  );
  const done = new AbortController();
  const writing = (async () => {
    for (let number = 0; !done.signal.aborted; number++) {
      for (const write of ["createAlbum", "createPhoto", "attach", "date", "trash", "restore", "detach"])
        await writes[write]!(number * 7, number * 3);
    }
  })();
  const rebuilt = await runBeside(server, ["rebuild", "counts"]);
  done.abort();
  await writing;
  expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ""]);
  for (const name of [
    "photos",
    "posts",
    "albums",
    "photos in albums",
    "photos in blocks of albums",
    "comments on posts, photos and albums",
    "files in imports",
    "tags of posts",
    "photos in lists",
    "photos in months",
    "stored bytes",
    "bytes of posts",
  ])
    expect(rebuilt.stdout).toMatch(new RegExp(`^Corrected \\d+ counts? of ${name}\\.$`, "m"));
  await expectCounted();
  expect((await runBeside(server, ["rebuild", "counts"])).stdout).toBe("All counts are correct.\n");
});

test("vitrine rebuild search has records indexed again, while the server is running", async () => {
  const { body: post } = await owner.post(`${api}/blog`, {
    title: "Lighthouse",
    content: "A cormorant dries its wings.",
  });
  const find = async (word: string) =>
    (await owner.get(`${api}/search?q=${word}`)).body.map(({ record }: any) => record.id) as number[];
  expect(await find("cormorant")).toEqual([post.id]);
  await withDatabase(server, (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        UPDATE documents SET title_words = ' other ', text_words = ' words ' WHERE kind = 'post' AND record_id = ${post.id}`),
    ),
  );
  expect(await find("cormorant")).toEqual([]);
  const rebuilt = await runBeside(server, ["rebuild", "search"]);
  expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ""]);
  expect(rebuilt.stdout).toMatch(/^The server will index \d+ records again, starting within seconds\.\n$/);
  await until(
    () => find("cormorant"),
    ({ length }) => length > 0,
  );
  expect(await find("lighthouse")).toEqual([post.id]);
});

/** A post may be published while the counts are read: then they are read again. */
async function expectCounted(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { counted, truth } = await withDatabase(server, compare);
    if (attempt === 5 || Bun.deepEquals(counted, truth)) return expect(counted).toEqual(truth);
    await Bun.sleep(200);
  }
}

const pick = <Item>(items: Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)];
const idOf = async (path: string, index: number): Promise<number> =>
  pick((await owner.get(path)).body as any[], index)?.id ?? 99_999;
const findOwn = async (kind: number, index: number) =>
  `${api}/${ofKind(kind)}/${await idOf(`${api}/${ofKind(kind)}?owner=me`, index)}`;
const ofKind = (index: number) => pick(Object.keys(lists), index) as string;

const times = ["2012:01:31 23:59:59", "2012:02:01 00:00:00", "1969:12:31 23:59:59"];

/** A record that is chosen by a number; there may be none. */
const writes: Record<string, (one: number, other: number) => Promise<{ status: number }>> = {
  createPhoto: () => owner.post(`${api}/photos`, { title: "x", fileID }),
  createPost: (one) => owner.post(`${api}/blog`, { title: "x", content: "x", tags: ["a", "b", "c"].slice(0, one % 4) }),
  draft: async (one) => owner.put(`${api}/blog/${await idOf(`${api}/blog?owner=me`, one)}`, { publishedAt: null }),
  publish: async (one, other) =>
    owner.put(`${api}/blog/${await idOf(`${api}/blog?owner=me`, one)}`, {
      publishedAt: new Date(Date.now() + (other % 3) * 20).toISOString(),
    }),
  createAlbum: () => owner.post(`${api}/albums`, { name: "x" }),
  trash: async (one, other) => owner.delete(await findOwn(one, other)),
  hide: async (one, other) => owner.put(await findOwn(one, other), { visibility: "private" }),
  show: async (one, other) => owner.put(await findOwn(one, other), { visibility: "public" }),
  restore: async (one) => owner.post(`${api}/trash/${await idOf(`${api}/trash`, one)}/restore`),
  purge: async (one) => owner.delete(`${api}/trash/${await idOf(`${api}/trash`, one)}`),
  date: async (one, other) =>
    owner.put(`${api}/photos/${await idOf(`${api}/photos?owner=me`, one)}`, {
      takenAt: other % 4 === 0 ? null : `20${10 + (other % 20)}-01-31T23:59:59Z`,
      tags: other % 2 === 0 ? ["Sea"] : ["Sky", "Sea"],
      isFavourite: other % 3 === 0,
    }),
  replace: async (one) =>
    owner.request("PUT", `${api}/files/${fileID}/content`, {
      body: await takenPicture(times[one % 3]!, `C${one % 2}`),
    }),
  turnBack: async (one) => {
    const version = await idOf(`${api}/files/${fileID}/versions`, one);
    return owner.post(`${api}/files/${fileID}/versions/${version}/restore`);
  },
  attach: async (one, other) =>
    owner.post(`${api}/albums/${await idOf(`${api}/albums?owner=me`, one)}/photos`, {
      photoID: await idOf(`${api}/photos?owner=me`, other),
    }),
  detach: async (one) => {
    const album = await idOf(`${api}/albums?owner=me`, one);
    const photo = (await owner.get(`${api}/albums/${album}`)).body.photos?.[0]?.id ?? 99_999;
    return owner.delete(`${api}/albums/${album}/photos/${photo}`);
  },
  arrange: async (one, other) => {
    const photoIDs = ((await owner.get(`${api}/photos?owner=me`)).body as any[])
      .slice(0, other % 5)
      .map(({ id }) => id);
    return owner.put(`${api}/albums/${await idOf(`${api}/albums?owner=me`, one)}/photos`, { photoIDs });
  },
};

type Counts = Record<string, number>;

/** The counts as they are stored, and as they follow from the records. */
async function compare(db: Reader): Promise<{ counted: Counts; truth: Counts }> {
  const [counted, truth]: [Counts, Counts] = [{}, {}];
  const stored = await db.all<{ list: string; size: number; block: number; live: number }>(sql`
    SELECT list, size, block, CAST(sum(live) AS BIGINT) AS live FROM list_counts
    GROUP BY list, size, block HAVING sum(live) <> 0`);
  for (const { list, size, block, live } of stored) counted[`${list} ${size} ${block}`] = live;
  for (const table of Object.values(lists)) {
    const rows = await db.all<{ id: number }>(
      sql`SELECT id FROM ${raw(table)} WHERE trash_id IS NULL AND is_private = 0`,
    );
    for (const { id } of rows) {
      for (const size of [0, 1024, 65_536]) {
        const name = `${table} ${size} ${size && Math.floor(id / size)}`;
        truth[name] = (truth[name] ?? 0) + 1;
      }
    }
  }
  const tags = await db.all<{ id: number; tag_key: string }>(sql`
    SELECT post_id AS id, tag_key FROM post_tags JOIN posts ON posts.id = post_id
    WHERE posts.trash_id IS NOT DISTINCT FROM post_tags.trash_id AND posts.is_private = post_tags.is_private
      AND posts.status = post_tags.status AND posts.published_at IS NOT DISTINCT FROM post_tags.published_at`);
  for (const { id, tag_key } of tags) counted[`tag ${tag_key} of post ${id}`] = 1;
  const tagged = await db.all<{ id: number; tags: string }>(sql`SELECT id, tags FROM posts`);
  for (const one of tagged)
    for (const tag of JSON.parse(one.tags) as string[]) truth[`tag ${tag} of post ${one.id}`] = 1;
  const albums = await db.all<{ id: number; seen_by: number; photos: number }>(sql`
    SELECT album_id AS id, seen_by, photos FROM album_counts WHERE photos <> 0`);
  for (const { id, seen_by, photos } of albums) counted[`album ${id} for ${seen_by}`] = photos;
  const entries = await db.all<{ id: number; is_private: number; owner_id: number; photos: number }>(sql`
    SELECT album_id AS id, is_private, owner_id, count(*) AS photos FROM album_photos JOIN photos ON photos.id = photo_id
    WHERE trash_id IS NULL GROUP BY album_id, is_private, owner_id`);
  for (const one of entries) truth[`album ${one.id} for ${one.is_private && one.owner_id}`] = one.photos;
  const months = await db.all<{ owner_id: number; is_private: number; month: string; photos: number }>(sql`
    SELECT owner_id, is_private, month, CAST(sum(photos) AS BIGINT) AS photos FROM photo_months
    GROUP BY owner_id, is_private, month HAVING sum(photos) <> 0`);
  for (const one of months) counted[`month ${one.month} of ${one.owner_id} ${one.is_private}`] = one.photos;
  for (const { photo_id, list, seen_by, taken_at } of await db.all<any>(sql`SELECT * FROM photo_lists`))
    counted[`${list} ${photo_id} ${seen_by} ${taken_at}`] = 1;
  const inAlbums = await db.all<{ photo_id: number; album_id: number; owner_id: number; trash_id: number | null }>(sql`
    SELECT photo_id, album_id, owner_id, trash_id FROM album_photos JOIN albums ON albums.id = album_id`);
  for (const photo of await db.all<any>(sql`
    SELECT photos.*, images.camera, coalesce(taken_at_set, images.taken_at) AS true_date FROM photos
    JOIN files ON files.id = photos.file_id LEFT JOIN images ON images.sha256 = files.sha256
    WHERE photos.trash_id IS NULL`)) {
    const model = JSON.parse(photo.camera ?? "{}").model;
    const entries = inAlbums.filter(({ photo_id }) => photo_id === photo.id);
    const isInOwn = entries.some(({ owner_id, trash_id }) => owner_id === photo.owner_id && trash_id === null);
    const lists = [
      "kind:image",
      ...(model ? [`camera:${model.toLowerCase()}`] : []),
      ...(photo.is_favourite ? [`favourite:${photo.owner_id}`] : []),
      ...JSON.parse(photo.tags).map((tag: string) => `tag:${tag.toLowerCase()}`),
      ...entries.map(({ album_id }) => `album:${album_id}`),
      ...(isInOwn ? [] : [`no-album:${photo.owner_id}`]),
      ...(photo.is_untitled ? [`untitled:${photo.owner_id}`] : []),
    ];
    for (const name of lists) truth[`${name} ${photo.id} ${photo.is_private && photo.owner_id} ${photo.true_date}`] = 1;
    if (photo.true_date === null) continue;
    for (const owner of [0, photo.owner_id]) {
      const name = `month ${new Date(photo.true_date).toISOString().slice(0, 7)} of ${owner} ${photo.is_private}`;
      truth[name] = (truth[name] ?? 0) + 1;
    }
  }
  const imports = await db.all<{ id: number; stored: number; truth: number }>(sql`
    SELECT id, imported + existing + refused + waiting AS stored, (
      SELECT count(*) FROM import_files WHERE import_id = imports.id) AS truth
    FROM imports`);
  for (const one of imports) [counted[`import ${one.id}`], truth[`import ${one.id}`]] = [one.stored, one.truth];
  return { counted, truth };
}
