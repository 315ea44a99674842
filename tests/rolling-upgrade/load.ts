import { createHash } from "node:crypto";
import { append, begin } from "../../src/features/uploads/tus.test.ts";
import { openEvents } from "../kit/event-reader.ts";
import { type Answer, type Client, client } from "../kit/client.ts";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import type { Copies } from "./copies.ts";
import { countEntries } from "./zip-entries.ts";

export type Counts = Record<"reads" | "writes" | "readBacks" | "events" | "uploads" | "zips" | "imports", number>;

const api = "/api/v1";
const zipFiles = 12;
const importFiles = 24;
/** Together so many that an import goes on in the background, and meets the stop of its copy. */
const importFolders = 8;
const pages = ["/", "/blog", "/photos", "/albums", "/feed.xml", `${api}/photos`, `${api}/blog?pageSize=5`];

/**
 * Everything that people do while copies are replaced. A response that is not 2xx, a read that is older than an acknowledged write,
 * an event that is missing, and bytes that differ are failures.
 */
export async function startLoad(copies: Copies, token: string) {
  const counts: Counts = { reads: 0, writes: 0, readBacks: 0, events: 0, uploads: 0, zips: 0, imports: 0 };
  const failures: string[] = [];
  const titles = new Set<string>();
  const created = new Set<number>();
  const stopping = new AbortController();
  const owner = () => client({ url: copies.next().url }, token);

  async function expectOK(kind: keyof Counts, ask: (who: Client) => Promise<Answer>, who: string | null = token) {
    const answer = await copies.use((copy) =>
      ask(client(copy, who)).catch((error: Error) => Promise.reject(new Error(`${kind}: ${error.message}`))),
    );
    if (answer.status >= 300) throw new Error(`${kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
    counts[kind]++;
    return answer.body;
  }
  const write = (ask: (who: Client) => Promise<Answer>) => expectOK("writes", ask);

  async function writeAll(name: string): Promise<void> {
    const post = await write((who) => who.post(`${api}/blog`, { title: name, content: "text" }));
    titles.add(name);
    created.add(post.id);
    // Kept in the memory of a copy, so that it has to notice the write of another one.
    await expectOK("reads", (who) => who.get(`${api}/blog/${post.id}`), null);
    await write((who) => who.put(`${api}/blog/${post.id}`, { content: name }));
    const read = await expectOK("readBacks", (who) => who.get(`${api}/blog/${post.id}`), null);
    if (read.content !== name) throw new Error(`stale: ${read.content} instead of ${name}`);
    await write((who) => who.post(`${api}/comments`, { content: name, blogPostID: post.id }));
    const file = await write((who) => who.upload(`${crypto.randomUUID()}.txt`, name));
    const photo = await write((who) =>
      who.post(`${api}/photos`, { title: name, fileID: file.id, width: 1, height: 1 }),
    );
    const album = await write((who) => who.post(`${api}/albums`, { name }));
    await write((who) => who.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id }));
    const { photos } = await expectOK("reads", (who) => who.get(`${api}/albums/${album.id}`));
    if (photos.length !== 1) throw new Error(`an album has ${photos.length} photos instead of one`);
    await write((who) => who.delete(`${api}/albums/${album.id}`));
    await write((who) => who.put(`${api}/photos/${photo.id}`, { visibility: "private" }));
  }

  async function readPages(turn: number): Promise<void> {
    await expectOK("reads", (who) => who.get(pages[turn % pages.length] as string), null);
  }

  /** Each part of an upload goes to another copy. */
  async function uploadInParts(name: string): Promise<void> {
    const bytes = Buffer.from(name.repeat(20_000));
    const path = await copies.use((copy) => begin(client(copy, token), bytes.length, { filename: `${name}.bin` }));
    if (!path) throw new Error("uploads: it was not begun");
    let fileID: string | null = null;
    const part = Math.ceil(bytes.length / 6);
    for (let offset = 0; offset < bytes.length; offset += part) {
      const answer = await copies.use((copy) =>
        append(client(copy, token), path, offset, bytes.subarray(offset, offset + part)),
      );
      if (answer.status >= 300) throw new Error(`uploads: ${answer.status} ${JSON.stringify(answer.body)}`);
      fileID = answer.headers.get("upload-file-id");
    }
    const { sha256 } = await expectOK("reads", (who) => who.get(`${api}/files/${fileID}`));
    if (sha256 !== createHash("sha256").update(bytes).digest("hex")) throw new Error("uploads: other bytes");
    counts.uploads++;
  }

  async function zip(directoryID: number): Promise<void> {
    await copies.use(async (copy) => {
      const response = await fetch(`${copy.url}${api}/files/${directoryID}/zip`);
      const entries = await countEntries(Buffer.from(await response.bytes()));
      if (response.status !== 200 || entries !== zipFiles)
        throw new Error(`zips: ${response.status}, ${entries} files`);
    });
    counts.zips++;
  }

  /** Begun at one copy, which may be stopped: another one goes on. */
  async function importPhotos(sourceID: number, name: string): Promise<void> {
    for (let number = 0; number < importFolders; number++)
      await write((who) => who.post(`${api}/files/${sourceID}/copy`, { path: `/imported/${name}`, name: `${number}` }));
    let body = await write((who) => who.post(`${api}/photos/import`, { path: `/imported/${name}` }));
    while (body.status !== "finished") {
      await Bun.sleep(100);
      body = await expectOK("reads", (who) => who.get(`${api}/imports/${body.id}`));
    }
    if (body.imported !== importFolders * importFiles) throw new Error(`imports: ${JSON.stringify(body)}`);
    counts.imports++;
  }

  /** Connects again where a stream has ended, and gets what it has missed. */
  async function follow(): Promise<Map<number, number>> {
    const seen = new Map<number, number>();
    let lastEventID = "";
    const isComplete = () => stopping.signal.aborted && [...created].every((id) => seen.has(id));
    while (!isComplete()) {
      await using stream = await openEvents(copies.next().url, { token, ...(lastEventID && { lastEventID }) });
      try {
        while (!isComplete()) {
          const { event, id, data } = await stream.next(5000);
          lastEventID = id || lastEventID;
          if (event === "reload") throw new Error("events: the stream could not go on");
          if (event !== "message" || data.kind !== "post" || data.action !== "created") continue;
          counts.events++;
          seen.set(data.recordID, (seen.get(data.recordID) ?? 0) + 1);
        }
      } catch (error) {
        if (!/has ended|in time/.test((error as Error).message)) throw error;
      }
    }
    return seen;
  }

  const repeat = async (work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      await work(turn).catch((error: Error) => failures.push(error.message));
    }
  };

  const zipped = await fillDirectory(owner(), "/zipped", zipFiles);
  const imported = await fillDirectory(owner(), "/source", importFiles);
  const following = follow().catch((error: Error) => (failures.push(error.message), new Map<number, number>()));
  const working = [
    ...Array.from({ length: 3 }, (_, index) => repeat((turn) => writeAll(`${index} ${turn}`))),
    ...Array.from({ length: 3 }, (_, index) => repeat((turn) => readPages(index + turn))),
    repeat((turn) => uploadInParts(`upload ${turn}`)),
    repeat(() => zip(zipped)),
    repeat((turn) => importPhotos(imported, `import ${turn}`)),
  ];

  return {
    counts,
    failures,
    async stop() {
      stopping.abort();
      await Promise.all(working);
      const seen = await following;
      const repeated = [...seen].filter(([, times]) => times > 1);
      if (repeated.length > 0) failures.push(`events: ${repeated.length} were sent more than once`);
      const missed = [...created].filter((id) => !seen.has(id));
      if (missed.length > 0) failures.push(`events: ${missed.length} of ${created.size} were missed`);
      return { counts, failures, titles };
    },
  };
}

/** Pictures that are all different, so that each becomes a photo; returns the directory. */
async function fillDirectory(owner: Client, path: string, count: number): Promise<number> {
  for (let number = 0; number < count; number++) {
    await owner.upload(`${number}.png`, await bytesOf(quadrants(10 + number, 12).png()), { path });
  }
  const { body } = await owner.get(`${api}/files?path=/`);
  return body.find((entry: any) => `/${entry.name}` === path).id;
}
