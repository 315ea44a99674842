// Runs on the embedded engines only: it is about the files of SQLite and of the local disk.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Answer, type Client, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { isLong, testLong } from "../kit/long.ts";
import { until } from "../kit/until.ts";
import { useScratch } from "../kit/scratch.ts";
import { sha256Of } from "../kit/sha256.ts";

const kills = isLong ? 50 : 3;
const scratch = useScratch();
const dataDir = join(scratch, "some writers");
const secret = "a secret that survives every crash of the test";

/** What the server has acknowledged: all of it must exist after a crash. */
type Known = {
  posts: Map<number, string>;
  deleted: Set<number>;
  files: Map<number, { name: string; sha256: string; size: number }>;
  albums: Map<number, { photos: Set<number> }>;
  photos: Set<number>;
  /** Changes in progress when the server was killed: either state is valid. */
  unsure: Set<number>;
};

test(`after each of ${kills} kill -9 under load, every acknowledged write and byte exists`, async () => {
  const env = { DATA_DIR: dataDir, JWT_SECRET: secret };
  await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
  const known: Known = {
    posts: new Map(),
    deleted: new Set(),
    files: new Map(),
    albums: new Map(),
    photos: new Set(),
    unsure: new Set(),
  };
  let token: string | null = null;
  let writes = 0;

  for (let round = 0; round < kills; round++) {
    const server = await startVitrine(env);
    token ??= (await client(server).post("/signin", { username: "writer", password })).body.token;
    const writer = client(server, token);
    await verify(writer, known, round === kills - 1);
    let stopped = false;
    const load = Array.from({ length: 8 }, (_, writerIndex) =>
      keepWriting(
        writer,
        known,
        writerIndex,
        () => stopped,
        () => writes++,
      ),
    );
    await Bun.sleep(40 + Math.random() * 160);
    server.process.kill("SIGKILL");
    stopped = true;
    await Promise.all([...load, server.process.exited]);
  }

  const last = await startVitrine(env);
  await verify(client(last, token), known, true);
  await last.close();
  expect(writes).toBeGreaterThan(kills);
  expect(readdirSync(join(dataDir, "incoming"))).toEqual([]);
});

testLong(
  "after kill -9 with 48 writers, every acknowledged post and comment exists, and none of them in part",
  async () => {
    const env = { DATA_DIR: join(scratch, "many writers"), JWT_SECRET: secret };
    await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
    const posts = new Map<number, string>();
    const comments = new Set<number>();
    for (let round = 0; round < (isLong ? 6 : 3); round++) {
      const server = await startVitrine(env);
      const { token } = (await client(server).post("/signin", { username: "writer", password })).body;
      const writer = client(server, token);
      const load = { isStopped: false };
      const write = async (index: number) => {
        for (let number = 0; !load.isStopped; number++) {
          const name = `post ${round} ${index} ${number}`;
          const made = await writer.post("/api/v1/blog", { title: name, content: name, tags: ["crash"] });
          expect(made.status).toBe(201);
          posts.set(made.body.id, made.body.slug);
          // A transaction that fails beside the others.
          expect((await writer.post("/api/v1/comments", { content: name, blogPostID: 10 ** 9 })).status).toBe(404);
          const comment = await writer.post("/api/v1/comments", { content: name, blogPostID: made.body.id });
          expect(comment.status).toBe(201);
          comments.add(comment.body.id);
        }
      };
      const writers = Array.from({ length: 48 }, (_, index) =>
        write(index).catch((error) => {
          if (!load.isStopped) throw error;
        }),
      );
      // Each has written something, also on a slow machine.
      const before = posts.size;
      await until(() => posts.size >= before + 48);
      await Bun.sleep(Math.random() * 300);
      load.isStopped = true;
      server.process.kill("SIGKILL");
      await Promise.all([...writers, server.process.exited]);
    }

    const server = await startVitrine(env);
    const reader = client(server);
    // Its total is compared with its length: no post is counted without its row, or the other way round.
    const all = await readAll(reader, "/api/v1/blog");
    expect([...posts.keys()].filter((id) => !all.has(id))).toEqual([]);
    const tagged = new Set<number>();
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Answer = await reader.get(`/api/v1/blog?tag=crash&pageSize=1000&cursor=${cursor}`);
      for (const post of page.body) tagged.add(post.id);
      cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? null;
    }
    const crashed = [...all.values()].filter(({ tags }) => tags.includes("crash"));
    expect(crashed.length).toBeGreaterThanOrEqual(posts.size);
    for (const { id, slug } of crashed) {
      expect([id, tagged.has(id)]).toEqual([id, true]);
      expect((await reader.get(`/api/v1/blog/by-slug?slug=${slug}`)).body.id).toBe(id);
    }
    expect(posts.size).toBeGreaterThan(48);
    for (const id of [...comments].slice(-100)) expect((await reader.get(`/api/v1/comments/${id}`)).status).toBe(200);
    await server.close();
  },
);

async function keepWriting(
  writer: Client,
  known: Known,
  writerIndex: number,
  isStopped: () => boolean,
  count: () => void,
) {
  while (!isStopped()) {
    try {
      await operations[Math.floor(Math.random() * operations.length)]?.(writer, known, writerIndex);
      count();
    } catch (error) {
      // A server that was killed in the middle of a request has acknowledged nothing.
      if (isStopped()) return;
      throw error;
    }
  }
}

const operations: ((writer: Client, known: Known, writerIndex: number) => Promise<void>)[] = [
  async function addPost(writer, known) {
    const title = crypto.randomUUID();
    const { status, body } = await writer.post("/api/v1/blog", {
      title,
      content: "x".repeat(Math.random() * 5000 + 1),
    });
    expect(status).toBe(201);
    known.posts.set(body.id, title);
  },
  async function changePost(writer, known) {
    const id = pick([...known.posts.keys()].filter((one) => !known.unsure.has(one)));
    if (!id) return;
    const title = crypto.randomUUID();
    known.unsure.add(id);
    const { status } = await writer.put(`/api/v1/blog/${id}`, { title });
    expect(status).toBe(200);
    known.posts.set(id, title);
    known.unsure.delete(id);
  },
  async function deletePost(writer, known) {
    const id = pick([...known.posts.keys()].filter((one) => !known.unsure.has(one)));
    if (!id || known.posts.size < 10) return;
    known.unsure.add(id);
    expect((await writer.delete(`/api/v1/blog/${id}`)).status).toBe(200);
    known.posts.delete(id);
    known.deleted.add(id);
  },
  async function uploadFile(writer, known, writerIndex) {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.floor(Math.random() * 60_000)));
    const { status, body } = await writer.upload("same name.bin", bytes, { path: `/writer ${writerIndex % 3}` });
    expect(status).toBe(201);
    known.files.set(body.id, {
      name: body.name,
      sha256: sha256Of(bytes),
      size: bytes.length,
    });
  },
  async function addPhotoToAlbum(writer, known) {
    const fileID = pick([...known.files.keys()]);
    if (!fileID) return;
    const photo = await writer.post("/api/v1/photos", { title: "p", fileID, width: 1, height: 1 });
    expect(photo.status).toBe(201);
    known.photos.add(photo.body.id);
    const album = await writer.post("/api/v1/albums", { name: "a" });
    known.albums.set(album.body.id, { photos: new Set() });
    const added = await writer.post(`/api/v1/albums/${album.body.id}/photos`, { photoID: photo.body.id });
    expect(added.status).toBe(200);
    known.albums.get(album.body.id)?.photos.add(photo.body.id);
  },
];

async function verify(reader: Client, known: Known, alsoBytes: boolean): Promise<void> {
  const posts = await readAll(reader, "/api/v1/blog");
  for (const [id, title] of known.posts)
    if (!known.unsure.has(id)) expect([id, posts.get(id)?.title]).toEqual([id, title]);
  for (const id of known.deleted) expect([id, posts.has(id)]).toEqual([id, false]);
  const photos = await readAll(reader, "/api/v1/photos");
  for (const id of known.photos) expect([id, photos.has(id)]).toEqual([id, true]);
  const albums = await readAll(reader, "/api/v1/albums");
  for (const [id, album] of known.albums) expect(albums.get(id)?.photoCount).toBeGreaterThanOrEqual(album.photos.size);

  for (const directory of (await reader.get("/api/v1/files")).body) {
    const { body } = await reader.get(`/api/v1/files?path=${encodeURIComponent(`/${directory.name}`)}`);
    expect(new Set(body.map((file: any) => file.name.toLowerCase())).size).toBe(body.length);
  }
  for (const [id, file] of alsoBytes ? known.files : []) {
    const response = await fetch(reader.url(`/api/v1/files/${id}/content`));
    expect(sha256Of(await response.arrayBuffer())).toBe(file.sha256);
  }
  // Changes that were in progress when the server was killed have one of the two states now.
  for (const id of known.unsure) {
    if (posts.has(id)) known.posts.set(id, posts.get(id).title);
    else known.posts.delete(id);
  }
  known.unsure.clear();
}

/** Every page of a list; the stored total must match. */
async function readAll(reader: Client, path: string): Promise<Map<number, any>> {
  const records = new Map<number, any>();
  for (let page = 1; ; page++) {
    const { body, headers } = await reader.get(`${path}?page=${page}&pageSize=1000`);
    for (const record of body) records.set(record.id, record);
    if (body.length < 1000) {
      expect(Number(headers.get("x-total-count"))).toBe(records.size);
      return records;
    }
  }
}

const pick = <Item>(items: Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
