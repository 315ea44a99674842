import type { Client } from "../../client/src/index.ts";
import { hashFile } from "./hash-file.ts";
import { findKnown, type Known } from "./known.ts";

export function createChecker(api: Client) {
  /** The files of the server with the same content as each file that was checked. */
  const checked = new Map<string, readonly Known[]>();
  const hashes = new Map<string, Promise<string | null>>();
  return { find: (id: string): readonly Known[] | undefined => checked.get(id), forget, check };

  function forget(id: string): void {
    checked.delete(id);
    hashes.delete(id);
  }

  /**
   * Finds which of the files the server has. Only a file of the same size can have the same content, so most files need not be
   * hashed. A file with the same content as one of `unfinished`, which were checked before, is left for later: then the
   * server has it. Returns the ids of those that were checked.
   */
  async function check(group: ReadonlyMap<string, File>, unfinished: ReadonlyMap<string, File>): Promise<string[]> {
    if (group.size === 0) return [];
    const knownSizes = new Set(await api.findKnownSizes({ size: [...new Set(sizesOf(group))] }));
    const sent = new Map(unfinished);
    const found = new Map<string, string | null>();
    for (const [id, file] of group) {
      const twins = [...sent].filter(([, { size }]) => size === file.size);
      if (await isAmong(twins, id, file)) continue;
      sent.set(id, file);
      found.set(id, knownSizes.has(file.size) ? await hashOnce(id, file) : null);
    }
    const known = await findKnown(
      api,
      [...found.values()].filter((hash) => hash !== null),
    );
    for (const [id, hash] of found) checked.set(id, (hash && known.get(hash)) || []);
    return [...found.keys()];
  }

  async function isAmong(others: readonly [string, File][], id: string, file: File): Promise<boolean> {
    for (const [other, content] of others) {
      const hash = await hashOnce(id, file);
      if (hash !== null && hash === (await hashOnce(other, content))) return true;
    }
    return false;
  }

  /** A file that cannot be read fails when it is sent, with the reason. */
  function hashOnce(id: string, file: File): Promise<string | null> {
    const hash = hashes.get(id) ?? hashFile(file).catch(() => null);
    hashes.set(id, hash);
    return hash;
  }
}

const sizesOf = (files: ReadonlyMap<string, File>) => [...files.values()].map(({ size }) => size);
