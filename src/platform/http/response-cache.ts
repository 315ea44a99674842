import type { Database } from "../database/database.ts";
import type { Operation } from "../metrics/metrics.ts";
import type { Answer } from "./answer.ts";
import type { Encoding } from "./encoding.ts";
import type { Bucket } from "./route.ts";

const maxBytes = 32 * 2 ** 20;
/** A longer response would displace too many others. */
const maxOfOne = maxBytes / 8;
const maxSeen = 10_000;

/** A response and the operation that it belongs to. */
export type Kept = {
  answer: Answer;
  operation: Operation;
  /** From which a request takes that gets this response. */
  bucket: Bucket;
  /** The generation before its data was read, and the tables from which it was read. */
  readAt: number;
  tables: ReadonlySet<string>;
  /** What was sent before, by its encoding: to be cloned. */
  prepared: Map<Encoding | "plain", Response>;
};

type AnswerCache = {
  has(key: string): boolean;
  /** A response whose data has not changed since. */
  find(key: string): Kept | undefined;
  keep(key: string, kept: Kept): void;
};

/**
 * Cached public responses. A response is outdated when one of the tables from which it was read has been written. It is
 * kept when it is requested for the second time, so that requests for many unusual URLs do not displace the others.
 */
export function createAnswerCache({ generation, lastWrite }: Pick<Database, "generation" | "lastWrite">): AnswerCache {
  const answers = new Map<string, Kept & { checkedAt: number }>();
  const seen = new Set<number>();
  let bytes = 0;

  function isSeen(key: string): boolean {
    const hash = Bun.hash.xxHash32(key);
    if (answers.has(key) || seen.has(hash)) return true;
    if (seen.size >= maxSeen) seen.clear();
    seen.add(hash);
    return false;
  }

  function remove(key: string): void {
    const old = answers.get(key);
    if (old) bytes -= sizeOf(key, old);
    answers.delete(key);
  }

  return {
    has: (key) => answers.has(key),
    find(key) {
      const found = answers.get(key);
      if (!found) return undefined;
      const now = generation();
      if (found.checkedAt === now) return found;
      if (lastWrite(found.tables) > found.readAt) return undefined;
      found.checkedAt = now;
      return found;
    },
    keep(key, kept) {
      if (sizeOf(key, kept) > maxOfOne || !isSeen(key) || lastWrite(kept.tables) > kept.readAt) return;
      remove(key);
      bytes += sizeOf(key, kept);
      answers.set(key, { ...kept, checkedAt: generation() });
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
    },
  };
}

/** Including its compressed forms, approximately. */
const sizeOf = (key: string, { answer }: Kept) => answer.plain.body.length * 2 + key.length * 2 + 1000;
