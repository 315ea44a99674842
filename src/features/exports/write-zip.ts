import { createHasher } from "../../platform/hash.ts";
import { late } from "../../platform/once.ts";
import type { Entry, ExportedSite, FileEntry, Target } from "./entry.ts";
import { openBytes } from "./open-bytes.ts";

const loadZip = late(() => import("client-zip"));

/** Where the bytes of an archive go. */
export type Sink = { write(chunk: Uint8Array): Promise<void>; end(): Promise<void>; abandon(): Promise<void> };

type Zipped = { name: string; lastModified?: Date; mode: number; input?: AsyncIterable<Uint8Array>; size?: number };

/** Writes an archive while it is made: it is never complete in memory. */
export async function openZipTarget(site: ExportedSite, sink: Sink, folder: string): Promise<Target> {
  const { makeZip } = await loadZip();
  const entries = createQueue<Zipped>();
  const writing = writeArchive(makeZip(entries.items as AsyncIterable<Zipped & { input: AsyncIterable<Uint8Array> }>));
  // Whoever adds an entry gets the error.
  writing.catch(() => {});

  async function writeArchive(archive: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of archive) await sink.write(chunk);
    } catch (error) {
      entries.fail(error);
      throw error;
    }
  }

  async function add(entry: Entry): Promise<boolean> {
    const name = `${folder}/${entry.path}`;
    if ("isDirectory" in entry) {
      await entries.add({ name: `${name}/`, mode: 0o700 });
      return true;
    }
    const bytes = await openBytes(site, entry);
    if (!bytes) return false;
    const hasher = createHasher("sha256");
    const input = hashed(bytes, hasher);
    await entries.add({ name, mode: 0o600, lastModified: new Date(entry.modifiedAt), input, size: entry.size });
    return hasher.digest("hex") === entry.sha256;
  }

  return {
    add,
    async finish(last: FileEntry) {
      await add(last);
      entries.end();
      await writing;
      await sink.end();
    },
    abandon: () => sink.abandon(),
  };
}

async function* hashed(bytes: ReadableStream<Uint8Array>, hasher: ReturnType<typeof createHasher>) {
  for await (const chunk of bytes) {
    hasher.update(chunk);
    yield chunk;
  }
}

/** Passes items on, one at a time: adding one ends when the next is asked for, so the one before was read. */
function createQueue<Item>() {
  let taken = Promise.withResolvers<void>();
  let given = Promise.withResolvers<Item | null>();
  async function* read(): AsyncGenerator<Item> {
    for (;;) {
      const item = await given.promise;
      if (item === null) return;
      yield item;
      given = Promise.withResolvers();
      taken.resolve();
    }
  }
  let failure: { error: unknown } | null = null;
  return {
    items: read(),
    async add(item: Item): Promise<void> {
      if (failure) throw failure.error;
      taken = Promise.withResolvers();
      given.resolve(item);
      await taken.promise;
    },
    end: () => given.resolve(null),
    fail(reason: unknown): void {
      failure = { error: reason };
      taken.promise.catch(() => {});
      taken.reject(reason);
    },
  };
}
