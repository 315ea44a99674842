import { hashFile } from "./hash-file.ts";
import { findKnown, type Known } from "./known.ts";

/** What is known of a file before it is sent. */
type Checked = { hash: string | null; known: readonly Known[] };

const checked = new Map<string, Checked>();
const hashes = new Map<string, string | null>();

export const findChecked = (id: string): Checked | undefined => checked.get(id);

export function forgetChecked(id: string): void {
  checked.delete(id);
  hashes.delete(id);
}

/**
 * Asks the server which of the files it has, by one request. A file with the same content as another one that is still
 * being sent is left for later: then the server has it. Returns how many were checked.
 */
export async function checkFiles(files: ReadonlyMap<string, File>, isUnfinished: (id: string) => boolean) {
  const sent = new Set(
    [...checked].filter(([id, { hash }]) => hash !== null && isUnfinished(id)).map(([, { hash }]) => hash),
  );
  const group = new Map<string, string | null>();
  for (const [id, file] of files) {
    const hash = hashes.has(id) ? (hashes.get(id) ?? null) : await readHash(file);
    hashes.set(id, hash);
    if (hash !== null && sent.has(hash)) continue;
    sent.add(hash);
    group.set(id, hash);
  }
  const known = await findKnown([...group.values()].filter((hash) => hash !== null));
  for (const [id, hash] of group) checked.set(id, { hash, known: (hash && known.get(hash)) || [] });
  return group.size;
}

/** A file that cannot be read fails when it is sent, with the reason. */
async function readHash(file: File): Promise<string | null> {
  try {
    return await hashFile(file);
  } catch {
    return null;
  }
}
