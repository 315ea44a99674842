/** Writes of all kinds, and what must exist after each of them: for tests that end the server while they run. */
import type { Answer, Client } from "../client.ts";
import { png } from "../files/png.ts";

const api = "/api/v1";

/** Returns what the server has now; that must equal the value with which it was stored. */
type Read = (reader: Client) => Promise<unknown>;
type Expected = { expected: unknown; read: Read };

/** What the server has acknowledged. A record that is being changed is not in it, because both states are valid then. */
export class Acknowledged {
  readonly #known = new Map<string, Expected>();
  /** How many writes were acknowledged. */
  writes = 0;

  get size(): number {
    return this.#known.size;
  }

  /** Creates a record, which is expected as `describe` says from now on. Returns it. */
  async create(send: () => Promise<Answer>, describe: (record: any) => Expected & { key: string }): Promise<any> {
    const record = await this.send(send);
    const { key, ...expected } = describe(record);
    this.#known.set(key, expected);
    return record;
  }

  /** Changes a record, which is expected in this way from now on. */
  async change(key: string, send: () => Promise<Answer>, expected: Expected): Promise<void> {
    this.#known.delete(key);
    await this.send(send);
    this.#known.set(key, expected);
  }

  /** Returns the body of the response. Throws if the request was refused. */
  async send(send: () => Promise<Answer>): Promise<any> {
    const { status, body } = await send();
    if (status >= 300) throw new Error(`The status was ${status}: ${JSON.stringify(body)}`);
    this.writes++;
    return body;
  }

  /** Returns what is missing or different, in sentences. */
  async findLost(reader: Client): Promise<string[]> {
    const lost: string[] = [];
    for (const [key, { expected, read }] of this.#known) {
      const found = await read(reader);
      if (found !== expected) lost.push(`${key}: ${String(found)} instead of ${String(expected)}`);
    }
    return lost;
  }
}

type Story = (writer: Client, known: Acknowledged) => Promise<void>;

const field = (path: string, name: string) => async (reader: Client) => (await reader.get(api + path)).body[name];
const status = (path: string) => async (reader: Client) => (await reader.get(api + path)).status;
const hashOf = (bytes: Uint8Array | ArrayBuffer) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const contentOf = (id: number) => async (reader: Client) => {
  const headers = { Authorization: `Bearer ${reader.token}` };
  const response = await fetch(reader.url(`${api}/files/${id}/content`), { headers });
  if (!response.ok) return `a response with the status ${response.status}`;
  return hashOf(await response.arrayBuffer());
};
const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const unique = () => crypto.randomUUID();

async function upload(writer: Client, known: Acknowledged, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const { id } = await known.create(
    () => writer.upload(`${unique()}.bin`, bytes, { path: `/writer ${bytes.length % 5}` }),
    (body) => ({ key: `file ${body.id}`, expected: hashOf(bytes), read: contentOf(body.id) }),
  );
  return id;
}

async function createPost(writer: Client, known: Acknowledged): Promise<number> {
  const title = unique();
  const { id } = await known.create(
    () => writer.post(`${api}/blog`, { title, content: "x".repeat(2000), tags: ["Sea"] }),
    (body) => ({ key: `post ${body.id}`, expected: title, read: field(`/blog/${body.id}`, "title") }),
  );
  return id;
}

async function createAlbum(writer: Client, known: Acknowledged): Promise<number> {
  const name = unique();
  const { id } = await known.create(
    () => writer.post(`${api}/albums`, { name }),
    (body) => ({ key: `album ${body.id}`, expected: name, read: field(`/albums/${body.id}`, "name") }),
  );
  return id;
}

export const stories: Record<string, Story> = {
  async post(writer, known) {
    // That a deleted post is missing says nothing, if all posts are.
    await createPost(writer, known);
    const id = await createPost(writer, known);
    const second = unique();
    const path = `/blog/${id}`;
    const key = `post ${id}`;
    const changed = { expected: second, read: field(path, "title") };
    await known.change(key, () => writer.put(api + path, { title: second }), changed);
    if (Math.random() < 0.5) return;
    await known.change(key, () => writer.delete(api + path), { expected: 404, read: status(path) });
    if (Math.random() < 0.5) return;
    const restore = () => writer.post(`${api}/trash/restore`, { records: [{ kind: "post", id }] });
    await known.change(key, restore, changed);
  },
  async comment(writer, known) {
    // HTML is rendered by another process.
    const { body: post } = await writer.post(`${api}/blog`, { title: "Commented", content: "<b>…</b>" });
    const content = unique();
    await known.create(
      () => writer.post(`${api}/comments`, { content, blogPostID: post.id }),
      (body) => ({ key: `comment ${body.id}`, expected: content, read: field(`/comments/${body.id}`, "content") }),
    );
  },
  async smallFile(writer, known) {
    await upload(writer, known, randomBytes(20_000));
  },
  // More than is written by a single call of the runtime.
  async largeFile(writer, known) {
    await upload(writer, known, randomBytes(700_000));
  },
  async replacedFile(writer, known) {
    const id = await upload(writer, known, randomBytes(1000));
    const bytes = randomBytes(3000);
    const send = () => writer.request("PUT", `${api}/files/${id}/content`, { body: bytes });
    await known.change(`file ${id}`, send, { expected: hashOf(bytes), read: contentOf(id) });
  },
  async fileInParts(writer, known) {
    const bytes = randomBytes(30_000);
    const headers = { "Tus-Resumable": "1.0.0", "Upload-Length": String(bytes.length) };
    const name = { "Upload-Metadata": `filename ${btoa(`${unique()}.bin`)}` };
    const { body } = await writer.post(`${api}/uploads`, undefined, { ...headers, ...name });
    const send = (offset: number, end: number) => {
      const part = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
      const init = { headers: { ...headers, ...part }, body: bytes.subarray(offset, end) };
      return writer.request("PATCH", `${api}/uploads/${body.id}`, init);
    };
    const path = `/uploads/${body.id}`;
    const key = `upload ${body.id}`;
    await known.change(key, () => send(0, 10_000), { expected: 10_000, read: field(path, "offset") });
    const readFile: Read = async (reader) => {
      const { body: finished } = await reader.get(api + path);
      return finished.file ? contentOf(finished.file.id)(reader) : null;
    };
    await known.change(key, () => send(10_000, bytes.length), { expected: hashOf(bytes), read: readFile });
  },
  async photoInAlbum(writer, known) {
    const { body: file } = await writer.upload(`${unique()}.png`, new Uint8Array([...png(4, 3), ...randomBytes(16)]));
    const title = unique();
    const photo = await known.create(
      () => writer.post(`${api}/photos`, { title, fileID: file.id }),
      (body) => ({ key: `photo ${body.id}`, expected: title, read: field(`/photos/${body.id}`, "title") }),
    );
    const albumID = await createAlbum(writer, known);
    await known.change(
      `photos of album ${albumID}`,
      () => writer.put(`${api}/albums/${albumID}/photos`, { photoIDs: [photo.id] }),
      { expected: 1, read: field(`/albums/${albumID}`, "photoCount") },
    );
  },
  async directory(writer, known) {
    const [name, moved] = [unique(), unique()];
    const id = await upload(writer, known, randomBytes(100));
    const { id: directoryID } = await known.send(() => writer.post(`${api}/directories`, { name }));
    const path = `/files/${directoryID}`;
    await known.change(`directory ${directoryID}`, () => writer.put(api + path, { name: moved }), {
      expected: moved,
      read: field(path, "name"),
    });
    await known.change(`place of ${id}`, () => writer.post(`${api}/files/${id}/move`, { path: `/${moved}` }), {
      expected: `/${moved}`,
      read: field(`/files/${id}`, "path"),
    });
  },
  async shareLink(writer, known) {
    const albumID = await createAlbum(writer, known);
    const expectation = (token: string, expected: number) => ({
      key: `link ${token}`,
      expected,
      read: async (reader: Client) => (await reader.get(`${api}/shared`, { "X-Share-Token": token })).status,
    });
    const share = await known.create(
      () => writer.post(`${api}/shares`, { kind: "album", id: albumID }),
      ({ token }) => expectation(token, 200),
    );
    if (Math.random() < 0.5) return;
    const revoked = expectation(share.token, 404);
    await known.change(revoked.key, () => writer.delete(`${api}/shares/${share.id}`), revoked);
  },
};

/** Writes stories of all kinds until it is stopped. Only then may a request fail, unless `mayFail` says otherwise. */
export async function keepWriting(
  writer: Client,
  known: Acknowledged,
  { isStopped, mayFail = false }: { isStopped: () => boolean; mayFail?: boolean },
): Promise<void> {
  const all = Object.values(stories);
  for (let number = Math.floor(Math.random() * all.length); !isStopped(); number++) {
    try {
      await all[number % all.length]?.(writer, known);
    } catch (error) {
      if (!isStopped() && !mayFail) throw error;
    }
  }
}
